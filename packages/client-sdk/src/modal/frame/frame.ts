import type { Theme } from '../../types/index'
import { applyTheme, createRoot, createSheet, dialogStyles, rememberFocus, scrollLock } from '../styles'

export type FrameOptions = {
  readonly document: Document
  readonly src: string
  readonly onDismiss: () => void
  /** Also fires for the browser's error page. */
  readonly onLoad: () => void
  /** Rule 4. */
  readonly onRemoved: () => void
}

export type Frame = {
  readonly contentWindow: Window | null
  show(outlined: boolean): void
  hide(): void
  setTheme(mode: 'light' | 'dark', theme: Theme): void
  /** Adds no history entry. */
  reload(): void
  destroy(): void
}

const maxReinsertions = 5
/** A press this soon may be part of the one that opened the dialog. */
const pressGraceMs = 500

const sandbox =
  'allow-scripts allow-same-origin allow-forms allow-popups allow-popups-to-escape-sandbox allow-storage-access-by-user-activation'

/**
 * The iframe in its `<dialog>`.
 *
 * 1. The iframe never moves in the document, which would reload it. Shown or hidden, it stays laid out.
 * 2. While open, the dialog is in the top layer; the page behind is inert and does not scroll or move. Focus moves in,
 *    and returns to where it was.
 * 3. Escape, a press beside the outline and other ways to leave call `onDismiss`. The dialog stays open until `hide`.
 * 4. The page's `inert` and `aria-hidden` on the element are removed. An element that the page removes or moves is put
 *    back, up to {@link maxReinsertions} times. After that, or if the page replaces the document, `onRemoved` is
 *    called.
 * 5. `destroy` leaves no element, style sheet, listener or observer.
 */
export function createFrame({ document, src, onDismiss, onLoad, onRemoved }: FrameOptions): Frame {
  const { host, root } = createRoot(document, 'postern-frame', dialogStyles)
  const dialog = document.createElement('dialog')
  const outline = document.createElement('p')
  const card = document.createElement('b')
  let restoreFocus: (() => void) | undefined
  let lock: CSSStyleSheet
  let isOutlined = false
  let openedAt = 0
  let appliedTheme: readonly [mode: 'light' | 'dark', theme: Theme] | undefined
  let reinsertions = 0
  let iframe = createIframe()
  const { documentElement } = document

  dialog.tabIndex = -1
  dialog.ariaLabel = iframe.title
  outline.role = 'status'
  outline.ariaLabel = 'Loading'
  for (let row = 0; row < 4; row++) card.append(document.createElement('i'))
  outline.append(card)
  dialog.append(outline, iframe)
  root.append(dialog)

  const onLeave = (event: Event) => {
    event.preventDefault()
    onDismiss()
  }
  dialog.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') onLeave(event)
  })
  dialog.addEventListener('cancel', onLeave)
  outline.onclick = (event) => {
    if (event.target === outline && event.timeStamp > openedAt + pressGraceMs) onLeave(event)
  }
  // A second close request closes a dialog although `cancel` was prevented, but here the host decides.
  // The event is late: the dialog may be open again.
  dialog.addEventListener('close', () => {
    if (restoreFocus === undefined || dialog.open) return
    reopen()
    onDismiss()
  })

  const observer = new MutationObserver(() => {
    for (const element of [host, dialog]) for (const name of hidingAttributes) element.removeAttribute(name)
    const isReplaced = document.documentElement !== documentElement
    if (document.documentElement === null || (!isReplaced && host.parentNode === documentElement)) return
    if (isReplaced || reinsertions++ >= maxReinsertions) {
      observer.disconnect()
      return onRemoved()
    }
    documentElement.append(host)
    if (restoreFocus !== undefined) reopen()
  })
  documentElement.append(host)
  for (const node of [document, documentElement]) observer.observe(node, { childList: true })
  for (const element of [host, dialog]) observer.observe(element, { attributeFilter: hidingAttributes })

  function createIframe(): HTMLIFrameElement {
    const element = document.createElement('iframe')
    element.title = 'Connect wallet'
    // Without an origin, a feature applies only to the frame's own.
    element.allow = `camera;clipboard-write${'share' in navigator ? ';web-share' : ''}`
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

  /** While the outline shows, the dialog has the focus: a loading frame would swallow Escape. */
  function focusIn(): void {
    const target = isOutlined ? dialog : iframe
    if (root.activeElement !== target) target.focus({ preventScroll: true })
  }

  return {
    get contentWindow() {
      return iframe.contentWindow
    },
    show(outlined) {
      const closed = restoreFocus === undefined
      if (!closed && outlined === isOutlined) return
      isOutlined = outline.classList.toggle('on', outlined)
      if (closed) {
        restoreFocus = rememberFocus(document)
        lock = createSheet(scrollLock(innerWidth > documentElement.clientWidth ? 'stable' : 'auto'))
        document.adoptedStyleSheets = [...document.adoptedStyleSheets, lock]
        openedAt = performance.now()
        // Games may hold the pointer.
        document.exitPointerLock?.()
        // Otherwise `showModal` focuses the frame.
        dialog.autofocus = outlined
        dialog.showModal()
      }
      focusIn()
    },
    hide() {
      if (restoreFocus === undefined) return
      const focus = restoreFocus
      restoreFocus = undefined
      outline.classList.remove('on')
      dialog.close()
      document.adoptedStyleSheets = document.adoptedStyleSheets.filter((sheet) => sheet !== lock)
      focus()
    },
    setTheme(mode, theme) {
      if (appliedTheme?.[0] === mode && appliedTheme[1] === theme) return
      appliedTheme = [mode, theme]
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

const hidingAttributes = ['inert', 'aria-hidden']
