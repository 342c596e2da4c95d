/**
 * With forced colours, the transparent outline replaces background and shadow.
 * A page may set `--postern-accent`, `--postern-radius` (a scale) and `--postern-font`, which override the theme.
 */
export const buttonStyles = `
:host{display:inline-block;vertical-align:middle}
:host([hidden]),[hidden],span:empty{display:none!important}
button{--s2:#f5f6f5;--s3:#ebedec;--line:rgba(16,24,20,.09);--t1:#0f1512;--t2:#55605a;--accent:var(--postern-accent,var(--pt-accent,#0d7565));--ink:#0f1512;--on:#fff;color-scheme:light;
display:inline-flex;align-items:center;justify-content:center;gap:8px;box-sizing:border-box;min-width:44px;max-width:100%;min-height:44px;padding:0 16px;border:0;border-radius:calc(16px*var(--postern-radius,var(--pt-radius,1)));
background:var(--s2);box-shadow:inset 0 0 0 1px var(--line);outline:1px solid transparent;outline-offset:-1px;color:var(--t1);font:550 15px/1.2 var(--postern-font,var(--pt-font,"Inter Variable"),Inter,system-ui,sans-serif);font-variant-numeric:tabular-nums;cursor:pointer;-webkit-tap-highlight-color:transparent}
button[data-theme=dark]{--s2:#222926;--s3:#2e3632;--line:rgba(255,255,255,.09);--t1:#eef3f0;--t2:#a6b1ab;--accent:var(--postern-accent,var(--pt-accent,#55d3b8));--ink:#eef3f0;--on:#101412;color-scheme:dark}
button:disabled{opacity:.5;cursor:default}
:host([size=small]) button{min-height:36px;padding:0 12px;font-size:13px}
:host([size=large]) button{min-height:52px;padding:0 20px;font-size:17px}
button.primary{background:var(--ink);color:var(--on);box-shadow:none}
button:hover{background:var(--s3)}
button.primary:hover{background:var(--ink);opacity:.88}
button:active{transform:scale(.98)}
button:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
button[aria-busy=true]{color:var(--t2)}
button.primary[aria-busy=true]{color:var(--on)}
span{overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
i{flex:none;width:8px;height:8px;border-radius:50%;background:var(--accent)}
button[aria-busy=true] i{background:currentColor;animation:breathe .8s ease-in-out infinite alternate}
[part=balance]{flex:none;color:var(--t2)}
img{flex:none;width:20px;height:20px;border-radius:6px}
@keyframes breathe{to{opacity:.3}}
@media(prefers-reduced-motion:reduce){button:active{transform:none}button[aria-busy=true] i{animation:none}}
`
