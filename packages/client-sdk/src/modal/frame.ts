import type { Theme } from '../types'
import { applyTheme, createRoot, createSheet, dialogStyles, rememberFocus, scrollLock } from './styles'

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
  const lock = createSheet(scrollLock)
  const dialog = document.createElement('dialog')
  const wait = document.createElement('p')
  const card = document.createElement('b')
  let giveFocusBack: (() => void) | undefined
  let waits = false
  let drawn: readonly [mode: 'light' | 'dark', theme: Theme] | undefined
  let returns = 0
  let iframe = createIframe()

  dialog.tabIndex = -1
  dialog.ariaLabel = iframe.title
  wait.role = 'status'
  wait.ariaLabel = 'Loading'
  for (let row = 0; row < 4; row++) card.append(document.createElement('i'))
  wait.append(card)
  dialog.append(wait, iframe)
  root.append(dialog)

  const onLeave = (event: Event) => {
    event.preventDefault()
    onDismiss()
  }
  dialog.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') onLeave(event)
  })
  dialog.addEventListener('cancel', onLeave)
  // A second close request without interaction closes a dialog whatever `cancel` says; whether it stays is for the host to decide.
  // The event comes late, so it may tell of a dialog that has been opened again.
  dialog.addEventListener('close', () => {
    if (giveFocusBack === undefined || dialog.open) return
    reopen()
    onDismiss()
  })
  wait.addEventListener('click', (event) => {
    if (event.target === wait) onDismiss()
  })

  const observer = new MutationObserver(() => {
    for (const element of [host, dialog]) for (const name of hiding) element.removeAttribute(name)
    if (host.isConnected || returns++ >= mostReturns) return
    document.documentElement.append(host)
    if (giveFocusBack !== undefined) reopen()
  })
  document.documentElement.append(host)
  observer.observe(document.documentElement, { childList: true })
  for (const element of [host, dialog]) observer.observe(element, { attributeFilter: hiding })

  function createIframe(): HTMLIFrameElement {
    const element = document.createElement('iframe')
    element.title = 'Connect wallet'
    // Of the frame's own origin alone: that is what a feature without an origin means here.
    element.allow = 'camera;clipboard-write;web-share'
    element.setAttribute('sandbox', sandbox)
    element.referrerPolicy = 'origin'
    element.onload = onLoad
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
    const target = waits ? dialog : iframe
    if (root.activeElement !== target) target.focus({ preventScroll: true })
  }

  return {
    get contentWindow() {
      return iframe.contentWindow
    },
    show(waiting) {
      const closed = giveFocusBack === undefined
      if (!closed && waiting === waits) return
      waits = wait.classList.toggle('on', waiting)
      if (closed) {
        giveFocusBack = rememberFocus(document)
        document.adoptedStyleSheets = [...document.adoptedStyleSheets, lock]
        // Else the browser looks for something to focus, and finds the frame, before it is told better.
        dialog.autofocus = waiting
        dialog.showModal()
      }
      focusIn()
    },
    hide() {
      if (giveFocusBack === undefined) return
      const focus = giveFocusBack
      giveFocusBack = undefined
      wait.classList.remove('on')
      dialog.close()
      document.adoptedStyleSheets = document.adoptedStyleSheets.filter((sheet) => sheet !== lock)
      focus()
    },
    setTheme(mode, theme) {
      if (drawn?.[0] === mode && drawn[1] === theme) return
      drawn = [mode, theme]
      applyTheme(dialog, mode, theme)
      dialog.style.colorScheme = mode
    },
    reload() {
      const fresh = createIframe()
      iframe.onload = null
      iframe.replaceWith(fresh)
      iframe = fresh
    },
    destroy() {
      observer.disconnect()
      this.hide()
      iframe.onload = null
      host.remove()
    },
  }
}

const hiding = ['inert', 'aria-hidden']
