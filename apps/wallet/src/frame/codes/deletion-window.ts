import { followAbort } from '@postern/base/abort'
import { Failure } from '@postern/protocol/failure'
import type { Gateway } from '../../account/gateway'
import type { Session } from '../../account/session'
import type { RequestContext } from '../../contract'
import type { Ladder } from '../../storage/ladder'
import type { Wallet } from '../../wallet'
import { newStep, type OwnWindow, type Step } from '../window/own-window'
import type { WindowDeletion } from '../window/window-service'
import type { CodeScreen } from './code-screen'

export type DeletionWindow = {
  /** DELETE_ACCOUNT. @throws {Failure} UNAUTHORIZED, USER_REJECTED, ABORTED */
  ask(context: RequestContext): Promise<void>
  sessionEnded(): void
  readonly service: WindowDeletion
}

type Running = {
  readonly userId: string
  readonly abort: AbortController
  readonly deletion: Step<void>
  isDeleting: boolean
  isSessionOver: boolean
}

/**
 * Deletes the account in the wallet's own window. The frame takes no code for it.
 *
 * 1. A press on the card opens the window, which says what is lost and takes the code.
 * 2. The window deletes only the account of the user who was signed in at the event.
 * 3. If the window is blocked or closed early, the card stays.
 * 4. The window ends with the event, a later event, or the session. During the gateway's call, it ends only after the
 *    response, unless the account is deleted.
 * 5. A requested deletion is carried out, even if the event ends or this device's storage fails. The modal is then told
 *    that the session has ended.
 */
export function createDeletionWindow({
  gateway,
  ladder,
  session,
  wallet,
  codes,
  window,
}: {
  readonly gateway: Pick<Gateway, 'call'>
  readonly ladder: Pick<Ladder, 'current'>
  readonly session: Pick<Session, 'current' | 'forget'>
  readonly wallet: Pick<Wallet, 'signDeletion'>
  readonly codes: Pick<CodeScreen, 'ask'>
  readonly window: OwnWindow
}): DeletionWindow {
  let running: Running | null = null

  /** Rules 4 and 5. */
  function end(mine: Running): void {
    if (running !== mine) return
    running = null
    if (!mine.isDeleting) window.close()
  }

  /** Ignores failures: what is left on this device opens nothing. */
  async function forget(userId: string, notify: boolean): Promise<void> {
    const { store } = await ladder.current()
    await Promise.allSettled([store.dropShare(userId), store.previous.dropShare(userId)])
    if ((await session.current())?.user.id === userId) await session.forget({ notify })
  }

  return {
    async ask(context) {
      const userId = (await session.current())?.user.id
      if (userId === undefined) throw new Failure('UNAUTHORIZED')
      if (running !== null) end(running)
      const mine: Running = {
        userId,
        abort: new AbortController(),
        deletion: newStep(),
        isDeleting: false,
        isSessionOver: false,
      }
      running = mine
      const signal = followAbort(mine.abort, context.signal)
      try {
        await codes.ask({ kind: 'deleteAccount' }, { ...context, signal }, () => window.follow(mine.deletion, signal))
      } finally {
        end(mine)
      }
    },
    sessionEnded() {
      if (running === null) return
      running.isSessionOver = true
      if (!running.isDeleting) running.abort.abort()
    },
    service: {
      async delete(otp) {
        const by = await session.current()
        const mine = running
        // Rule 2.
        if (by === null || by.user.id !== mine?.userId) throw new Failure('UNAUTHORIZED')
        if (mine.isDeleting) throw new Failure('INVALID_REQUEST')
        mine.isDeleting = true
        try {
          // Other devices do not believe the gateway alone.
          const end = await wallet.signDeletion(mine.userId)
          const body = { ...(otp !== undefined && { otp }), ...(end !== undefined && { end }) }
          await gateway.call('deleteAccount', body, { session: by })
        } catch (thrown) {
          mine.isDeleting = false
          // Rule 4.
          if (running !== mine) window.close()
          else if (mine.isSessionOver) mine.abort.abort()
          throw thrown
        }
        await forget(mine.userId, running !== mine).catch(() => {})
        mine.deletion.finish(undefined)
      },
    },
  }
}
