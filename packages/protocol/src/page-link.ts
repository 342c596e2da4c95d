/**
 * The page link: everything that the client SDK on a dapp's page and the modal host in its iframe may say to each other.
 *
 * 1. The host, once loaded, posts {@link knock} to its parent. It carries nothing, and is the only message sent to `'*'`.
 * 2. The SDK answers its own iframe, at the configured origin only, with {@link Hello} and moves a `MessagePort` with it.
 * 3. The host checks `event.source` and `event.origin` and answers on the port: {@link Welcome}, or {@link Refusal} and the port closes.
 * 4. From then on both sides ignore window messages. All else are {@link Envelope}s on the port.
 *
 * Each side serves a fixed table: {@link hostMethods} for what the page may ask of the host, {@link pageMethods} (and `signInMethods`) for the reverse.
 * What the host takes from the page has its schemas in page-link-taken.ts; here is what it sends, which the page holds to guards of its own.
 */
import * as z from 'zod/mini'
import { CaipNetworkId } from './caip'
import { Account, ConnectorType } from './entities'
import { Network } from './entities-later'
import { hostParams, Id, LinkError, type PageMethod, pageAnswers, ThemeMode } from './page-link-taken'
import { walletRequestMethods } from './wallet-methods'

/** First message on the port when the host takes the page in. `v` is the version both will speak. */
export const Welcome = z.strictObject({ kind: z.literal('welcome'), v: z.int().check(z.positive()), host: z.string() })
export type Welcome = z.infer<typeof Welcome>

/** First and last message on the port when the host does not: the origin as the browser reported it, and why. */
export const Refusal = z.strictObject({ kind: z.literal('refused'), error: LinkError, origin: z.string() })
export type Refusal = z.infer<typeof Refusal>

/* ---------------------------------------------------------------- state */

const ImageUrl = z.string().check(z.maxLength(65_536))

/** The connector that holds a connection, as far as the page may know it. */
export const ConnectorSummary = z.strictObject({
  id: z.string().check(z.minLength(1), z.maxLength(256)),
  name: z.string(),
  type: ConnectorType,
  imageUrl: z.optional(ImageUrl),
  /** Set when the wallet lives in the page: requests then go straight to it and never cross the link. */
  pageWallet: z.optional(Id),
})
export type ConnectorSummary = z.infer<typeof ConnectorSummary>

/** One namespace's connection. `connecting` and `reconnecting` may already know who was connected. */
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
    /** The first one is the active account. Never empty. */
    accounts: z.array(Account).check(z.minLength(1)),
    networkId: CaipNetworkId,
    /** Set when `networkId` is none of the configured networks (spec §4, UnsupportedChain). */
    unsupported: z.optional(z.literal(true)),
  }),
])
export type Connection = z.infer<typeof Connection>

/** The host's truth, replicated in the page. `seq` grows by one with each change; the SDK ignores older ones. */
export const HostState = z.strictObject({
  seq: z.int().check(z.gte(0)),
  open: z.boolean(),
  themeMode: ThemeMode,
  /** The configured networks after aliases and defaults are resolved. */
  networks: z.array(Network),
  /** The active network; its namespace is the active namespace. */
  activeNetworkId: z.nullable(CaipNetworkId),
  connections: z.strictObject({
    eip155: z.optional(Connection),
    solana: z.optional(Connection),
    bip122: z.optional(Connection),
  }),
})
export type HostState = z.infer<typeof HostState>

/* ---------------------------------------------------------------- the page asks the host */

/** Sent, as the wallet says; a server looks at the chain before it believes it. */
export const PaymentReceipt = z.strictObject({
  networkId: CaipNetworkId,
  hash: z.string().check(z.minLength(1), z.maxLength(128)),
  from: z.string().check(z.minLength(1), z.maxLength(128)),
})
export type PaymentReceipt = z.infer<typeof PaymentReceipt>

const Nothing = z.null()

