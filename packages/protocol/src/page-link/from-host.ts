/**
 * The page link: all messages between the SDK on a dapp's page and the modal host in its iframe.
 *
 * 1. The loaded host posts {@link knock}, without data, to its parent. No other message goes to `'*'`.
 * 2. The SDK sends {@link Hello} with a `MessagePort` to its own iframe, at the configured origin only.
 * 3. The host checks `event.source` and `event.origin`. It responds on the port with {@link Welcome}, or with
 *    {@link Refusal} and closes the port.
 * 4. From then on, both sides ignore window messages and exchange {@link Envelope}s on the port.
 *
 * The host serves {@link hostMethods}, the page {@link pageMethods} and `signInMethods`. The page checks the host's
 * messages with its own guards.
 */
import * as z from 'zod/mini'
import { CaipNetworkId } from '../caip'
import { Account } from '../entities/account'
import { ConnectorType } from '../entities/connector'
import { ListedWallet } from '../entities/listed-wallet'
import { Network } from '../entities/network'
import { ThemeMode } from '../entities/theme'
import { WalletInfo } from '../entities/wallet-info'
import { walletRequestMethods } from '../methods'
import { byNamespace } from '../namespaces'
import { Id, LinkError } from './envelope'
import { hostParams, type PageMethod, pageAnswers } from './from-page'
import { hostTimeouts } from './timeouts'

/** The host accepts. `v`: the version that both sides use. */
export const Welcome = z.strictObject({ kind: z.literal('welcome'), v: z.int().check(z.positive()), host: z.string() })
export type Welcome = z.infer<typeof Welcome>

/** The host refuses the browser-reported `origin`. Last message. */
export const Refusal = z.strictObject({ kind: z.literal('refused'), error: LinkError, origin: z.string() })
export type Refusal = z.infer<typeof Refusal>

/* ---------------------------------------------------------------- state */

const ImageUrl = z.string().check(z.maxLength(65_536))

/** What the page may know of a connector. */
export const ConnectorSummary = z.strictObject({
  id: z.string().check(z.minLength(1), z.maxLength(256)),
  name: z.string(),
  type: ConnectorType,
  imageUrl: z.optional(ImageUrl),
  /** The wallet is in the page: its requests do not cross the link. */
  pageWallet: z.optional(Id),
})
export type ConnectorSummary = z.infer<typeof ConnectorSummary>

/** `connecting` and `reconnecting` may already have the account. */
export const Connection = z.discriminatedUnion('status', [
  z.strictObject({ status: z.literal('disconnected') }),
  z.strictObject({
    status: z.enum(['connecting', 'reconnecting']),
    connector: z.optional(ConnectorSummary),
    accounts: z.optional(z.array(Account)),
    networkId: z.optional(CaipNetworkId),
  }),
  z.strictObject({
    status: z.literal('connected'),
    connector: ConnectorSummary,
    /** The first is active. */
    accounts: z.array(Account).check(z.minLength(1)),
    networkId: CaipNetworkId,
    /** `networkId` is not configured (spec §4, UnsupportedChain). */
    unsupported: z.optional(z.literal(true)),
  }),
])
export type Connection = z.infer<typeof Connection>

/** `seq` grows with each change; the SDK ignores older states. */
export const HostState = z.strictObject({
  seq: z.int().check(z.gte(0)),
  open: z.boolean(),
  themeMode: ThemeMode,
  /** With aliases and defaults resolved. */
  networks: z.array(Network),
  /** The active namespace is this network's. */
  activeNetworkId: z.nullable(CaipNetworkId),
  connections: z.strictObject(byNamespace(() => z.optional(Connection))),
})
export type HostState = z.infer<typeof HostState>

/** What a connected address shows. Unknown members are absent. */
export const Profile = z.strictObject({
  name: z.optional(z.string().check(z.minLength(1), z.maxLength(64))),
  avatar: z.optional(z.string().check(z.maxLength(262_144))),
})
export type Profile = z.infer<typeof Profile>

/* ---------------------------------------------------------------- requests from the page to the host */

/** As the wallet reports it. The dapp's server must verify it on chain. */
export const PaymentReceipt = z.strictObject({
  networkId: CaipNetworkId,
  hash: z.string().check(z.minLength(1), z.maxLength(128)),
  from: z.string().check(z.minLength(1), z.maxLength(128)),
})
export type PaymentReceipt = z.infer<typeof PaymentReceipt>

const Nothing = z.null()

