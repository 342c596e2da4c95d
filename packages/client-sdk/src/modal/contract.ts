import type { HostMethod, HostParams, HostResult, PageWallet } from '@postern/protocol'
import type { PosternError } from '../errors'
import type { Namespaces } from '../namespaces/namespaces'
import type { Discovery, WalletProvider } from '../page-wallets/discovery'
import type { ProviderOptions } from '../providers/options'
import type { State } from '../state'
import type { Connection, PosternOptions, Theme } from '../types'

export type ModalOptions = {
  readonly window: Window & typeof globalThis
  readonly origin: string
  readonly sdk: string
  readonly dapp: PosternOptions
  readonly state: State
  readonly announced: Discovery
  /** Postern's own provider, which is not a wallet. */
  readonly own: object
  /** Loads the Solana and Bitcoin code. */
  readonly others: (() => Promise<Pick<Namespaces, 'list' | 'get'>>) | false | undefined
  readonly randomId: () => string
  readonly theme: () => Theme
  readonly colorScheme: () => 'light' | 'dark'
  /** Used until the host reports a mode. */
  readonly themeMode: () => 'light' | 'dark'
  /** `null` deletes a value. */
  readonly stored: () => Record<string, string>
  readonly store: (key: string, value: string | null) => void
  /** Prefix of the project's storage keys, which its tabs share. */
  readonly prefix: string
  /** Another tab changed a session. */
  readonly onPeerChanged: () => void
  /** Shows an alert. `foreign`: origin of the ancestor page that caused the failure. */
  readonly onFailed: (error: PosternError, foreign?: string) => void
  readonly onRetried: () => void
}

export type Modal = {
  load(): void
  request<M extends HostMethod>(method: M, params: HostParams<M>, signal?: AbortSignal): Promise<unknown>
  /** Shows the dialog at once. Escape cancels until the host is ready. */
  open(params: HostParams<'open'>): Promise<void>
  pay(params: HostParams<'pay'>): Promise<HostResult<'pay'>>
  connect(params: HostParams<'connect'>, signal: AbortSignal | undefined): Promise<Connection>
  rpc: ProviderOptions['rpc']
  wallets(): PageWallet[]
  /** For the dapp's use; the host hears of transactions it sends. */
  wallet(id: string): WalletProvider | undefined
  tellWallets(): void
  /** The host decides; without one the dialog closes. */
  dismiss(): void
  draw(): void
  destroy(): void
}
