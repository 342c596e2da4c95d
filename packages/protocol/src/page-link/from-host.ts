/**
 * The page link between the SDK on a dapp's page and the modal host in its iframe.
 *
 * 1. The loaded host posts {@link knock}, without data, to its parent. No other message goes to `'*'`.
 * 2. The SDK sends {@link Hello} with a `MessagePort` to its own iframe, at the configured origin only.
 * 3. The host checks `event.source` and `event.origin`, then posts {@link Welcome}, or {@link Refusal} and closes the
 *    port.
 * 4. Both sides then ignore window messages and exchange {@link Envelope}s.
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

/** `v`: agreed version. */
export const Welcome = z.strictObject({ kind: z.literal('welcome'), v: z.int().check(z.positive()), host: z.string() })
export type Welcome = z.infer<typeof Welcome>

/** `origin`: as the browser reports it. */
export const Refusal = z.strictObject({ kind: z.literal('refused'), error: LinkError, origin: z.string() })
export type Refusal = z.infer<typeof Refusal>

const ImageUrl = z.string().check(z.maxLength(65_536))

export const ConnectorSummary = z.strictObject({
  id: z.string().check(z.minLength(1), z.maxLength(256)),
  name: z.string(),
  type: ConnectorType,
  imageUrl: z.optional(ImageUrl),
  /** Set if the wallet is in the page: its requests do not cross the link. */
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
    /** Not configured (spec §4). */
    unsupported: z.optional(z.literal(true)),
  }),
])
export type Connection = z.infer<typeof Connection>

/** The SDK ignores states with an older `seq`. */
export const HostState = z.strictObject({
  seq: z.int().check(z.gte(0)),
  open: z.boolean(),
  themeMode: ThemeMode,
  networks: z.array(Network),
  activeNetworkId: z.nullable(CaipNetworkId),
  connections: z.strictObject(byNamespace(() => z.optional(Connection))),
})
export type HostState = z.infer<typeof HostState>

export const Profile = z.strictObject({
  name: z.optional(z.string().check(z.minLength(1), z.maxLength(64))),
  avatar: z.optional(z.string().check(z.maxLength(262_144))),
})
export type Profile = z.infer<typeof Profile>

/** The wallet's report: verify it on chain. */
export const PaymentReceipt = z.strictObject({
  networkId: CaipNetworkId,
  hash: z.string().check(z.minLength(1), z.maxLength(128)),
  from: z.string().check(z.minLength(1), z.maxLength(128)),
})
export type PaymentReceipt = z.infer<typeof PaymentReceipt>

const Nothing = z.null()

export const hostMethods = {
  /** Must come first. */
  init: { params: hostParams.init, result: HostState, timeout: hostTimeouts.init },
  open: {
    params: hostParams.open,
    result: Nothing,
    timeout: hostTimeouts.open,
  },
  /** Resolves once sent; USER_REJECTED if the modal closes first. */
  pay: { params: hostParams.pay, result: PaymentReceipt, timeout: hostTimeouts.pay },
  /** `CLOSE_REFUSED` while closing is disabled. */
  close: { params: hostParams.close, result: Nothing, timeout: hostTimeouts.close },
  /** USER_REJECTED if the modal closes first. */
  connect: { params: hostParams.connect, result: Connection, timeout: hostTimeouts.connect },
  disconnect: { params: hostParams.disconnect, result: Nothing, timeout: hostTimeouts.disconnect },
  /** Adds the chain after 4902, 5000 or -32603 (spec §8). */
  switchNetwork: {
    params: hostParams.switchNetwork,
    result: Nothing,
    timeout: hostTimeouts.switchNetwork,
  },
  setTheme: { params: hostParams.setTheme, result: Nothing, timeout: hostTimeouts.setTheme },
  setOptions: { params: hostParams.setOptions, result: Nothing, timeout: hostTimeouts.setOptions },
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
  /** May ask the user. UNAUTHORIZED without an embedded wallet. */
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

export const pageMethods = {
  /** Joins an equal request of a lost host: a reload never prompts twice. */
  walletRequest: {
    params: z.strictObject({
      wallet: Id,
      method: z.enum(walletRequestMethods),
      params: z.optional(z.array(z.unknown())),
    }),
    ...pageAnswers.walletRequest,
  },
  /** Navigates for the host, whose frame may not. The page checks the link (`isOpenableLink`). */
  openLink: {
    params: z.strictObject({
      url: z.string().check(z.minLength(1), z.maxLength(8192)),
      target: z.enum(['app', 'tab']),
    }),
    ...pageAnswers.openLink,
  },
  /** Not secret. `null` deletes. */
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
  /** Notify other tabs. */
  sessionChanged: Nothing,
  /** Separate, so that older SDKs ignore it. */
  walletInfo: z.strictObject(byNamespace(() => z.optional(WalletInfo))),
} as const
export type HostEvent = keyof typeof hostEvents

export type HostParams<M extends HostMethod> = z.infer<(typeof hostMethods)[M]['params']>
export type HostResult<M extends HostMethod> = z.infer<(typeof hostMethods)[M]['result']>
export type PageParams<M extends PageMethod> = z.infer<(typeof pageMethods)[M]['params']>
