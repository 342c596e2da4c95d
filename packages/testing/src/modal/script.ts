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
  /** An EVM chain id, or a CAIP-2 id. Default: the first configured network of the namespace. */
  readonly chainId?: number | CaipNetworkId | undefined
  /** Name of the wallet. Default: `Scripted Wallet`. */
  readonly wallet?: string | undefined
}

/** What the dapp asked of `connect`. */
export type ConnectRequest = Pick<ConnectOptions, 'namespace' | 'wallet' | 'social' | 'email'>

/** `decline`: the user leaves the modal. `wait`: until the test calls `connect` or `leave`. */
export type ConnectScript =
  | ScriptedAccount
  | 'decline'
  | 'wait'
  | ((request: ConnectRequest) => ScriptedAccount | Promise<ScriptedAccount>)

/** A request that reached the modal: for the wallet behind it, or for the chain. */
export type ScriptedRequest = {
  readonly namespace: Namespace
  readonly networkId?: CaipNetworkId | undefined
  readonly method: string
  readonly params: unknown
}

/** `params`: empty if the dapp passed no list; `request` has them as they came. */
type Handler = (params: readonly unknown[], request: ScriptedRequest) => unknown

export type ModalScript = {
  /** When the modal opens without a connection. Default: `wait`. */
  readonly connect?: ConnectScript | undefined
  /**
   * By method, or one function for all, such as a wallet's `request`. What a handler throws reaches the dapp: throw
   * `{ code: 4001, message }`.
   */
  readonly requests?: Readonly<Record<string, Handler>> | ((request: ScriptedRequest) => unknown) | undefined
  /** With a sign-in plugin. `sign` (default): `requests` signs the message with `personal_sign`. EVM only. */
  readonly signIn?: 'sign' | 'decline' | undefined
  readonly pay?: ((request: PaymentRequest) => PaymentReceipt | Promise<PaymentReceipt>) | undefined
  /** Of `getWallets`. Default: none. */
  readonly wallets?: readonly ListedWallet[] | undefined
  /** Of `getProfile`, by address. Default: no name and no picture. */
  readonly profiles?: Readonly<Record<string, Profile>> | undefined
  /**
   * Of `getIdentityToken`. `user`: the dapp also wants to know who signed in; throw `{ code: 4001, message }` if the user
   * declines. Default: no user of the embedded wallet is signed in.
   */
  readonly identityToken?: string | ((asked: { readonly user: boolean }) => string | Promise<string>) | undefined
}

export type ScriptedModal = {
  /** Every request that reached the modal, oldest first. */
  readonly requests: readonly ScriptedRequest[]
  /** Replaces the parts of the script that are given. */
  change(script: ModalScript): void
  /** The user connects an account, or another one. Answers a `connect` that waits. */
  connect(account: ScriptedAccount): void
  /** The user leaves the modal. A `connect` that waits rejects with `USER_REJECTED`. */
  leave(): void
  /** The user disconnects in the modal. Default: all namespaces. */
  disconnect(namespace?: Namespace): void
  /** The user switches the network in the modal. Throws for a network that the dapp does not configure. */
  switchNetwork(network: number | CaipNetworkId): void
  /** Removes the modal from the page, and what stood in for the browser. Destroy the dapp's instances first. */
  restore(): void
}
