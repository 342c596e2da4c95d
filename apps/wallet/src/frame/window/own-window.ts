import { Failure } from '@postern/protocol/failure'
import type { FramePurpose } from '../../window-messages'
import type { WindowLink } from './window-link'

export type Popup = { readonly closed: boolean; focus(): void }

export type OwnWindow = {
  /** Call it inside the user's click. */
  open(): void
  /**
   * Call it inside the user's click.
   * @throws {Failure} POPUP_BLOCKED, WINDOW_CLOSED if the window ends first
   */
  follow<T>(step: Step<T>, signal: AbortSignal): Promise<T>
  /** `blocked`: the browser blocked the last window. */
  state(): 'closed' | 'open' | 'blocked'
  close(): void
}

/** A window's work for an event of the frame. */
export type Step<T> = { readonly done: Promise<T>; readonly isDone: () => boolean; readonly finish: (value: T) => void }

export function newStep<T>(): Step<T> {
  let isDone = false
  let resolve: (value: T) => void = () => {}
  const done = new Promise<T>((settle) => {
    resolve = settle
  })
  return {
    done,
    isDone: () => isDone,
    finish(value) {
      isDone = true
      resolve(value)
    },
  }
}

/**
 * Opens the wallet's own window from the frame. The modal never sees its ticket. Another press brings the open window
 * to the front. A window is open until it is done, says goodbye, or is replaced. A blocked window leaves no ticket.
 */
export function createOwnWindow({
  purpose,
  windows,
  openPopup,
  onChange,
}: {
  readonly purpose: FramePurpose
  /** A function: the link may not exist yet. */
  readonly windows: () => Pick<WindowLink, 'uri' | 'finished' | 'close'>
  readonly openPopup: (url: string) => Popup | null
  readonly onChange: () => void
}): OwnWindow {
  let popup: Popup | null = null
  let state: ReturnType<OwnWindow['state']> = 'closed'

  function become(next: typeof state): void {
    state = next
    onChange()
  }

  function open(): void {
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
  }

  return {
    state: () => state,
    open,
    // No `await` before `open`: the browser allows it only inside the press.
    async follow(step, signal) {
      if (step.isDone()) return step.done
      open()
      if (state === 'blocked') throw new Failure('POPUP_BLOCKED')
      return Promise.race([
        step.done,
        windows()
          .finished(purpose, signal)
          .then(() => step.done),
      ])
    },
    close: () => windows().close(purpose),
  }
}
