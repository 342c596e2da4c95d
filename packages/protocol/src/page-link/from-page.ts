/** Messages from the SDK to the modal host, with schemas. `from-host.ts` has the other direction. */
import * as z from 'zod/mini'
import { CaipNetworkId, Namespace } from '../caip'
import { ConnectorGroup } from '../entities/connector-group'
import { CustomWallet, DataImage, OptionImage } from '../entities/custom-wallet'
import { Metadata } from '../entities/metadata'
import { NetworkDefinition } from '../entities/network-definition'
import { Theme, ThemeMode } from '../entities/theme'
import { SocialProvider, SomeFeatures } from '../features'
import { walletRequestMethods } from '../methods'
import { Id } from './envelope'

/** Spec §2. Default: email, social, wallet; with a wallet in the page: wallet, email, social. */
export const connectMethods = ['email', 'social', 'wallet'] as const
export const ConnectMethod = z.enum(connectMethods)
export type ConnectMethod = z.infer<typeof ConnectMethod>

export const linkVersion = 1
export const oldestLinkVersion = 1

/** Posted by the host when ready. It has no data, because any page may receive it. */
export const knock = 'postern:ready'

/** Sent by the SDK to its own iframe, with a port. `v`: newest supported version. `min`: oldest. */
export const Hello = z.strictObject({
  type: z.literal('postern:hello'),
  v: z.int().check(z.positive()),
  min: z.int().check(z.positive()),
  /** For diagnosis and the directory's `sv`. */
  sdk: z.string().check(z.maxLength(64)),
})
export type Hello = z.infer<typeof Hello>

/* ---------------------------------------------------------------- what the page has */

/**
 * A wallet in the page, one entry per namespace.
 * `ANNOUNCED`: EIP-6963, Wallet Standard. `INJECTED`: `window.ethereum`, Bitcoin extensions. `EXTERNAL`: the dapp's.
 */
export const PageWallet = z.strictObject({
  /** From the SDK, unique for the page's lifetime. */
  id: Id,
  namespace: Namespace,
  type: z.enum(['ANNOUNCED', 'INJECTED', 'EXTERNAL']),
  name: z.string().check(z.minLength(1), z.maxLength(256)),
  /** EIP-6963. Identifies the wallet when a session is restored. */
  rdns: z.optional(z.string().check(z.maxLength(256))),
  /** Replaces `rdns` for wallets without one: `standard:<name>`, `injected:<path>`, `external:<id>`. */
  key: z.optional(z.string().check(z.maxLength(256), z.regex(/^(standard|injected|external):./))),
  icon: z.optional(DataImage),
  /** Absent if the wallet declares none. */
  networks: z.optional(z.array(CaipNetworkId).check(z.maxLength(64))),
  /** Default: all methods of the namespace (EIP-1193). */
  methods: z.optional(z.array(z.enum(walletRequestMethods))),
})
export type PageWallet = z.infer<typeof PageWallet>

/** No user has more. */
const PageWallets = z.array(PageWallet).check(z.maxLength(64))

/* ---------------------------------------------------------------- requests from the page to the host */

/** Views of spec §2. If the feature or account of a view is missing, the default view opens. */
export const ViewName = z.enum([
  'Connect',
  'AllWallets',
  'Account',
  'Networks',
  'WhatIsAWallet',
  'ConnectingWalletConnectBasic',
  'Send',
  'Receive',
  'Swap',
  'OnRamp',
  'RegisterAccountName',
  'Tokens',
  'Nfts',
  'Activity',
  'SmartSessions',
  'WalletSecurity',
])
export type ViewName = z.infer<typeof ViewName>

/** Non-negative, in whole units. */
const DecimalAmount = z.string().check(z.regex(/^(0|[1-9][0-9]{0,59})(\.[0-9]{1,60})?$/))
const TokenName = z.string().check(z.minLength(1), z.maxLength(128))

/** Tokens: address on the active network, or symbol. */
export const SwapArguments = z.strictObject({
  amount: z.optional(DecimalAmount),
  fromToken: z.optional(TokenName),
  toToken: z.optional(TokenName),
})
export type SwapArguments = z.infer<typeof SwapArguments>

export const PaymentRequest = z.strictObject({
  networkId: CaipNetworkId,
  token: z.optional(TokenName),
  amount: DecimalAmount,
  recipient: z.string().check(z.minLength(1), z.maxLength(128)),
  reference: z.optional(z.string().check(z.maxLength(64))),
})
export type PaymentRequest = z.infer<typeof PaymentRequest>

/** The dapp's pictures; null removes one. */
const pictures = {
  logo: z.optional(z.nullable(OptionImage)),
  avatar: z.optional(z.nullable(OptionImage)),
}

/** BCP 47. */
const Locale = z.string().check(z.maxLength(35))

/**
 * The dapp's options (docs/reference/options.md) and the page's state.
 * Sent once per link: no secrets, nothing executable.
 */
