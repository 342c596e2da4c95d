import type { WindowLink } from './window-link'

/** What the frame needs of the window that it opened. */
export type Popup = { readonly closed: boolean; focus(): void }

export type ApprovalWindow = {
  /** Call it inside the user's click. */
  open(): void
  /** `blocked`: by the browser, on the last press. */
  state(): 'closed' | 'open' | 'blocked'
  /** Ends the link of an open window: it can approve nothing more. */
  close(): void
}

/**
 * Opens the wallet's own window for approvals. The frame opens it itself: the modal never sees its ticket.
 *
 * 1. One window at a time: another press brings the open one to the front.
 * 2. It counts as open until it is done, says goodbye, or is replaced.
 * 3. A blocked window leaves no ticket.
 */
export function createApprovalWindow({
  windows,
  openPopup,
  onChange,
}: {
  readonly windows: Pick<WindowLink, 'uri' | 'finished' | 'close'>
  /** Null if the browser blocks it. */
  readonly openPopup: (url: string) => Popup | null
  readonly onChange: () => void
}): ApprovalWindow {
  let popup: Popup | null = null
  let state: ReturnType<ApprovalWindow['state']> = 'closed'

  function become(next: typeof state): void {
    state = next
    onChange()
  }

  return {
    state: () => state,
    open() {
      if (popup !== null && !popup.closed && state === 'open') {
        popup.focus()
        return
      }
      const opened = openPopup(windows.uri('approve'))
      popup = opened
      if (opened === null) {
        windows.close('approve')
        become('blocked')
        return
      }
      become('open')
      const ended = () => {
        if (popup === opened) become('closed')
      }
      windows.finished('approve', new AbortController().signal).then(ended, ended)
    },
    close: () => windows.close('approve'),
  }
}
