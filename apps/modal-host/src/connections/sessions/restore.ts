import { type Clock, retryDelayMs } from '@postern/base/clock'
import type { Namespace } from '@postern/protocol'
import type { Connector, KeptEvents, Restored } from '../../connectors/connector'
import { keepEvents } from '../../connectors/kept-events'
import type { FindWallet } from './find-wallet'
import type { Attempt, NamespaceSession } from './namespace-session'
import { deleteSession, isRemote, type WalletIdentity } from './session-record'
import type { SessionStore } from './stored'

export type Restoring = {
  /** Asks the wallet without a prompt, until the outcome is known. */
  begin(namespace: Namespace, wallet: WalletIdentity, running: Attempt, cause: 'wallet' | 'sync'): void
  /** Asks again now, if the wallet could not be asked. Returns whether it does. */
  askAgain(namespace: Namespace): boolean
  /** See `Sessions.restored`. */
  untilAsked(namespace: Namespace): Promise<void>
  stableId(namespace: Namespace): string | null
}

type Options = {
  readonly store: SessionStore
  readonly clock: Clock
  readonly find: FindWallet
  readonly sessionOf: (namespace: Namespace) => NamespaceSession
  readonly onStored: () => void
}

type LookUp =
  | (Extract<Restored, { kind: 'granted' }> & { readonly connector: Connector; readonly events: KeptEvents | null })
  | { readonly kind: 'missing' | 'ended' | 'unknown' }

/** Restores stored sessions: rules 2, 4 and 6 of `createSessions`. */
export function createRestoring({ store, clock, find, sessionOf, onStored }: Options): Restoring {
  const begun = new Map<Namespace, { readonly stableId: string; readonly done: Promise<void> }>()
  const pauses = new Map<Namespace, { readonly end: () => void }>()

  /** @param failures how often in a row the wallet could not be asked */
  function ask(
    namespace: Namespace,
    wallet: WalletIdentity,
    running: Attempt,
    cause: 'wallet' | 'sync',
    failures: number,
  ): void {
    const { attempt, signal } = running
    const session = sessionOf(namespace)
    begun.set(namespace, { stableId: wallet.stableId, done: askOnce() })

    async function askOnce(): Promise<void> {
      const found = await lookUp(namespace, wallet, signal)
      if (session.state.attempt !== attempt || signal.aborted) {
        if (found.kind === 'granted') found.events?.drop()
        return
      }
      switch (found.kind) {
        case 'granted':
          return session.succeed(found.connector, attempt, found.session, cause, found.events)
        case 'missing':
          return session.dispatch({ type: 'fail', attempt }, 'sync')
        case 'ended':
          session.dispatch({ type: 'fail', attempt }, cause)
          if (isRemote(wallet) && deleteSession(store, namespace, wallet.stableId)) onStored()
          return
        case 'unknown':
          session.dispatch({ type: 'unanswered', attempt }, 'sync')
          return pause(namespace, signal, retryDelayMs(failures + 1), () =>
            ask(namespace, wallet, running, cause, failures + 1),
          )
      }
    }
  }

  async function lookUp(namespace: Namespace, wallet: WalletIdentity, signal: AbortSignal): Promise<LookUp> {
    try {
      const connector = await find(wallet, namespace, signal)
      return connector === undefined ? { kind: 'missing' } : await askConnector(connector, signal)
    } catch {
      return { kind: 'unknown' }
    }
  }

  async function askConnector(connector: Connector, signal: AbortSignal): Promise<LookUp> {
    // A connector of the page itself knows which of its events are newer than the answer.
    const events = isRemote(connector) ? keepEvents(connector) : null
    const drop = () => events?.drop()
    signal.addEventListener('abort', drop, { once: true })
    const restored = await connector.reconnect(signal)
    signal.removeEventListener('abort', drop)
    if (restored.kind === 'granted') return { ...restored, connector, events }
    drop()
    return restored
  }

  /** Calls `then` once: after the delay, or when the pause is ended. */
  function pause(namespace: Namespace, signal: AbortSignal, delayMs: number, then: () => void): void {
    const entry = {
      end() {
        leave()
        then()
      },
    }
    const leave = () => {
      stopTimer()
      signal.removeEventListener('abort', leave)
      if (pauses.get(namespace) === entry) pauses.delete(namespace)
    }
    const stopTimer = clock.after(delayMs, entry.end)
    signal.addEventListener('abort', leave, { once: true })
    pauses.set(namespace, entry)
  }

  function askAgain(namespace: Namespace): boolean {
    const entry = pauses.get(namespace)
    entry?.end()
    return entry !== undefined
  }

  return {
    begin: (namespace, wallet, running, cause) => ask(namespace, wallet, running, cause, 0),
    askAgain,
    async untilAsked(namespace) {
      askAgain(namespace)
      await begun.get(namespace)?.done
    },
    stableId: (namespace) => begun.get(namespace)?.stableId ?? null,
  }
}
