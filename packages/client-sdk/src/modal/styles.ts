/** Constructable style sheets in shadow roots need no `unsafe-inline`. */
import type { Theme } from '../types/index'

/** Tokens, and the card: `b` of the outline, `div` of the alert. */
export const tokens =
  '*{box-sizing:border-box}[data-theme]{--s1:#fff;--s2:#f5f6f5;--s3:#ebedec;--line:#10181417;--back:#0a0e0c70}[data-theme=dark]{--s1:#141816;--s2:#222926;--s3:#2e3632;--line:#ffffff17;--back:#0009}b,div{border-radius:calc(28px*var(--pt-r,1));background:var(--s1);box-shadow:0 0 0 1px var(--line),0 24px 56px -16px #0000004d}'

/**
 * The closed dialog is invisible but laid out, so that opening takes one paint. Nothing in it can be focused, clicked
 * or read out.
 * The page's styles cannot hide the host element, and a grid root makes no room for it. With `display: contents`,
 * Chromium sometimes gave the pointer to no frame after the dialog had moved.
 * The page is only dimmed, and rows animate only in a long wait: a blurred backdrop made the first opening 80 ms slower
 * on two cores.
 */
export const dialogStyles = `${tokens}
:host{display:block!important;position:fixed!important}
dialog{display:block;position:fixed;inset:0;width:100%;height:100%;max-width:none;max-height:none;margin:0;padding:0;border:0;background:none;overflow:hidden;outline:0;visibility:hidden;pointer-events:none}
dialog[open]{visibility:visible;pointer-events:auto}
dialog::backdrop{background:none}
iframe{position:absolute;inset:0;width:100%;height:100%;border:0}
p{position:absolute;inset:0;margin:0;display:grid;place-items:center;background:var(--back);opacity:0;visibility:hidden;transition:80ms}
p.on{opacity:1;visibility:visible;transition:none;z-index:1}
b{display:block;width:360px;height:380px;padding:60px 16px 16px}
i{display:block;height:56px;margin-bottom:8px;border-radius:calc(16px*var(--pt-r,1));background:var(--s2);animation:breathe 1.2s ease-in-out .4s infinite alternate}
@keyframes breathe{to{background:var(--s3)}}
@media(max-width:429px){p{place-items:end stretch}b{width:auto;border-radius:calc(28px*var(--pt-r,1)) calc(28px*var(--pt-r,1)) 0 0}}
@media(prefers-reduced-motion:reduce){i{animation:none}p{transition:none}}
`

/** Keeps the scroll bar's space: the page must not move. */
export const scrollLock = (gutter: 'stable' | 'auto') =>
  `html{overflow:hidden!important}:where(html){scrollbar-gutter:${gutter}}`

export function createSheet(css: string): CSSStyleSheet {
  const sheet = new CSSStyleSheet()
  // jsdom has no constructed style sheets.
  if ('replaceSync' in sheet) sheet.replaceSync(css)
  return sheet
}

/** Isolates styles both ways. */
export function createRoot(document: Document, name: string, css: string): { host: HTMLElement; root: ShadowRoot } {
  const host = document.createElement(name)
  const root = host.attachShadow({ mode: 'open' })
  root.adoptedStyleSheets = [createSheet(css)]
  return { host, root }
}

/** A strict policy blocks the style attribute. The prefix avoids the page's variables. */
export function applyTheme(element: HTMLElement, mode: 'light' | 'dark', { accent, radius, font }: Theme): void {
  element.dataset.theme = mode
  for (const [name, value] of Object.entries({ accent, r: radius, font }))
    element.style.setProperty(`--pt-${name}`, value === undefined ? null : String(value))
}

/** Returns a function that restores the focus. */
export function rememberFocus(document: Document): () => void {
  let active = document.activeElement
  while (active?.shadowRoot?.activeElement) active = active.shadowRoot.activeElement
  return () => {
    if (active instanceof HTMLElement && active.isConnected) active.focus({ preventScroll: true })
  }
}
