import type { HostMethod, HostParams, HostResult, PageWallet } from '@postern/protocol'
import type { WalletProvider } from '../discovery/wallet-provider'
import type { Namespaces } from '../namespaces/contract'
import type { ThemeSource } from '../page/theme'
import type { ProviderOptions } from '../providers/options'
import type { Emit } from '../state/events'
import type { State } from '../state/state'
import type { Connection, ConnectOptions, Namespace, Postern, PosternOptions } from '../types/index'
import type { FailureAlert } from './alert/failure-alert'

export type ModalOptions = {
  readonly window: Window & typeof globalThis
  readonly origin: string
  readonly sdk: string
  readonly dapp: PosternOptions
  readonly state: State
  readonly emit: Emit
  /** Never listed. */
  readonly ownProvider: object
  readonly loadNamespaces: (() => Promise<Pick<Namespaces, 'list' | 'get'>>) | false | undefined
  readonly randomId: () => string
  /** `mode` applies until the host sets one. */
  readonly theme: Pick<ThemeSource, 'get' | 'mode' | 'colorScheme'>
  /** `null` deletes. */
  readonly stored: () => Record<string, string>
  readonly store: (key: string, value: string | null) => void
  readonly prefix: string
  readonly onPeerChanged: () => void
  readonly alert: FailureAlert
}

export type Modal = {
  load(): void
  request<M extends HostMethod>(method: M, params: HostParams<M>, signal?: AbortSignal): Promise<unknown>
  open(params?: HostParams<'open'>): Promise<void>
  pay(params: HostParams<'pay'>): Promise<HostResult<'pay'>>
  connect<N extends Namespace>(options?: ConnectOptions<N>): Promise<Connection<N>>
  getWallets: Postern['getWallets']
  getProfile: Postern['getProfile']
  rpc: ProviderOptions['rpc']
  wallets(): PageWallet[]
  wallet(id: string): WalletProvider | undefined
  sendWallets(): void
  /** The host decides. Without a host, the dialog closes. */
  dismiss(): void
  draw(): void
  destroy(): void
}
