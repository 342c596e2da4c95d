import { useCallback, useEffect, useState } from 'react'
import type {
  Account,
  CaipNetworkId,
  Connection,
  ConnectOptions,
  ConnectorSummary,
  Namespace,
  Network,
  OpenOptions,
  Snapshot,
} from '../types'
import { type CallState, useCall, usePosternEvent, usePosternState, useProvided } from './context'

const namespaces = ['eip155', 'solana', 'bip122'] as const

/** The active namespace if it has an account, else the first that has one. */
function namespaceOf({ activeNetworkId, connections }: Snapshot): Namespace {
  const active = namespaces.find((each) => activeNetworkId?.startsWith(`${each}:`))
  const hasAccount = (each: Namespace) => accountsOf(connections[each]).length > 0
  return active !== undefined && hasAccount(active) ? active : (namespaces.find(hasAccount) ?? active ?? 'eip155')
}

function accountsOf(connection: Connection | undefined): readonly Account[] {
  return connection === undefined || connection.status === 'disconnected' ? [] : (connection.accounts ?? [])
}

function accountsIn<N extends Namespace>(accounts: readonly Account[], name: Namespace): readonly Account<N>[] {
  const isOwn = (account: Account): account is Account<N> => account.namespace === name
  return accounts.filter(isOwn)
}

export type UseAccount<N extends Namespace = Namespace> = {
  readonly status: Connection['status']
  readonly isConnected: boolean
  readonly address: Account<N>['address'] | undefined
  readonly account: Account<N> | undefined
  readonly accounts: readonly Account<N>[]
  readonly namespace: Namespace
  readonly networkId: CaipNetworkId | undefined
  /** The wallet. */
  readonly connector: ConnectorSummary | undefined
}

/**
 * The user's account: of `namespace`, else of the active one. While an earlier connection is being restored, `status` is
 * `connecting` and the address is there.
 */
export function useAccount<N extends Namespace = Namespace>(namespace?: N): UseAccount<N> {
  return usePosternState((snapshot) => {
    const name = namespace ?? namespaceOf(snapshot)
    const connection: Connection = snapshot.connections[name] ?? { status: 'disconnected' }
    const accounts = accountsIn<N>(accountsOf(connection), name)
    const known = connection.status === 'disconnected' ? undefined : connection
    return {
      status: connection.status,
      isConnected: connection.status === 'connected',
      address: accounts[0]?.address,
      account: accounts[0],
      accounts,
      namespace: name,
      networkId: known?.networkId,
      connector: known?.connector,
    }
  })
}

export type UseNetwork = {
  readonly network: Network | undefined
  readonly networks: readonly Network[]
  /** The wallet is on a network that is not configured. */
  readonly isUnsupported: boolean
  readonly switchNetwork: (network: string) => Promise<void>
}

/** The active network, and those to switch to. They are known once the modal has loaded, or from an earlier visit. */
export function useNetwork(): UseNetwork {
  const { postern } = useProvided()
  const state = usePosternState((snapshot) => {
    const { networks, activeNetworkId, connections } = snapshot
    const connection = connections[namespaceOf(snapshot)]
    const isUnsupported = connection?.status === 'connected' && connection.unsupported === true
    return { networks, isUnsupported, network: networks.find(({ caipNetworkId }) => caipNetworkId === activeNetworkId) }
  })
  return { ...state, switchNetwork: postern.switchNetwork }
}

export type UseConnect = CallState & {
  readonly connect: (options?: ConnectOptions) => Promise<Connection>
}

/** Opens Connect, or goes straight to a wallet, social account or email address. */
export function useConnect(): UseConnect {
  const { postern } = useProvided()
  const { run, ...state } = useCall<[options?: ConnectOptions], Connection>(postern.connect)
  return { ...state, connect: run }
}

export type UseDisconnect = CallState & { readonly disconnect: (namespace?: Namespace) => Promise<void> }

export function useDisconnect(): UseDisconnect {
  const { postern } = useProvided()
  const { run, ...state } = useCall(postern.disconnect)
  return { ...state, disconnect: run }
}

export type UseModal = {
  readonly isOpen: boolean
  readonly open: (options?: OpenOptions) => Promise<void>
  readonly close: () => Promise<void>
  /** Call on hover or focus of your own button. */
  readonly prewarm: () => void
}

export function useModal(): UseModal {
  const { postern } = useProvided()
  const isOpen = usePosternState(({ open }) => open)
  return { isOpen, open: postern.open, close: postern.close, prewarm: postern.prewarm }
}

