import {
  type App,
  defineComponent,
  h,
  type InjectionKey,
  inject,
  onMounted,
  onScopeDispose,
  type Ref,
  type SlotsType,
  shallowReactive,
  shallowRef,
  type ToRefs,
  toRefs,
  watch,
} from 'vue'
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

export type PosternPluginOptions = {
  /** Read once; one instance per project. */
  readonly options: PosternOptions
  /**
   * Result of `initialStateFrom` (`@postern/client/server`).
   * The server then renders the last visit's account; a cookie stores the connected addresses.
   */
  readonly initialState?: InitialState | undefined
}

type Provided = PosternPluginOptions & { readonly postern: Postern }

const key: InjectionKey<Provided> = Symbol('Postern')

/**
 * Provides the page's instance. Unmounting does not destroy it.
 *
 * @example
 * createApp(App).use(posternPlugin, { options: { projectId: 'demo', networks: ['ethereum', 'base'] } })
 */
export const posternPlugin = {
  install(app: App, { options, initialState }: PosternPluginOptions): void {
    const postern = createPostern(options)
    app.provide(key, { postern, options, initialState })
    if (initialState === undefined || typeof document === 'undefined') return
    const keeping = import('./frameworks/cookie').then(({ keepCookie }) => keepCookie(options.projectId, postern))
    app.onUnmount(() => void keeping.then((stop) => stop(), noop))
  },
}

function injectPostern(): Provided {
  const provided = inject(key, undefined)
  if (provided === undefined)
    throw new Error('Add posternPlugin to the app of this component: app.use(posternPlugin, …)')
  return provided
}

export function usePostern(): { readonly postern: Postern; readonly snapshot: Readonly<Ref<Snapshot>> } {
  return { postern: injectPostern().postern, snapshot: usePosternState((snapshot) => snapshot) }
}

/** Updates only if the JSON of the result changes. */
export function usePosternState<T>(select: (snapshot: Snapshot) => T): Readonly<Ref<T>> {
  return followState(select)
}

/** {@link usePosternState} for `setup`, where its name looks like a React hook. */
function followState<T>(select: (snapshot: Snapshot) => T): Readonly<Ref<T>> {
  const { postern, initialState } = injectPostern()
  const state = shallowRef(select(initialSnapshot(postern, initialState)))
  const update = () => {
    const next = select(postern.getSnapshot())
    if (JSON.stringify(next) !== JSON.stringify(state.value)) state.value = next
  }
  onMounted(update)
  onScopeDispose(postern.subscribe(update))
  return state
}

function useFields<T extends object>(select: (snapshot: Snapshot) => T): ToRefs<Readonly<T>> {
  const state = usePosternState(select)
  const fields = shallowReactive({ ...state.value })
  watch(state, (next) => void Object.assign(fields, next), { flush: 'sync' })
  return toRefs(fields)
}

export function usePosternEvent<E extends keyof PosternEvents>(
  event: E,
  listener: (data: PosternEvents[E]) => void,
): void {
  onScopeDispose(injectPostern().postern.on(event, listener))
}

export type UseAccount<N extends Namespace = Namespace> = ToRefs<Readonly<AccountState<N>>>

/**
 * The user's account in `namespace`. Default: in the active one.
 * While a connection is being restored, `status` is `connecting` and `address` is set.
 */
export function useAccount<N extends Namespace = Namespace>(namespace?: N): UseAccount<N> {
  return useFields((snapshot) => accountOf(snapshot, namespace))
}

export type UseNetwork = ToRefs<Readonly<NetworkState>> & { readonly switchNetwork: Postern['switchNetwork'] }

/** Known once the modal has loaded or from an earlier visit. */
export function useNetwork(): UseNetwork {
  return { ...useFields(networkOf), switchNetwork: injectPostern().postern.switchNetwork }
}

function useCall<A extends readonly unknown[], R>(call: (...args: A) => Promise<R>) {
  const state = shallowReactive<{ -readonly [K in keyof CallState]: CallState[K] }>({ ...idle })
  return { ...toRefs(state), run: trackCall(call, (next) => void Object.assign(state, next)) }
}

export type UseConnect = ToRefs<CallState> & {
  readonly connect: (options?: ConnectOptions) => ReturnType<Postern['connect']>
}

/** Opens Connect, or goes straight to a wallet, social account or email address. */
export function useConnect(): UseConnect {
  const { postern } = injectPostern()
  const { run, ...state } = useCall((options?: ConnectOptions) => postern.connect(options))
  return { ...state, connect: run }
}

export type UseDisconnect = ToRefs<CallState> & { readonly disconnect: (namespace?: Namespace) => Promise<void> }

export function useDisconnect(): UseDisconnect {
  const { run, ...state } = useCall(injectPostern().postern.disconnect)
  return { ...state, disconnect: run }
}

export type UseModal = Pick<Postern, 'open' | 'close' | 'prewarm'> & { readonly isOpen: Readonly<Ref<boolean>> }

