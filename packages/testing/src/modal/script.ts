import type {
  CaipNetworkId,
  ConnectOptions,
  ListedWallet,
  Namespace,
  PaymentReceipt,
  PaymentRequest,
  Profile,
} from '@postern/client'

/** The account that the user connects. */
export type ScriptedAccount = {
  /** Default: `eip155`. */
  readonly namespace?: Namespace | undefined
  readonly address: string
  /** An EVM chain id, or a CAIP-2 id. Default: the namespace's first configured network. */
  readonly chainId?: number | CaipNetworkId | undefined
  /** Name of the wallet. Default: `Scripted Wallet`. */
  readonly wallet?: string | undefined
}

/** The dapp's options of `connect`. */
export type ConnectRequest = Pick<ConnectOptions, 'namespace' | 'wallet' | 'social' | 'email'>

/** `decline`: the user leaves the modal. `wait`: the request waits until the test calls `connect` or `leave`. */
export type ConnectScript =
  | ScriptedAccount
  | 'decline'
  | 'wait'
  | ((request: ConnectRequest) => ScriptedAccount | Promise<ScriptedAccount>)

/** A request that reached the modal, for the wallet or the chain. */
export type ScriptedRequest = {
  readonly namespace: Namespace
  readonly networkId?: CaipNetworkId | undefined
  readonly method: string
  readonly params: unknown
}

/** `params` is empty if the dapp passed no list; `request` has the original. */
type Handler = (params: readonly unknown[], request: ScriptedRequest) => unknown

export type ModalScript = {
  /** Runs when the modal opens without a connection. Default: `wait`. */
  readonly connect?: ConnectScript | undefined
  /**
   * Handlers by method, or one function for all, such as a wallet's `request`.
   * An error that a handler throws reaches the dapp: throw `{ code: 4001, message }`.
   */
  readonly requests?: Readonly<Record<string, Handler>> | ((request: ScriptedRequest) => unknown) | undefined
  /** With a sign-in plugin, EVM only. Default `sign`: `requests` signs the message with `personal_sign`. */
  readonly signIn?: 'sign' | 'decline' | undefined
  readonly pay?: ((request: PaymentRequest) => PaymentReceipt | Promise<PaymentReceipt>) | undefined
  /** Result of `getWallets`. Default: empty. */
  readonly wallets?: readonly ListedWallet[] | undefined
  /** Results of `getProfile`, by address. Default: no name and no picture. */
  readonly profiles?: Readonly<Record<string, Profile>> | undefined
  /**
   * Result of `getIdentityToken`. Default: no user of the embedded wallet is signed in.
   * `user` is true if the dapp asks who signed in; throw `{ code: 4001, message }` if the user declines.
   */
  readonly identityToken?: string | ((asked: { readonly user: boolean }) => string | Promise<string>) | undefined
}

export type ScriptedModal = {
  /** Every request that reached the modal, oldest first. */
  readonly requests: readonly ScriptedRequest[]
  /** Replaces the given parts of the script. */
  change(script: ModalScript): void
  /** The user connects an account. Settles a waiting `connect`. */
  connect(account: ScriptedAccount): void
  /** The user leaves the modal. A waiting `connect` rejects with `USER_REJECTED`. */
  leave(): void
  /** The user disconnects in the modal. Default: all namespaces. */
  disconnect(namespace?: Namespace): void
  /** The user switches the network in the modal. Throws if it is not configured. */
  switchNetwork(network: number | CaipNetworkId): void
  /** Removes the modal from the page. Destroy the dapp's instances first. */
  restore(): void
}
