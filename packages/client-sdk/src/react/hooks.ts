import { useCallback, useEffect, useRef, useState } from 'react'
import type { CallState } from '../frameworks/call'
import type { Balance, SignInStatus } from '../frameworks/reads'
import { type AccountState, accountOf, currencyOf, type NetworkState, networkOf } from '../frameworks/selectors'
import { noop } from '../shared/noop'
import type { Connection, ConnectOptions, Namespace, OpenOptions } from '../types/index'
import { useCall, usePosternEvent, usePosternState, useProvided } from './context'

const loadReads = () => import('../frameworks/reads')

export type UseAccount<N extends Namespace = Namespace> = AccountState<N>

/**
 * The user's account in `namespace`. Default: in the active one.
 * While a connection is being restored, `status` is `connecting` and `address` is set.
 */
export function useAccount<N extends Namespace = Namespace>(namespace?: N): UseAccount<N> {
  return usePosternState((snapshot) => accountOf(snapshot, namespace))
}

export type UseNetwork = NetworkState & { readonly switchNetwork: (network: string) => Promise<void> }

/** Known once the modal has loaded or from an earlier visit. */
export function useNetwork(): UseNetwork {
  const { postern } = useProvided()
  return { ...usePosternState(networkOf), switchNetwork: postern.switchNetwork }
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
  /** Base units. */
  readonly value: bigint | undefined
  /** Decimal. */
  readonly formatted: string | undefined
  readonly symbol: string | undefined
  readonly error: unknown
  readonly refetch: () => void
}

/** Reloads on a new account or network, and by `refetch`. */
export function useBalance(namespace?: Namespace): UseBalance {
  const { postern } = useProvided()
  const { address, namespace: name, networkId, isConnected } = useAccount(namespace)
  const currency = usePosternState((snapshot) => currencyOf(snapshot, networkId))
  const [found, setFound] = useState<Balance & { readonly key: string }>()
  const [round, setRound] = useState(0)
  const key = isConnected ? `${networkId} ${address} ${round}` : ''
  useEffect(() => {
    if (key === '' || address === undefined) return
    let isCurrent = true
    loadReads()
      .then(({ readBalance }) => readBalance(postern, name, address, currency))
      .catch((error: unknown): Balance => ({ status: 'error', error }))
      .then((balance) => isCurrent && setFound({ key, ...balance }))
    return () => {
      isCurrent = false
    }
  }, [postern, name, address, key, currency])
  return {
    ...{ value: undefined, formatted: undefined, error: undefined },
    status: key === '' ? 'idle' : 'pending',
    ...(found?.key === key && found),
    symbol: currency?.symbol,
    refetch: useCallback(() => setRound((last) => last + 1), []),
  }
}

export type UseSignIn = {
  readonly status: SignInStatus
  /** Opens the modal to ask for a signature again. */
  readonly signIn: () => Promise<void>
  readonly signOut: () => Promise<void>
}

/** Whether the account has a session of the dapp's `siwx` plugin. */
export function useSignIn(): UseSignIn {
  const { postern, options } = useProvided()
  const { siwx } = options
  const account = useAccount()
  const [known, setKnown] = useState<{ readonly account: UseAccount; readonly status: SignInStatus }>()
  const newest = useRef(0)
  const look = useCallback(() => {
    const callId = ++newest.current
    loadReads()
      .then(({ readSignIn }) => readSignIn(siwx, account))
      .then((status) => callId === newest.current && setKnown({ account, status }), noop)
  }, [siwx, account])
  useEffect(look, [look])
  useEffect(() => siwx?.subscribe?.(look), [siwx, look])
  usePosternEvent('signIn', look)
  return {
    status: known?.account === account ? known.status : 'unknown',
    signIn: postern.open,
    async signOut() {
      const { networkId, address } = account
      if (networkId !== undefined && address !== undefined) await siwx?.revokeSession(networkId, address)
      look()
    },
  }
}
