import type { Clock } from '@postern/base/clock'
import { runMachine } from '@postern/base/run-machine'
import type { ConfiguredNetworks } from '@postern/chains/networks'
import { type Connection, type Namespace, namespaces } from '@postern/protocol'
import { Failure } from '@postern/protocol/failure'
import type { Sessions } from '../connections/sessions/sessions'
import type { HostLink } from '../page-link/host-link'
import type { createRequestRouter } from '../requests/request-router'
import type { SignInEvent, SignInPrompt } from '../snapshot/contract'
import type { Modal } from '../snapshot/modal'
import { activeNamespaceOf } from '../snapshot/opening'
import type { SnapshotStore } from '../snapshot/store'
import { whenOpen } from '../snapshot/when-open'
import type { Account } from './account'
import { askPage } from './ask-page'
import { createCoveringView } from './covering-view'
import {
  noPrompts,
  reduceSignInPrompts,
  type SignInPromptsCommand,
  type SignInPromptsEvent,
  type SignInPromptsState,
} from './machine'
import { signMessage } from './sign-message'
import { signOut } from './sign-out'

export type SignInPrompts = {
  look(namespace: Namespace, connection: Connection): void
  lookAgain(): void
  sign(): void
  cancel(): Promise<void>
  end(): void
}

export type SignInPromptOptions = {
  readonly store: SnapshotStore
  readonly clock: Clock
  readonly link: Pick<HostLink, 'ask'>
  readonly modal: Modal
  readonly sessions: Pick<Sessions, 'connection'>
  readonly rpc: ReturnType<typeof createRequestRouter>
  /** `ConnectingSiwe`: view of the older configuration, EVM only. */
  readonly view: SignInPrompt['view']
  /** As the browser reports it. */
  readonly origin: string
  readonly disconnect: (namespace: Namespace) => Promise<void>
  readonly networks: Pick<ConfiguredNetworks, 'list'>
  readonly onEvent: (event: SignInEvent) => void
}

/** A browser timer's max delay (32-bit), and the min time between checks. */
const maxTimerDelayMs = 2 ** 31 - 1
const minCheckDelayMs = 1_000

/** Runs `machine.ts` (spec §4) with the page, the wallet and the modal. */
export function createSignInPrompts(options: SignInPromptOptions): SignInPrompts {
  const { store, clock, modal, view, origin } = options
  const request = askPage(options.link)
  const domain = new URL(origin).host
  const covering = createCoveringView(store, modal, view)
  const tasks = new Map<Namespace, () => void>()
  const signOuts = new Map<Namespace, Promise<unknown>>()
  let leaving: Promise<void> = Promise.resolve()

  const { dispatch } = runMachine<SignInPromptsState, SignInPromptsEvent, SignInPromptsCommand>({
    initial: noPrompts,
    reduce: (state, event) => reduceSignInPrompts(state, event, activeNamespaceOf(store.getState())),
    // A command may show the prompt's view.
    carryOut({ before, state: { prompt }, commands }) {
      if (prompt !== before.prompt) store.setState({ signInPrompt: prompt && { view, domain, ...prompt } })
      for (const command of commands) execute(command)
    },
  })
  const stopListening = modal.onClose(() => dispatch({ type: 'close' }))

  function execute(command: SignInPromptsCommand): void {
    switch (command.type) {
      case 'check':
        void check(command.account)
        break
      case 'sign':
        void sign(command.account)
        break
      case 'leave':
        leaving = leave(command.namespace, command.reason)
        break
      case 'checkAt': {
        const delayMs = Math.min(Math.max(command.expiresAt - clock.now(), minCheckDelayMs), maxTimerDelayMs)
        checkAfter(command.namespace, delayMs)
        break
      }
      case 'checkAfter':
        checkAfter(command.namespace, command.delayMs)
        break
      case 'stop':
        stop(command.namespace)
        break
      case 'signOut':
        signOuts.set(command.namespace, signOut(command, options.networks.list, request))
        break
      case 'show':
      case 'showError':
      case 'goBack':
        covering[command.type]()
        break
      case 'goBackIfShown':
        if (covering.isShown()) covering.goBack()
        break
      case 'closeModal':
        modal.close()
        break
      case 'openConnect':
        if (store.getState().open) modal.open('Connect')
        break
      case 'report':
        options.onEvent(command.event)
    }
  }

  function stop(namespace: Namespace): void {
    tasks.get(namespace)?.()
    tasks.delete(namespace)
  }

  /** A late result of an aborted task changes nothing. */
  function start(namespace: Namespace): AbortSignal {
    stop(namespace)
    const controller = new AbortController()
    tasks.set(namespace, () => controller.abort(new Failure('ABORTED')))
    return controller.signal
  }

  function checkAfter(namespace: Namespace, delayMs: number): void {
    stop(namespace)
    tasks.set(
      namespace,
      clock.after(delayMs, () => dispatch({ type: 'checkDue', namespace })),
    )
  }

  async function check(account: Account): Promise<void> {
    const { namespace, chainId, address } = account
    const signal = start(namespace)
    try {
      // Rule 8 of `machine.ts`.
      const ending = signOuts.get(namespace)
      if (ending !== undefined) await ending
      signal.throwIfAborted()
      const state = await request('siwxGetState', { chainId, address }, { signal })
      if (!signal.aborted) dispatch({ type: 'checked', account, state })
    } catch {
      if (!signal.aborted) dispatch({ type: 'checkFailed', account })
    }
  }

  async function sign(account: Account): Promise<void> {
    const signal = start(account.namespace)
    const result = await signMessage(account, {
      request,
      rpc: options.rpc,
      origin,
      connectionOf: options.sessions.connection,
      onProgress: (step) => dispatch({ type: 'progress', account, step }),
      signal,
    })
    if (signal.aborted) return
    if (result.kind === 'signed') dispatch({ type: 'signed', account, expiresAt: result.expiresAt })
    else dispatch({ ...result, type: 'signFailed', account })
  }

  async function leave(namespace: Namespace, reason: 'cancelled' | 'checkFailed'): Promise<void> {
    stop(namespace)
    covering.forgetCovered()
    try {
      await options.disconnect(namespace)
    } catch {
      modal.notifyFailure('DISCONNECT_FAILED')
    }
    dispatch({ type: 'left', namespace })
    if (reason === 'checkFailed') whenOpen(store, () => modal.notifyFailure('SIWX_INIT_FAILED'))
  }

  return {
    look(namespace, connection) {
      if (view !== 'ConnectingSiwe' || namespace === 'eip155') dispatch({ type: 'connection', namespace, connection })
    },
    lookAgain: () => dispatch({ type: 'sessionsChanged' }),
    sign: () => dispatch({ type: 'sign' }),
    async cancel() {
      const before = leaving
      dispatch({ type: 'cancel' })
      // A second cancel does not wait for the first disconnect.
      if (leaving !== before) await leaving
    },
    end() {
      stopListening()
      for (const namespace of namespaces) stop(namespace)
    },
  }
}
