import type { HostState, Init, Namespace } from '@postern/protocol'
import { Failure } from '@postern/protocol/failure'
import type { Handlers, PageLink } from './page-link'
import type {
  ConnectRequest,
  ConnectScript,
  ModalScript,
  ScriptedAccount,
  ScriptedModal,
  ScriptedRequest,
} from './script'
import { type Connected, createHostState, themeModeOf } from './state'
import { answerRequest, signIn } from './wallet'

type Waiting = { readonly resolve: (account: ScriptedAccount) => void; readonly reject: (failure: Failure) => void }

export type HostOptions = {
  readonly script: ModalScript
  readonly emit: (state: HostState) => void
  /** Shows a warning to the test's author. */
  readonly warn: (text: string) => void
}

/**
 * The scripted modal: answers the page's requests and acts as the user.
 *
 * 1. Opening the modal without a connection runs the script's `connect`, like `postern.connect`. The modal closes once
 *    the user has connected or left.
 * 2. A waiting `connect` settles by `connect` or `leave` of the test, Escape, `postern.close`, or the dapp's abort.
 * 3. With a sign-in plugin, a connected EVM account without a session signs in. If the user declines a required
 *    sign-in, the account is disconnected.
 */
export function createScriptedHost({ script: first, emit, warn }: HostOptions) {
  const state = createHostState(emit)
  const requests: ScriptedRequest[] = []
  const waiting = new Set<Waiting>()
  let script = first
  let init: Init | undefined

  async function runConnect(request: ConnectRequest, ask: PageLink['ask'], signal?: AbortSignal): Promise<Connected> {
    state.set({ open: true })
    try {
      const account = await untilLeft(accountOf(script.connect ?? 'wait', request), signal)
      const connection = state.connectionOf(account)
      const { namespace = 'eip155' } = account
      state.connect(namespace, connection)
      if (init?.signIn !== undefined) void runSignIn(namespace, connection, ask)
      return connection
    } finally {
      state.set({ open: false })
    }
  }

  /** Rule 2. */
  function untilLeft(account: Promise<ScriptedAccount>, signal?: AbortSignal): Promise<ScriptedAccount> {
    return new Promise((resolve, reject) => {
      const onAbort = () => settle(() => reject(new Failure('ABORTED')))
      const settle = (action: () => void) => {
        waiting.delete(waiter)
        signal?.removeEventListener('abort', onAbort)
        action()
      }
      const waiter: Waiting = {
        resolve: (chosen) => settle(() => resolve(chosen)),
        reject: (failure) => settle(() => reject(failure)),
      }
      waiting.add(waiter)
      signal?.addEventListener('abort', onAbort)
      account.then(waiter.resolve, (error: unknown) => settle(() => reject(error)))
    })
  }

  async function runSignIn(namespace: Namespace, connection: Connected, ask: PageLink['ask']): Promise<void> {
    const isSignedIn = await signIn({
      connection,
      ask,
      script: () => script,
      record: (request) => requests.push(request),
    }).catch((error: unknown) => {
      warn(`The scripted modal could not sign in: ${textOf(error)}`)
      return false
    })
    if (!isSignedIn && state.get().connections[namespace] === connection) state.disconnect(namespace)
  }

  function leave(): void {
    for (const { reject } of [...waiting]) reject(new Failure('USER_REJECTED'))
    if (state.get().open) state.set({ open: false })
  }

  const controls: Omit<ScriptedModal, 'restore'> = {
    requests,
    change(change) {
      script = { ...script, ...change }
    },
    connect(account) {
      const [oldest] = waiting
      if (oldest !== undefined) oldest.resolve(account)
      else state.connect(account.namespace ?? 'eip155', state.connectionOf(account))
    },
    leave,
    disconnect: state.disconnect,
    switchNetwork: state.switchNetwork,
  }

  const handlersFor = (ask: PageLink['ask']): Handlers => ({
    init(options) {
      init = options
      return state.start(options)
    },
    open({ view = 'Connect', namespace }) {
      if (view !== 'Connect' || state.isConnected(namespace)) state.set({ open: true })
      else
        void runConnect({ namespace }, ask).catch((error: unknown) => {
          const isLeft = error instanceof Failure && error.code === 'USER_REJECTED'
          if (!isLeft) warn(`The script’s connect failed: ${textOf(error)}`)
        })
      return null
    },
    close() {
      leave()
      return null
    },
    connect: (request, signal) => runConnect(request, ask, signal),
    async pay(request) {
      if (script.pay !== undefined) return await script.pay(request)
      throw new Failure('UNSUPPORTED_METHOD', { message: 'The scripted modal has no `pay`: add it to the script.' })
    },
    disconnect({ namespace }) {
      state.disconnect(namespace)
      return null
    },
    switchNetwork({ network }) {
      state.switchNetwork(network)
      return null
    },
    setTheme({ theme, colorScheme }) {
      state.set({ themeMode: themeModeOf(theme, colorScheme) })
      return null
    },
    setOptions: () => null,
    rpc({ namespace, networkId, method, params }) {
      const request: ScriptedRequest = { namespace, networkId, method, params }
      requests.push(request)
      return answerRequest(script, request)
    },
    async getIdentityToken(asked) {
      const { identityToken } = script
      if (identityToken === undefined) throw new Failure('UNAUTHORIZED')
      return typeof identityToken === 'string' ? identityToken : await identityToken({ user: asked !== null })
    },
    getWallets: () => [...(script.wallets ?? [])],
    getProfile: ({ address }) => script.profiles?.[address] ?? {},
    peerChanged: () => null,
    ping: () => null,
    diagnose: () => [],
  })

  return { controls, handlersFor }
}

async function accountOf(chosen: ConnectScript, request: ConnectRequest): Promise<ScriptedAccount> {
  if (chosen === 'decline') throw new Failure('USER_REJECTED')
  if (chosen === 'wait') return new Promise(() => {})
  const account = typeof chosen === 'function' ? await chosen(request) : chosen
  const { namespace = 'eip155' } = account
  if (request.namespace === undefined || request.namespace === namespace) return account
  throw new Failure('INVALID_PARAMS', {
    message: `The dapp connects ${request.namespace}, but the script has an account of ${namespace}.`,
  })
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