/** Call `prewarm` on hover or focus of your own button. */
export function useModal(): UseModal {
  const { open, close, prewarm } = injectPostern().postern
  return { isOpen: usePosternState((snapshot) => snapshot.open), open, close, prewarm }
}

const loadReads = () => import('./frameworks/reads')

type BalanceState = {
  status: 'idle' | 'pending' | Balance['status']
  /** Base units. */
  value: bigint | undefined
  /** Decimal. */
  formatted: string | undefined
  symbol: string | undefined
  error: unknown
}

export type UseBalance = ToRefs<BalanceState> & { readonly refetch: () => void }

/** Reloads on a new account or network, and by `refetch`. */
export function useBalance(namespace?: Namespace): UseBalance {
  const { postern } = injectPostern()
  const account = usePosternState((snapshot) => {
    const { isConnected, namespace: name, address, networkId } = accountOf(snapshot, namespace)
    return { isConnected, name, address, networkId, currency: currencyOf(snapshot, networkId) }
  })
  const empty = { status: 'idle', value: undefined, formatted: undefined, symbol: undefined, error: undefined } as const
  const state = shallowReactive<BalanceState>({ ...empty })
  let newest = 0
  async function refetch(): Promise<void> {
    const { isConnected, name, address, currency } = account.value
    const callId = ++newest
    Object.assign(state, empty, { symbol: currency?.symbol })
    if (!isConnected || address === undefined) return
    state.status = 'pending'
    const balance = await loadReads()
      .then(({ readBalance }) => readBalance(postern, name, address, currency))
      .catch((error: unknown): Balance => ({ status: 'error', error }))
    if (callId === newest) Object.assign(state, balance)
  }
  watch(account, refetch)
  onMounted(refetch)
  return { ...toRefs(state), refetch: () => void refetch() }
}

export type UseSignIn = {
  readonly status: Readonly<Ref<SignInStatus>>
  /** Opens the modal to ask for a signature again. */
  readonly signIn: (options?: OpenOptions) => Promise<void>
  readonly signOut: () => Promise<void>
}

/** Whether the account has a session of the dapp's `siwx` plugin. */
export function useSignIn(): UseSignIn {
  const { postern, options } = injectPostern()
  const { siwx } = options
  const account = usePosternState((snapshot) => accountOf(snapshot))
  const status = shallowRef<SignInStatus>('unknown')
  let newest = 0
  async function look(): Promise<void> {
    const callId = ++newest
    const { readSignIn } = await loadReads()
    const found = await readSignIn(siwx, account.value)
    if (callId === newest) status.value = found
  }
  const lookAgain = () => void look().catch(noop)
  watch(account, () => {
    status.value = 'unknown'
    lookAgain()
  })
  onMounted(lookAgain)
  onScopeDispose(siwx?.subscribe?.(lookAgain) ?? noop)
  usePosternEvent('signIn', lookAgain)
  return {
    status,
    signIn: postern.open,
    async signOut() {
      const { networkId, address } = account.value
      if (networkId !== undefined && address !== undefined) await siwx?.revokeSession(networkId, address)
      lookAgain()
    },
  }
}

export type ConnectButtonState = AccountState &
  Pick<NetworkState, 'network' | 'isUnsupported'> & {
    readonly isOpen: boolean
    /** For `@click`. Failures show in the page and as `error` events. */
    readonly open: (options?: OpenOptions) => void
    /** For `@pointerenter` and `@focus`. */
    readonly prewarm: () => void
  }

/**
 * Its slot draws your own button.
 *
 * @example
 * <ConnectButton v-slot="{ address, open }"><button @click="open()">{{ address ?? 'Connect' }}</button></ConnectButton>
 */
export const ConnectButton = defineComponent({
  name: 'ConnectButton',
  props: { label: String, name: Boolean, avatar: Boolean, balance: Boolean },
  slots: Object as SlotsType<{ default: ConnectButtonState }>,
  setup(props, { slots }) {
    const { postern, options } = injectPostern()
    const state = followState((snapshot) => {
      const { network, isUnsupported } = networkOf(snapshot)
      return { ...accountOf(snapshot), network, isUnsupported, isOpen: snapshot.open }
    })
    const open = (opened?: OpenOptions) => void postern.open(opened).catch(noop)
    onMounted(() => slots.default === undefined && void import('./elements/index'))
    return () => {
      const { address } = state.value
      if (slots.default !== undefined) return slots.default({ ...state.value, open, prewarm: postern.prewarm })
      const text =
        address === undefined ? (props.label ?? 'Connect wallet') : `${address.slice(0, 4)}…${address.slice(-6)}`
      const attribute = (isSet: boolean) => (isSet ? '' : undefined)
      const details = {
        name: attribute(props.name),
        avatar: attribute(props.avatar),
        balance: attribute(props.balance),
      }
      return h('postern-button', { 'project-id': options.projectId, label: props.label, ...details }, text)
    }
  },
})
