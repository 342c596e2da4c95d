/** What the modal needs of the page, and what the page can ask of it. */
import type { HostMethod, HostParams, HostResult, PageWallet } from '@postern/protocol'
import type { PosternError } from '../errors'
import type { Namespaces } from '../namespaces/namespaces'
import type { Discovery, WalletProvider } from '../page-wallets/discovery'
import type { ProviderOptions } from '../providers/options'
import type { State } from '../state'
import type { Connection, PosternOptions, Theme } from '../types'

export type ModalOptions = {
  readonly window: Window & typeof globalThis
  /** Origin of the modal host, and this package's version. */
  readonly origin: string
  readonly sdk: string
  readonly dapp: PosternOptions
  readonly state: State
  readonly announced: Discovery
  /** The own EVM provider, which is no wallet. */
  readonly own: object
  /** Brings the code of Solana and Bitcoin, on a page with networks of theirs. */
  readonly others: (() => Promise<Pick<Namespaces, 'list' | 'get'>>) | false | undefined
  readonly randomId: () => string
  readonly theme: () => Theme
  readonly colorScheme: () => 'light' | 'dark'
  /** Light or dark, as long as the host has not said. */
  readonly themeMode: () => 'light' | 'dark'
  /** What is kept for the host, and how; `null` forgets a value. */
  readonly stored: () => Record<string, string>
  readonly store: (key: string, value: string | null) => void
  /** Of the project's keys, which its tabs share. */
  readonly prefix: string
  /** Another tab says that it changed a session. */
  readonly onPeerChanged: () => void
  /** Says in the page why the modal cannot be had, and which other page's origin is in the way; and takes that back, because it is tried again. */
  readonly onFailed: (error: PosternError, foreign?: string) => void
  readonly onRetried: () => void
}

export type Modal = {
  /** Loads the frame, if it is not there. */
  load(): void
  request<M extends HostMethod>(method: M, params: HostParams<M>, signal?: AbortSignal): Promise<unknown>
  /** These show the dialog at once, and Escape ends them while there is no host to ask. */
  open(params: HostParams<'open'>): Promise<void>
  pay(params: HostParams<'pay'>): Promise<HostResult<'pay'>>
  connect(params: HostParams<'connect'>, signal: AbortSignal | undefined): Promise<Connection>
  /** A provider's request that no wallet of the page answers. */
  rpc: ProviderOptions['rpc']
  wallets(): PageWallet[]
  /** A wallet of the page for the dapp's own use: what it sends, the host hears of. */
  wallet(id: string): WalletProvider | undefined
  /** The list of wallets is another one now. */
  tellWallets(): void
  /** The visitor wants to leave: the host decides, or where there is none yet, the dialog goes. */
  dismiss(): void
  draw(): void
  destroy(): void
}
