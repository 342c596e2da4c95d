/**
 * The look of what the page itself draws: the dialog's room, and the outline of the card while the frame loads. Colours and sizes are the
 * tokens of VISUAL.md. Constructable sheets in shadow roots: a page with a strict policy needs no `unsafe-inline`.
 */
import type { Theme } from '../types'

/** Custom properties of the two themes, on whatever carries `data-theme`. */
export const tokens =
  '*{box-sizing:border-box}[data-theme]{--s1:#fff;--s2:#f5f6f5;--s3:#ebedec;--line:rgba(16,24,20,.09);--back:rgba(10,14,12,.44)}[data-theme=dark]{--s1:#141816;--s2:#1c211e;--s3:#262c28;--line:rgba(255,255,255,.09);--back:rgba(0,0,0,.6)}'

/**
 * The closed dialog is laid out and invisible instead of `display: none`: the frame in it keeps its final size, so that opening it is one
 * paint, while nothing in it can be focused, clicked or read out.
 *
 * What is drawn while the frame starts takes from the frame: a blurred backdrop alone made a first opening 80 ms longer on two cores, so the
 * page is only dimmed, and the rows begin to breathe when the wait is a long one. The frame blurs once its card is there.
 */
export const dialogStyles = `${tokens}
dialog{display:block;position:fixed;inset:0;width:100%;height:100%;max-width:none;max-height:none;margin:0;padding:0;border:0;background:none;overflow:hidden;outline:0;visibility:hidden;pointer-events:none}
dialog[open]{visibility:visible;pointer-events:auto}
dialog::backdrop{background:none}
iframe{position:absolute;inset:0;width:100%;height:100%;border:0}
p{position:absolute;inset:0;margin:0;display:grid;place-items:center;background:var(--back);opacity:0;visibility:hidden;transition:80ms}
p.on{opacity:1;visibility:visible;transition:none}
b{display:block;width:360px;height:380px;padding:60px 16px 16px;border-radius:calc(28px*var(--r,1));background:var(--s1);box-shadow:0 0 0 1px var(--line),0 24px 56px -16px rgba(0,0,0,.3)}
i{display:block;height:56px;margin-bottom:8px;border-radius:calc(16px*var(--r,1));background:var(--s2);animation:breathe 1.2s ease-in-out .4s infinite alternate}
@keyframes breathe{to{background:var(--s3)}}
@media(max-width:429px){p{place-items:end stretch}b{width:auto;border-radius:calc(28px*var(--r,1)) calc(28px*var(--r,1)) 0 0}}
@media(prefers-reduced-motion:reduce){i{animation:none}p{transition:none}}
`

/** While the dialog is open the page behind it does not scroll, and keeps the room of its scroll bar. */
export const scrollLock = 'html{overflow:hidden!important;scrollbar-gutter:stable!important}'

export function createSheet(css: string): CSSStyleSheet {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(css)
  return sheet
}

/** An element at the end of the document, with a shadow root of its own so that neither side's styles reach the other. */
export function createRoot(document: Document, name: string, css: string): { host: HTMLElement; root: ShadowRoot } {
  const host = document.createElement(name)
  const root = host.attachShadow({ mode: 'open' })
  root.adoptedStyleSheets = [createSheet(css)]
  return { host, root }
}

/** By the style object, which a strict policy allows, and not by an attribute. */
export function applyTheme(element: HTMLElement, mode: 'light' | 'dark', { accent, radius, font }: Theme): void {
  element.dataset.theme = mode
  for (const [name, value] of Object.entries({ accent, r: radius, font }))
    element.style.setProperty(`--${name}`, value === undefined ? null : String(value))
}

/** Remembers what has the focus, inside shadow roots too; returns what gives it back. */
export function rememberFocus(document: Document): () => void {
  let active = document.activeElement
  while (active?.shadowRoot?.activeElement) active = active.shadowRoot.activeElement
  return () => {
    if (active instanceof HTMLElement && active.isConnected) active.focus({ preventScroll: true })
  }
}