/** Every method the host serves. Nothing else is reachable from the page. `timeout` in ms, 0 where a person is being waited for. */
export const hostMethods = {
  /** Must be the first request on a link; everything before it is refused. */
  init: { params: hostParams.init, result: HostState, timeout: 20_000 },
  /** `swap` counts for the view Swap alone. */
  open: {
    params: hostParams.open,
    result: Nothing,
    timeout: 10_000,
  },
  /** Opens Pay; settles once the payment is sent, or with USER_REJECTED when the modal closes first. */
  pay: { params: hostParams.pay, result: PaymentReceipt, timeout: 0 },
  /** Refused with `CLOSE_REFUSED` while closing is disabled. */
  close: { params: hostParams.close, result: Nothing, timeout: 10_000 },
  /** Opens Connect; settles with the connection, or USER_REJECTED when the modal closes first. */
  connect: { params: hostParams.connect, result: Connection, timeout: 0 },
  /** All namespaces when none is named. */
  disconnect: { params: hostParams.disconnect, result: Nothing, timeout: 30_000 },
  /** Takes an alias as well as a CAIP-2 id. Runs the add-chain flow on 4902, 5000 and -32603 (spec §8). */
  switchNetwork: {
    params: hostParams.switchNetwork,
    result: Nothing,
    timeout: 0,
  },
  setTheme: { params: hostParams.setTheme, result: Nothing, timeout: 10_000 },
  /** A JSON-RPC request that no page wallet answers: reads by the chain's endpoint, wallets that live behind the host. */
  rpc: {
    params: hostParams.rpc,
    result: z.unknown(),
    timeout: 0,
  },
  /** Another tab of the same dapp changed a session: look again. */
  peerChanged: {
    params: hostParams.peerChanged,
    result: Nothing,
    timeout: 10_000,
  },
  ping: { params: hostParams.ping, result: Nothing, timeout: 10_000 },
  diagnose: {
    params: hostParams.diagnose,
    result: z.array(z.strictObject({ check: z.string(), ok: z.boolean(), detail: z.string() })),
    timeout: 20_000,
  },
} as const
export type HostMethod = keyof typeof hostMethods

/* ---------------------------------------------------------------- the host asks the page */

export const pageMethods = {
  /** Joined with an equal request in flight, so that a reload of the host never asks the visitor twice. */
  walletRequest: {
    params: z.strictObject({
      wallet: Id,
      method: z.enum(walletRequestMethods),
      params: z.optional(z.array(z.unknown())),
    }),
    ...pageAnswers.walletRequest,
  },
  /**
   * Opens a link of a wallet in the visitor's name: the frame may not navigate the page. The page checks the scheme itself (`isOpenableLink`).
   * `app` is handed to the system and leaves the page as it is; `tab` opens a new tab without an opener.
   */
  openLink: {
    params: z.strictObject({
      url: z.string().check(z.minLength(1), z.maxLength(8192)),
      target: z.enum(['app', 'tab']),
    }),
    ...pageAnswers.openLink,
  },
  /** Keeps a value that holds no secret for the host; `null` forgets it. Keys carry the product's prefix in the page's own storage. */
  store: {
    params: z.strictObject({
      key: z.string().check(z.minLength(1), z.maxLength(128)),
      value: z.nullable(z.string().check(z.maxLength(1_048_576))),
    }),
    ...pageAnswers.store,
  },
} as const

/** Events from the host. */
export const hostEvents = {
  state: HostState,
  /** A session changed by what the visitor did here: tell this dapp's other tabs. */
  sessionChanged: Nothing,
} as const
export type HostEvent = keyof typeof hostEvents

export type HostParams<M extends HostMethod> = z.infer<(typeof hostMethods)[M]['params']>
export type HostResult<M extends HostMethod> = z.infer<(typeof hostMethods)[M]['result']>
export type PageParams<M extends PageMethod> = z.infer<(typeof pageMethods)[M]['params']>