export const Init = z.strictObject({
  projectId: z.string().check(z.minLength(1), z.maxLength(64)),
  networks: z
    .array(z.union([z.string().check(z.maxLength(64)), NetworkDefinition]))
    .check(z.minLength(1), z.maxLength(128)),
  metadata: z.optional(Metadata),
  theme: z.optional(Theme),
  /** The page's `prefers-color-scheme`. */
  colorScheme: ThemeMode,
  locale: z.optional(Locale),
  featuredWallets: z.optional(z.array(z.string().check(z.maxLength(256)))),
  includeWallets: z.optional(z.array(z.string().check(z.maxLength(256)))),
  excludeWallets: z.optional(z.array(z.string().check(z.maxLength(256)))),
  customWallets: z.optional(z.array(CustomWallet).check(z.maxLength(64))),
  walletConnect: z.optional(z.boolean()),
  walletPrompt: z.optional(z.boolean()),
  connectorTypeOrder: z.optional(z.array(ConnectorGroup).check(z.maxLength(16))),
  connectMethodsOrder: z.optional(z.array(ConnectMethod).check(z.maxLength(8))),
  /** The project's settings override them. */
  features: z.optional(SomeFeatures),
  /** The host drops anything but web URLs. */
  termsConditionsUrl: z.optional(z.string().check(z.maxLength(2048))),
  privacyPolicyUrl: z.optional(z.string().check(z.maxLength(2048))),
  ...pictures,
  disclaimer: z.optional(z.string().check(z.maxLength(512))),
  /** The host ignores ids that a dapp may not change. */
  overrides: z.optional(z.record(z.string(), z.string())),
  accounts: z.optional(z.strictObject({ eip155: z.optional(z.enum(['smart', 'eoa'])) })),
  autoReconnect: z.optional(z.boolean()),
  /** Set if the page has a sign-in plugin (`signInMethods`). `siwe`: the older configuration, with its own view. */
  signIn: z.optional(z.enum(['siwx', 'siwe'])),
  pageWallets: PageWallets,
  /** Values that the page stores for the host (`store`), for browsers that deny the frame storage. */
  stored: z.record(z.string(), z.string()),
})
export type Init = z.infer<typeof Init>

const Nothing = z.null()

export const hostParams = {
  init: Init,
  open: z.strictObject({
    view: z.optional(ViewName),
    swap: z.optional(SwapArguments),
    namespace: z.optional(Namespace),
  }),
  pay: PaymentRequest,
  close: Nothing,
  /** `wallet`, `social` and `email` skip the choice; set at most one. */
  connect: z.strictObject({
    namespace: z.optional(Namespace),
    wallet: z.optional(z.string().check(z.minLength(1), z.maxLength(256))),
    social: z.optional(SocialProvider),
    email: z.optional(z.string().check(z.maxLength(254))),
  }),
  disconnect: z.strictObject({ namespace: z.optional(Namespace) }),
  switchNetwork: z.strictObject({ network: z.string().check(z.maxLength(64)) }),
  setTheme: z.strictObject({ theme: Theme, colorScheme: ThemeMode }),
  setOptions: z.strictObject({
    locale: z.optional(Locale),
    features: z.optional(SomeFeatures),
    metadata: z.optional(Metadata),
    ...pictures,
  }),
  rpc: z.strictObject({
    namespace: Namespace,
    networkId: z.optional(CaipNetworkId),
    method: z.string().check(z.minLength(1), z.maxLength(128)),
    params: z.optional(z.unknown()),
  }),
  peerChanged: z.strictObject({ stored: z.record(z.string(), z.string()) }),
  ping: Nothing,
  diagnose: Nothing,
  getWallets: Nothing,
  /** The address of a connected account. */
  getProfile: z.strictObject({ address: z.string().check(z.minLength(1), z.maxLength(128)) }),
  /** `user`: the token also says who signed in, if the user agrees. */
  getIdentityToken: z.nullable(z.strictObject({ user: z.literal(true) })),
} as const

export const pageEvents = {
  /** A session ended, or the dapp signed the user in or out. */
  signInChanged: Nothing,
  /** The full list, on every change. */
  pageWallets: z.strictObject({ pageWallets: PageWallets }),
  /** EIP-1193. The connector parses `data`. */
  walletEvent: z.strictObject({
    wallet: Id,
    event: z.enum(['accountsChanged', 'chainChanged', 'disconnect', 'connect', 'message']),
    data: z.optional(z.unknown()),
  }),
  /** A transaction did not pass the host: balances may have changed. */
  transacted: z.strictObject({ namespace: Namespace }),
  /** The user pressed Escape on the dialog. The host decides what to do. */
  dismiss: Nothing,
} as const
export type PageEvent = keyof typeof pageEvents

/* ---------------------------------------------------------------- responses of the page to the host */

/** `timeout` in ms; 0: waits for the user. */
export const pageAnswers = {
  walletRequest: { result: z.unknown(), timeout: 0 },
  openLink: { result: Nothing, timeout: 10_000 },
  store: { result: Nothing, timeout: 10_000 },
} as const
export type PageMethod = keyof typeof pageAnswers
export type PageResult<M extends PageMethod> = z.infer<(typeof pageAnswers)[M]['result']>