/** Everything that the page can call. */
export const hostMethods = {
  /** Must come first: earlier requests are rejected. */
  init: { params: hostParams.init, result: HostState, timeout: hostTimeouts.init },
  /** `swap`: for the Swap view. `namespace`: opens its account, or Connect with its wallets. */
  open: {
    params: hostParams.open,
    result: Nothing,
    timeout: hostTimeouts.open,
  },
  /** Opens Pay. Resolves once sent; USER_REJECTED if the modal closes first. */
  pay: { params: hostParams.pay, result: PaymentReceipt, timeout: hostTimeouts.pay },
  /** `CLOSE_REFUSED` while closing is disabled. */
  close: { params: hostParams.close, result: Nothing, timeout: hostTimeouts.close },
  /** Opens Connect. USER_REJECTED if the modal closes first. */
  connect: { params: hostParams.connect, result: Connection, timeout: hostTimeouts.connect },
  /** Default: all namespaces. */
  disconnect: { params: hostParams.disconnect, result: Nothing, timeout: hostTimeouts.disconnect },
  /** Alias or CAIP-2 id. Adds the chain after 4902, 5000 or -32603 (spec §8). */
  switchNetwork: {
    params: hostParams.switchNetwork,
    result: Nothing,
    timeout: hostTimeouts.switchNetwork,
  },
  setTheme: { params: hostParams.setTheme, result: Nothing, timeout: hostTimeouts.setTheme },
  /** Replaces the options of `init` that are present. */
  setOptions: { params: hostParams.setOptions, result: Nothing, timeout: hostTimeouts.setOptions },
  /** Requests for chain nodes or wallets behind the host. */
  rpc: {
    params: hostParams.rpc,
    result: z.unknown(),
    timeout: hostTimeouts.rpc,
  },
  /** Another tab changed a session. */
  peerChanged: {
    params: hostParams.peerChanged,
    result: Nothing,
    timeout: hostTimeouts.peerChanged,
  },
  ping: { params: hostParams.ping, result: Nothing, timeout: hostTimeouts.ping },
  diagnose: {
    params: hostParams.diagnose,
    result: z.array(z.strictObject({ check: z.string(), ok: z.boolean(), detail: z.string() })),
    timeout: hostTimeouts.diagnose,
  },
  /** Identity token of the embedded wallet's user. May ask the user. UNAUTHORIZED without such a user. */
  getIdentityToken: {
    params: hostParams.getIdentityToken,
    result: z.string().check(z.maxLength(4096)),
    timeout: hostTimeouts.getIdentityToken,
  },
  /** In Connect's order. Waits for the directory. */
  getWallets: {
    params: hostParams.getWallets,
    result: z.array(ListedWallet).check(z.maxLength(256)),
    timeout: hostTimeouts.getWallets,
  },
  /** On the active network. UNAUTHORIZED for another address. */
  getProfile: {
    params: hostParams.getProfile,
    result: Profile,
    timeout: hostTimeouts.getProfile,
  },
} as const
export type HostMethod = keyof typeof hostMethods

/* ---------------------------------------------------------------- requests from the host to the page */

export const pageMethods = {
  /** Joins an equal request of a host that was lost: reloading the host never prompts twice. */
  walletRequest: {
    params: z.strictObject({
      wallet: Id,
      method: z.enum(walletRequestMethods),
      params: z.optional(z.array(z.unknown())),
    }),
    ...pageAnswers.walletRequest,
  },
  /**
   * Navigation for the host, whose frame may not navigate the page.
   * The page checks the link too (`isOpenableLink`). `app`: the system opens it, and the page stays. `tab`: without
   * opener.
   */
  openLink: {
    params: z.strictObject({
      url: z.string().check(z.minLength(1), z.maxLength(8192)),
      target: z.enum(['app', 'tab']),
    }),
    ...pageAnswers.openLink,
  },
  /** Stores a value that is not secret; `null` deletes it. Keys have the product's prefix. */
  store: {
    params: z.strictObject({
      key: z.string().check(z.minLength(1), z.maxLength(128)),
      value: z.nullable(z.string().check(z.maxLength(1_048_576))),
    }),
    ...pageAnswers.store,
  },
} as const

export const hostEvents = {
  state: HostState,
  /** The user changed a session; notify other tabs. */
  sessionChanged: Nothing,
  /** An event of its own, which older SDKs ignore. */
  walletInfo: z.strictObject(byNamespace(() => z.optional(WalletInfo))),
} as const
export type HostEvent = keyof typeof hostEvents

export type HostParams<M extends HostMethod> = z.infer<(typeof hostMethods)[M]['params']>
export type HostResult<M extends HostMethod> = z.infer<(typeof hostMethods)[M]['result']>
export type PageParams<M extends PageMethod> = z.infer<(typeof pageMethods)[M]['params']>