export type UseBalance = {
  readonly status: 'idle' | 'pending' | 'success' | 'error'
  /** In the smallest unit. */
  readonly value: bigint | undefined
  /** `value` as a decimal. */
  readonly formatted: string | undefined
  readonly symbol: string | undefined
  readonly error: unknown
  readonly refetch: () => void
}

/** The native balance of the account on its network. Asked again for another account or network, and by `refetch`. */
export function useBalance(namespace?: Namespace): UseBalance {
  const { postern } = useProvided()
  const { address, namespace: name, networkId, isConnected } = useAccount(namespace)
  const currency = usePosternState(
    ({ networks }) => networks.find(({ caipNetworkId }) => caipNetworkId === networkId)?.nativeCurrency,
  )
  const [balance, setBalance] = useState<{ key: string; value?: bigint; error?: unknown }>({ key: '' })
  const [round, setRound] = useState(0)
  const key = isConnected ? `${networkId} ${address} ${round}` : ''
  useEffect(() => {
    if (key === '' || address === undefined) return
    let isCurrent = true
    const settle = (outcome: { value?: bigint; error?: unknown }) => isCurrent && setBalance({ key, ...outcome })
    balanceOf(name, address, (method, params) => postern[name].request<unknown>({ method, params })).then(
      (value) => settle({ value }),
      (error: unknown) => settle({ error }),
    )
    return () => {
      isCurrent = false
    }
  }, [postern, name, address, key])
  const own = balance.key === key ? balance : { key }
  const value = 'value' in own ? own.value : undefined
  const error = 'error' in own ? own.error : undefined
  const status = key === '' ? 'idle' : value !== undefined ? 'success' : error !== undefined ? 'error' : 'pending'
  return {
    status,
    value,
    formatted: value === undefined || currency === undefined ? undefined : format(value, currency.decimals),
    symbol: currency?.symbol,
    error,
    refetch: useCallback(() => setRound((last) => last + 1), []),
  }
}

type Ask = (method: string, params: unknown[] | object) => Promise<unknown>

async function balanceOf(namespace: Namespace, address: string, ask: Ask): Promise<bigint> {
  if (namespace === 'eip155') return BigInt(String(await ask('eth_getBalance', [address, 'latest'])))
  const answer =
    namespace === 'solana' ? await ask('getBalance', [address]) : await ask('bip122_getBalance', { address })
  return BigInt(String(Reflect.get(Object(answer), namespace === 'solana' ? 'value' : 'total')))
}

function format(value: bigint, decimals: number): string {
  const digits = value.toString().padStart(decimals + 1, '0')
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '')
  return digits.slice(0, digits.length - decimals) + (fraction === '' ? '' : `.${fraction}`)
}

export type UseSignIn = {
  /** `unknown` until the plugin answered, and without `siwx`. */
  readonly status: 'unknown' | 'signedIn' | 'signedOut'
  /** Asks for a signature again: opens the modal. */
  readonly signIn: () => Promise<void>
  readonly signOut: () => Promise<void>
}

/** Whether the connected account has a session of the dapp's `siwx` plugin. */
export function useSignIn(): UseSignIn {
  const { postern, options } = useProvided()
  const { siwx } = options
  const { address, networkId } = useAccount()
  const key = address === undefined || networkId === undefined ? '' : `${networkId} ${address}`
  const [known, setKnown] = useState<{ key: string; isSignedIn: boolean }>()
  const look = useCallback(async () => {
    if (siwx === undefined || address === undefined || networkId === undefined) return
    const sessions = await siwx.getSessions(networkId, address)
    setKnown({ key: `${networkId} ${address}`, isSignedIn: sessions.length > 0 })
  }, [siwx, address, networkId])
  const lookAgain = useCallback(() => void look().catch(() => setKnown(undefined)), [look])
  useEffect(lookAgain, [lookAgain])
  useEffect(() => siwx?.subscribe?.(lookAgain), [siwx, lookAgain])
  usePosternEvent('signIn', lookAgain)
  const isKnown = known !== undefined && known.key === key && key !== ''
  return {
    status: !isKnown ? (key === '' && siwx ? 'signedOut' : 'unknown') : known.isSignedIn ? 'signedIn' : 'signedOut',
    signIn: postern.open,
    async signOut() {
      if (siwx !== undefined && address !== undefined && networkId !== undefined)
        await siwx.revokeSession(networkId, address)
      lookAgain()
    },
  }
}
