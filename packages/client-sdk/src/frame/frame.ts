import type { Theme } from '../types'
import { applyTheme, createRoot, createSheet, deepActive, dialogStyles, scrollLock } from './styles'

export type FrameOptions = {
  readonly document: Document
  /** Address of the modal host's page. */
  readonly src: string
  /** The visitor asked to leave. */
  readonly onDismiss: () => void
  /** The frame's navigation ended, in a page or in the browser's own error page: from here the two look alike. */
  readonly onLoad: () => void
}

export type Frame = {
  readonly contentWindow: Window | null
  /** `waiting` draws the outline of the card while there is nothing behind it yet. */
  show(waiting: boolean): void
  hide(): void
  setTheme(mode: 'light' | 'dark', theme: Theme): void
  /** Replaces the frame by a fresh one, which adds nothing to the page's history. */
  reload(): void
  destroy(): void
}

/** How often the element is put back after something in the page took it out; then the page has its way. */
const mostReturns = 5

const permissions = 'clipboard-write'
const sandbox =
  'allow-scripts allow-same-origin allow-forms allow-popups allow-popups-to-escape-sandbox allow-storage-access-by-user-activation'

/**
 * The iframe in its `<dialog>`.
 *
 * 1. It is never moved in the document, which would reload it; shown and hidden it stays laid out.
 * 2. Open, it is in the top layer and the page behind is inert and does not scroll. Focus goes in, and returns to where it was.
 * 3. Escape and every other way to leave is a `onDismiss`; the dialog itself stays until `hide`.
 * 4. `inert` and `aria-hidden` put on it from outside are taken off again; taken out of the document, it returns.
 * 5. `destroy` leaves no element, style sheet, listener or observer.
 */
export function createFrame({ document, src, onDismiss, onLoad }: FrameOptions): Frame {
  const { host, root } = createRoot(document, 'postern-frame', dialogStyles)
  const lock = createSheet(document, scrollLock)
  const dialog = document.createElement('dialog')
  const wait = document.createElement('div')
  const card = document.createElement('div')
  let opener: Element | null = null
  let shown = false
  let returns = 0
  let iframe = createIframe()

  dialog.tabIndex = -1
  dialog.setAttribute('aria-label', 'Connect wallet')
  wait.className = 'wait'
  wait.setAttribute('role', 'status')
  wait.setAttribute('aria-label', 'Loading')
  card.className = 'card'
  for (let row = 0; row < 4; row++) card.append(document.createElement('i'))
  wait.append(card)
  dialog.append(wait, iframe)
  root.append(dialog)

  dialog.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape') return
    event.preventDefault()
    onDismiss()
  })
  dialog.addEventListener('cancel', (event) => {
    event.preventDefault()
    onDismiss()
  })
  // A second close request without interaction closes a dialog whatever `cancel` says; whether it stays is for the host to decide.
  dialog.addEventListener('close', () => {
    if (!shown) return
    reopen()
    onDismiss()
  })
  wait.addEventListener('click', (event) => {
    if (event.target === wait) onDismiss()
  })

  const observer = new MutationObserver(() => {
    for (const element of [host, dialog])
      for (const name of ['inert', 'aria-hidden']) if (element.hasAttribute(name)) element.removeAttribute(name)
    if (host.isConnected || returns >= mostReturns) return
    returns++
    document.documentElement.append(host)
    if (shown) reopen()
  })
  document.documentElement.append(host)
  observer.observe(document.documentElement, { childList: true })
  for (const element of [host, dialog]) observer.observe(element, { attributeFilter: ['inert', 'aria-hidden'] })

  function createIframe(): HTMLIFrameElement {
    const element = document.createElement('iframe')
    element.title = 'Connect wallet'
    element.allow = `${permissions} ${new URL(src).origin}`
    element.setAttribute('sandbox', sandbox)
    element.referrerPolicy = 'origin'
    element.addEventListener('load', onLoad)
    element.src = src
    return element
  }

  function reopen(): void {
    dialog.removeAttribute('open')
    dialog.showModal()
    focusIn()
  }

  /** A frame that still loads would swallow Escape, so until then the dialog itself has the focus. */
  function focusIn(): void {
    if (wait.classList.contains('on')) dialog.focus({ preventScroll: true })
    else iframe.focus({ preventScroll: true })
  }

  return {
    get contentWindow() {
      return iframe.contentWindow
    },
    show(waiting) {
      const changed = wait.classList.toggle('on', waiting) !== shown || !shown
      wait.classList.toggle('on', waiting)
      if (!shown) {
        shown = true
        opener = deepActive(document)
        document.adoptedStyleSheets = [...document.adoptedStyleSheets, lock]
        dialog.showModal()
      }
      if (changed) focusIn()
    },
    hide() {
      if (!shown) return
      shown = false
      wait.classList.remove('on')
      dialog.close()
      document.adoptedStyleSheets = document.adoptedStyleSheets.filter((sheet) => sheet !== lock)
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus({ preventScroll: true })
      opener = null
    },
    setTheme(mode, theme) {
      applyTheme(dialog, mode, theme)
      iframe.style.colorScheme = mode
    },
    reload() {
      const fresh = createIframe()
      fresh.style.colorScheme = iframe.style.colorScheme
      iframe.removeEventListener('load', onLoad)
      iframe.replaceWith(fresh)
      iframe = fresh
    },
    destroy() {
      observer.disconnect()
      this.hide()
      iframe.removeEventListener('load', onLoad)
      host.remove()
    },
  }
}
