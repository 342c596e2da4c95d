import type { Answer } from './serve'

export type Html = { readonly html: string }

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
const escaped = (text: string) => text.replace(/[&<>"']/g, (character) => escapes[character] ?? '')

/** Escapes text, but not {@link Html} and lists of it. */
export function html(
  strings: TemplateStringsArray,
  ...values: readonly (string | number | Html | readonly Html[])[]
): Html {
  const shown = (value: (typeof values)[number] | undefined) => {
    if (value === undefined) return ''
    if (typeof value === 'string' || typeof value === 'number') return escaped(`${value}`)
    return 'html' in value ? value.html : value.map((each) => each.html).join('')
  }
  return { html: strings.map((text, index) => text + shown(values[index])).join('') }
}

export const nothing: Html = { html: '' }

/**
 * A page whose policy allows only its own style and script.
 * @param script path of the page's module, if it has one.
 */
export function page({
  title,
  body,
  script,
  headers = {},
  formAction = "'self'",
}: {
  readonly title: string
  readonly body: Html
  readonly script?: string
  readonly headers?: Readonly<Record<string, string>>
  /** Allowed form targets, including redirects. */
  readonly formAction?: string
}): Answer {
  const policy = [
    "default-src 'none'",
    "style-src 'self'",
    "script-src 'self'",
    "connect-src 'self'",
    "frame-src 'self'",
    'img-src data:',
    `form-action ${formAction}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
  const document = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/style.css">
${script === undefined ? nothing : html`<script type="module" src="${script}"></script>`}
</head>
<body>
${body}
</body>
</html>
`
  return {
    headers: { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': policy, ...headers },
    body: document.html,
  }
}

/** For `/style.css`, which every page links. */
export const styleSheet: Answer = {
  headers: { 'content-type': 'text/css; charset=utf-8', 'cache-control': 'no-cache' },
  body: `:root {
  color-scheme: light dark;
  --page: light-dark(#f5f6f5, #0d100e);
  --surface: light-dark(#fff, #141816);
  --surface-2: light-dark(#eef0ef, #1f2522);
  --line: light-dark(rgb(16 24 20 / 12%), rgb(255 255 255 / 14%));
  --text: light-dark(#0f1512, #eef3f0);
  --text-2: light-dark(#55605a, #a6b1ab);
  --ink: light-dark(#0f1512, #eef3f0);
  --on-ink: light-dark(#fff, #101412);
  --accent: light-dark(#0d7565, #55d3b8);
  --soft: light-dark(#e3f1ee, #17322b);
  --bad: light-dark(#b3261e, #ffb4ab);
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--text); font: 450 15px / 1.45 Inter, system-ui, sans-serif; }
main { display: grid; gap: 16px; max-width: 420px; margin: 0 auto; padding: 24px 16px 48px; }
main.wide { max-width: 1080px; }
h1, h2, p, dl, dd, ul, form, fieldset { margin: 0; padding: 0; border: 0; }
h1 { font-size: 20px; letter-spacing: -0.01em; }
h2 { font-size: 16px; overflow-wrap: anywhere; }
header { display: flex; align-items: center; justify-content: space-between; gap: 12px; flex-wrap: wrap; }
section, form.card { display: grid; gap: 12px; padding: 16px; border: 1px solid var(--line); border-radius: 16px; background: var(--surface); }
.quiet, dt, label span { color: var(--text-2); font-size: 13px; }
.problem { color: var(--bad); }
.code { font-size: 28px; font-weight: 620; letter-spacing: 0.12em; font-variant-numeric: tabular-nums; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 4px 12px; }
dd, pre, a { overflow-wrap: anywhere; }
pre { margin: 0; padding: 12px; white-space: pre-wrap; border-radius: 10px; background: var(--surface-2); font: 13px / 1.5 ui-monospace, monospace; }
a { color: var(--accent); }
label { display: grid; gap: 4px; }
input, select { width: 100%; min-height: 44px; padding: 0 12px; border: 1px solid var(--line); border-radius: 12px; background: var(--surface-2); color: inherit; font: inherit; }
button { min-height: 44px; padding: 0 16px; border: 0; border-radius: 12px; background: var(--surface-2); color: inherit; font: inherit; font-weight: 550; cursor: pointer; }
button.main { background: var(--ink); color: var(--on-ink); }
.two { display: grid; grid-template-columns: 1fr 1fr; gap: 8px; }
.mails { display: grid; gap: 16px; align-items: start; }
@media (min-width: 760px) { .mails { grid-template-columns: 320px minmax(0, 1fr); } }
.list { display: grid; gap: 8px; list-style: none; }
.list a { display: grid; gap: 2px; padding: 12px 14px; border: 1px solid var(--line); border-radius: 14px; background: var(--surface); color: inherit; text-decoration: none; }
.list a:hover { background: var(--surface-2); }
.list a[aria-current] { background: var(--soft); border-color: var(--accent); }
.list b { font-weight: 600; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
iframe { width: 100%; height: 320px; border: 1px solid var(--line); border-radius: 12px; background: #fff; resize: vertical; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
`,
}
