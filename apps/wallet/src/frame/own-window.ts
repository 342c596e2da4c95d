import type { FramePurpose } from '../window-messages'
import type { WindowLink } from './window-link'

/** What the frame needs of the window that it opened. */
export type Popup = { readonly closed: boolean; focus(): void }

export type OwnWindow = {
  /** Call it inside the user's click. */
  open(): void
  /** @throws {Failure} WINDOW_CLOSED */
  finished(signal: AbortSignal): Promise<void>
  /** `blocked`: by the browser, on the last press. */
  state(): 'closed' | 'open' | 'blocked'
  /** Ends the link of an open window: it can do nothing more. */
  close(): void
}

/**
 * Opens the wallet's own window from the frame, for a purpose whose ticket the modal never sees.
 *
 * 1. One window at a time: another press brings the open one to the front.
 * 2. It counts as open until it is done, says goodbye, or is replaced.
 * 3. A blocked window leaves no ticket.
 */
export function createOwnWindow({
  purpose,
  windows,
  openPopup,
  onChange,
}: {
  readonly purpose: FramePurpose
  /** Called when the window is opened or closed: the link may be made later. */
  readonly windows: () => Pick<WindowLink, 'uri' | 'finished' | 'close'>
  /** Null if the browser blocks it. */
  readonly openPopup: (url: string) => Popup | null
  readonly onChange: () => void
}): OwnWindow {
  let popup: Popup | null = null
  let state: ReturnType<OwnWindow['state']> = 'closed'

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
      const opened = openPopup(windows().uri(purpose))
      popup = opened
      if (opened === null) {
        windows().close(purpose)
        become('blocked')
        return
      }
      become('open')
      const ended = () => {
        if (popup === opened) become('closed')
      }
      windows().finished(purpose, new AbortController().signal).then(ended, ended)
    },
    finished: (signal) => windows().finished(purpose, signal),
    close: () => windows().close(purpose),
  }
}
