import { getContext, onMount, setContext } from 'svelte'
import { type Readable, writable } from 'svelte/store'
import { type CallState, idle, trackCall } from './frameworks/call'
import { initialSnapshot } from './frameworks/initial'
import type { Balance, SignInStatus } from './frameworks/reads'
import { type AccountState, accountOf, currencyOf, type NetworkState, networkOf } from './frameworks/selectors'
import { createPostern } from './index'
import type { InitialState } from './server/initial-state'
import { noop } from './shared/noop'
import type {
  ConnectOptions,
  Namespace,
  OpenOptions,
  Postern,
  PosternEvents,
  PosternOptions,
  Snapshot,
} from './types/index'

export type { CallState } from './frameworks/call'
export type { InitialState } from './server/initial-state'

type Provided = {
  readonly postern: Postern
  readonly options: PosternOptions
  readonly initialState: InitialState | undefined
}

const key = Symbol('Postern')

/**
 * Provides the page's instance to child components; call it while your root component is created.
 * `initialState`: result of `initialStateFrom` (`@postern/client/server`). The server then renders the last visit's
 * account; a cookie stores the connected addresses.
 *
 * @example
 * setPostern({ projectId: 'demo', networks: ['ethereum', 'base'] })
 */
export function setPostern(
  options: PosternOptions,
  { initialState }: { readonly initialState?: InitialState | undefined } = {},
): Postern {
  const postern = createPostern(options)
  setContext<Provided>(key, { postern, options, initialState })
  onMount(() => {
    if (initialState === undefined) return
    const keeping = import('./frameworks/cookie').then(({ keepCookie }) => keepCookie(options.projectId, postern))
    return () => void keeping.then((stop) => stop(), noop)
  })
  return postern
}

function provided(): Provided {
  const found = getContext<Provided | undefined>(key)
  if (found === undefined) throw new Error('Call setPostern in a component around this one')
  return found
}

export function getPostern(): Postern {
  return provided().postern
}

/** Updates only if the JSON of the result changes. */
export function posternState<T>(select: (snapshot: Snapshot) => T): Readable<T> {
  const { postern, initialState } = provided()
  let current = select(initialSnapshot(postern, initialState))
  const { subscribe, set } = writable(current)
  onMount(() => {
    const update = () => {
      const next = select(postern.getSnapshot())
      if (JSON.stringify(next) === JSON.stringify(current)) return
      current = next
      set(current)
    }
    update()
    return postern.subscribe(update)
  })
  return { subscribe }
}

/** While the component is mounted. */
export function onPosternEvent<E extends keyof PosternEvents>(
  event: E,
  listener: (data: PosternEvents[E]) => void,
): void {
  const { postern } = provided()
  onMount(() => postern.on(event, listener))
}

/**
 * The user's account in `namespace`. Default: in the active one.
 * While a connection is being restored, `status` is `connecting` and `address` is set.
 */
export function accountStore<N extends Namespace = Namespace>(namespace?: N): Readable<AccountState<N>> {
  return posternState((snapshot) => accountOf(snapshot, namespace))
}

/** Known once the modal has loaded or from an earlier visit. */
export function networkStore(): Readable<NetworkState> {
  return posternState(networkOf)
}

export function openStore(): Readable<boolean> {
  return posternState(({ open }) => open)
}

export type Call<A extends readonly unknown[], R> = Readable<CallState> & { readonly run: (...args: A) => Promise<R> }

function callStore<A extends readonly unknown[], R>(call: (...args: A) => Promise<R>): Call<A, R> {
  const { subscribe, set } = writable(idle)
  return { subscribe, run: trackCall(call, set) }
}

/** `run` opens Connect, or goes straight to a wallet, social account or email address. */
export function connectStore(): Call<[options?: ConnectOptions], Awaited<ReturnType<Postern['connect']>>> {
  const { postern } = provided()
  return callStore((options?: ConnectOptions) => postern.connect(options))
}

export function disconnectStore(): Call<[namespace?: Namespace], void> {
  return callStore(provided().postern.disconnect)
}

export type BalanceState = Omit<Balance, 'status'> & {
  readonly status: 'idle' | 'pending' | Balance['status']
  readonly symbol: string | undefined
}

const loadReads = () => import('./frameworks/reads')

/** Reloads on a new account or network, and by `refetch`. */
export function balanceStore(namespace?: Namespace): Readable<BalanceState> & { readonly refetch: () => void } {
  const { postern } = provided()
  const account = posternState((snapshot) => {
    const found = accountOf(snapshot, namespace)
    return { ...found, currency: currencyOf(snapshot, found.networkId) }
  })
  const { subscribe, set } = writable<BalanceState>({ status: 'idle', symbol: undefined })
  let read = noop
  onMount(() => {
    let newest = 0
    const stop = account.subscribe(({ isConnected, namespace: name, address, currency }) => {
      const symbol = currency?.symbol
      read = () => {
        const callId = ++newest
        if (!isConnected || address === undefined) return set({ status: 'idle', symbol })
        set({ status: 'pending', symbol })
        loadReads()
          .then(({ readBalance }) => readBalance(postern, name, address, currency))
          .catch((error: unknown): Balance => ({ status: 'error', error }))
          .then((balance) => callId === newest && set({ ...balance, symbol }))
      }
      read()
    })
    return () => {
      newest++
      stop()
    }
  })
  return { subscribe, refetch: () => read() }
}

export type SignIn = Readable<SignInStatus> & {
  /** Opens the modal to ask for a signature again. */
  readonly signIn: () => Promise<void>
  readonly signOut: () => Promise<void>
}

/** Whether the account has a session of the dapp's `siwx` plugin. */
export function signInStore(): SignIn {
  const { postern, options } = provided()
  const { siwx } = options
  const { subscribe, set } = writable<SignInStatus>('unknown')
  let account: AccountState | undefined
  let newest = 0
  async function look(): Promise<void> {
    const callId = ++newest
    const { readSignIn } = await loadReads()
    if (account === undefined) return
    const found = await readSignIn(siwx, account)
    if (callId === newest) set(found)
  }
  const lookAgain = () => void look().catch(noop)
  const accounts = accountStore()
  onMount(() => {
    const stops = [
      accounts.subscribe((next) => {
        account = next
        set('unknown')
        lookAgain()
      }),
      siwx?.subscribe?.(lookAgain) ?? noop,
      postern.on('signIn', lookAgain),
    ]
    return () => {
      for (const stop of stops) stop()
    }
  })
  return {
    subscribe,
    signIn: () => postern.open(),
    async signOut() {
      if (account?.networkId !== undefined && account.address !== undefined)
        await siwx?.revokeSession(account.networkId, account.address)
      lookAgain()
    },
  }
}

/**
 * Opens the modal, and loads it on hover and focus.
 *
 * @example
 * const opensPostern = openAction()
 * // <button use:opensPostern={{ view: 'Networks' }}>Network</button>
 */
export function openAction(): (
  node: HTMLElement,
  options?: OpenOptions,
) => { update(options?: OpenOptions): void; destroy(): void } {
  const { postern } = provided()
  return (node, options) => {
    let opened = options
    const listeners = {
      pointerenter: postern.prewarm,
      focus: postern.prewarm,
      click: () => void postern.open(opened).catch(noop),
    }
    for (const [event, listener] of Object.entries(listeners)) node.addEventListener(event, listener)
    return {
      update(next) {
        opened = next
      },
      destroy() {
        for (const [event, listener] of Object.entries(listeners)) node.removeEventListener(event, listener)
      },
    }
  }
}
