/** `from-host.ts` has the other direction. */
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

/** Default order (spec §2) without a wallet in the page. */
export const connectMethods = ['email', 'social', 'wallet'] as const
export const ConnectMethod = z.enum(connectMethods)
export type ConnectMethod = z.infer<typeof ConnectMethod>

export const linkVersion = 1
export const oldestLinkVersion = 1

/** Posted by the ready host, without data: any page may receive it. */
export const knock = 'postern:ready'

/** `v`: newest version; `min`: oldest. */
export const Hello = z.strictObject({
  type: z.literal('postern:hello'),
  v: z.int().check(z.positive()),
  min: z.int().check(z.positive()),
  sdk: z.string().check(z.maxLength(64)),
})
export type Hello = z.infer<typeof Hello>

/**
 * A wallet in the page, one entry per namespace.
 * `ANNOUNCED`: EIP-6963, Wallet Standard. `INJECTED`: globals. `EXTERNAL`: the dapp's.
 */
export const PageWallet = z.strictObject({
  id: Id,
  namespace: Namespace,
  type: z.enum(['ANNOUNCED', 'INJECTED', 'EXTERNAL']),
  name: z.string().check(z.minLength(1), z.maxLength(256)),
  /** EIP-6963. */
  rdns: z.optional(z.string().check(z.maxLength(256))),
  /** Replaces `rdns`: `standard:<name>`, `injected:<path>`, `external:<id>`. */
  key: z.optional(z.string().check(z.maxLength(256), z.regex(/^(standard|injected|external):./))),
  icon: z.optional(DataImage),
  /** Absent if undeclared. */
  networks: z.optional(z.array(CaipNetworkId).check(z.maxLength(64))),
  /** Default: all of the namespace. */
  methods: z.optional(z.array(z.enum(walletRequestMethods))),
})
export type PageWallet = z.infer<typeof PageWallet>

const PageWallets = z.array(PageWallet).check(z.maxLength(64))

/** Spec §2. */
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

/** Whole units. */
const DecimalAmount = z.string().check(z.regex(/^(0|[1-9][0-9]{0,59})(\.[0-9]{1,60})?$/))
const TokenName = z.string().check(z.minLength(1), z.maxLength(128))

/** Address on the active network, or symbol. */
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

/** Null removes a picture. */
const pictures = {
  logo: z.optional(z.nullable(OptionImage)),
  avatar: z.optional(z.nullable(OptionImage)),
}

/** BCP 47. */
const Locale = z.string().check(z.maxLength(35))

/** The dapp's options (docs/reference/options.md) and the page's state. No secrets, nothing executable. */
export const Init = z.strictObject({
  projectId: z.string().check(z.minLength(1), z.maxLength(64)),
  networks: z
    .array(z.union([z.string().check(z.maxLength(64)), NetworkDefinition]))
    .check(z.minLength(1), z.maxLength(128)),
  metadata: z.optional(Metadata),
  theme: z.optional(Theme),
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
  features: z.optional(SomeFeatures),
  /** The host drops anything but web URLs. */
  termsConditionsUrl: z.optional(z.string().check(z.maxLength(2048))),
  privacyPolicyUrl: z.optional(z.string().check(z.maxLength(2048))),
  ...pictures,
  disclaimer: z.optional(z.string().check(z.maxLength(512))),
  /** Unknown ids are ignored. */
  overrides: z.optional(z.record(z.string(), z.string())),
  accounts: z.optional(z.strictObject({ eip155: z.optional(z.enum(['smart', 'eoa'])) })),
  autoReconnect: z.optional(z.boolean()),
  /** Set with a sign-in plugin. `siwe`: the older configuration. */
  signIn: z.optional(z.enum(['siwx', 'siwe'])),
  pageWallets: PageWallets,
  /** Written by `store`, if the browser denies the frame storage. */
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
  /** Set at most one of `wallet`, `social`, `email`. */
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
  getProfile: z.strictObject({ address: z.string().check(z.minLength(1), z.maxLength(128)) }),
  /** `user`: adds who signed in, if the user agrees. */
  getIdentityToken: z.nullable(z.strictObject({ user: z.literal(true) })),
} as const

export const pageEvents = {
  signInChanged: Nothing,
  pageWallets: z.strictObject({ pageWallets: PageWallets }),
  /** EIP-1193. The connector parses `data`. */
  walletEvent: z.strictObject({
    wallet: Id,
    event: z.enum(['accountsChanged', 'chainChanged', 'disconnect', 'connect', 'message']),
    data: z.optional(z.unknown()),
  }),
  /** A transaction bypassed the host: balances may have changed. */
  transacted: z.strictObject({ namespace: Namespace }),
  /** Escape on the dialog. The host decides. */
  dismiss: Nothing,
} as const
export type PageEvent = keyof typeof pageEvents

/** `timeout` in ms; 0: none. */
export const pageAnswers = {
  walletRequest: { result: z.unknown(), timeout: 0 },
  openLink: { result: Nothing, timeout: 10_000 },
  store: { result: Nothing, timeout: 10_000 },
} as const
export type PageMethod = keyof typeof pageAnswers
export type PageResult<M extends PageMethod> = z.infer<(typeof pageAnswers)[M]['result']>
