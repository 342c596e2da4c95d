/**
 * The look of what the page itself draws: the dialog's room, the outline of the card while the frame loads, and the alert.
 * Colours and sizes are the tokens of VISUAL.md. Constructable sheets and shadow roots: a page with a strict policy needs no `unsafe-inline`.
 */
import type { Theme } from '../types'

/** Custom properties of the two themes, on whatever carries `data-theme`. */
const tokens = `
:host,*{box-sizing:border-box}
[data-theme]{--s1:#fff;--s2:#f5f6f5;--s3:#ebedec;--line:rgba(16,24,20,.09);--t1:#0f1512;--t2:#55605a;--accent:#0d7565;--ink:#0f1512;--on:#fff;--back:rgba(10,14,12,.44);color-scheme:light;font:450 14px/1.45 var(--font,"Inter Variable"),Inter,system-ui,sans-serif}
[data-theme=dark]{--s1:#141816;--s2:#1c211e;--s3:#262c28;--line:rgba(255,255,255,.09);--t1:#eef3f0;--t2:#a6b1ab;--accent:#55d3b8;--ink:#eef3f0;--on:#101412;--back:rgba(0,0,0,.6);color-scheme:dark}
`

/**
 * The closed dialog is laid out and invisible instead of `display: none`: the frame in it stays laid out at its final size,
 * so that opening it is one paint.
 */
export const dialogStyles = `${tokens}
dialog{display:block;position:fixed;inset:0;width:100%;height:100%;max-width:none;max-height:none;margin:0;padding:0;border:0;background:none;overflow:hidden;outline:0;visibility:hidden;pointer-events:none}
dialog[open]{visibility:visible;pointer-events:auto}
dialog::backdrop{background:none}
iframe{position:absolute;inset:0;width:100%;height:100%;border:0;background:none}
.wait{position:absolute;inset:0;display:grid;place-items:center;background:var(--back);backdrop-filter:blur(6px);opacity:0;visibility:hidden;transition:opacity 80ms,visibility 80ms}
.wait.on{opacity:1;visibility:visible;transition:none}
.card{width:360px;height:380px;padding:60px 16px 16px;border-radius:calc(28px*var(--r,1));background:var(--s1);box-shadow:0 0 0 1px var(--line),0 24px 56px -16px rgba(0,0,0,.3)}
.card i{display:block;height:56px;margin-bottom:8px;border-radius:calc(16px*var(--r,1));background:var(--s2);animation:breathe 1.2s ease-in-out infinite alternate}
@keyframes breathe{to{background:var(--s3)}}
@media(max-width:429px){.wait{place-items:end stretch}.card{width:auto;border-radius:calc(28px*var(--r,1)) calc(28px*var(--r,1)) 0 0}}
@media(prefers-reduced-motion:reduce){.card i{animation:none}.wait{transition:none}}
`

export const alertStyles = `${tokens}
[role=alertdialog]{position:fixed;top:16px;left:50%;transform:translateX(-50%);width:min(360px,calc(100vw - 32px));padding:16px;border-radius:calc(28px*var(--r,1));background:var(--s1);color:var(--t2);box-shadow:0 0 0 1px var(--line),0 24px 56px -16px rgba(0,0,0,.4);overflow-wrap:anywhere;outline:0}
h2{margin:0 0 4px;color:var(--t1);font-size:15px;font-weight:600}
p{margin:0 0 16px}
div div{display:flex;gap:8px}
button{flex:1;min-height:44px;border:0;border-radius:calc(16px*var(--r,1));background:var(--s2);color:var(--t1);font:inherit;font-weight:550;cursor:pointer}
button:first-child{background:var(--ink);color:var(--on)}
button:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
`

/** While the dialog is open the page behind it does not scroll, and keeps the room of its scroll bar. */
export const scrollLock = 'html{overflow:hidden!important;scrollbar-gutter:stable!important}'

export function createSheet(document: Document, css: string): CSSStyleSheet {
  const View = document.defaultView?.CSSStyleSheet ?? CSSStyleSheet
  const sheet = new View()
  sheet.replaceSync(css)
  return sheet
}

/** An element at the end of the document, with a shadow root of its own so that neither side's styles reach the other. */
export function createRoot(document: Document, name: string, css: string): { host: HTMLElement; root: ShadowRoot } {
  const host = document.createElement(name)
  const root = host.attachShadow({ mode: 'open' })
  root.adoptedStyleSheets = [createSheet(document, css)]
  return { host, root }
}

export function applyTheme(element: HTMLElement, mode: 'light' | 'dark', theme: Theme): void {
  element.dataset.theme = mode
  const set = (name: string, value: string | number | undefined) =>
    value === undefined ? element.style.removeProperty(name) : element.style.setProperty(name, String(value))
  set('--accent', theme.accent)
  set('--r', theme.radius)
  set('--font', theme.font)
}

/** The focused element, inside shadow roots too. */
export function deepActive(document: Document): Element | null {
  let active = document.activeElement
  while (active?.shadowRoot?.activeElement) active = active.shadowRoot.activeElement
  return active
}
