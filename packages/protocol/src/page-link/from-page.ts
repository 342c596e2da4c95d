/** Messages from the SDK to the modal host, with schemas. `from-host.ts` has the other direction. */
import * as z from 'zod/mini'
import { CaipNetworkId, Namespace } from '../caip'
import { ConnectMethod } from '../entities/connect-method'
import { ConnectorGroup } from '../entities/connector-group'
import { CustomWallet } from '../entities/custom-wallet'
import { DataImage, OptionImage } from '../entities/data-image'
import { Metadata } from '../entities/metadata'
import { NetworkDefinition } from '../entities/network-definition'
import { Theme, ThemeMode } from '../entities/theme'
import { SocialProvider, SomeFeatures } from '../features'
import { walletRequestMethods } from '../methods'
import { Id } from './envelope'

export const linkVersion = 1
export const oldestLinkVersion = 1

/** Posted by the host when ready. No data, so it reveals nothing. */
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
 * A wallet in the page, per namespace: `ANNOUNCED` (EIP-6963, Wallet Standard), `INJECTED` (`window.ethereum`, Bitcoin
 * extensions) or `EXTERNAL` (the dapp's).
 */
export const PageWallet = z.strictObject({
  /** From the SDK, unique for the page's lifetime. */
  id: Id,
  namespace: Namespace,
  type: z.enum(['ANNOUNCED', 'INJECTED', 'EXTERNAL']),
  name: z.string().check(z.minLength(1), z.maxLength(256)),
  /** EIP-6963. Sessions are restored by it. */
  rdns: z.optional(z.string().check(z.maxLength(256))),
  /** For wallets without rdns: `standard:<name>`, `injected:<path>`, `external:<id>`. */
  key: z.optional(z.string().check(z.maxLength(256), z.regex(/^(standard|injected|external):./))),
  icon: z.optional(DataImage),
  /** Absent if the wallet declares none. */
  networks: z.optional(z.array(CaipNetworkId).check(z.maxLength(64))),
  /** Default: all of its namespace (EIP-1193). */
  methods: z.optional(z.array(z.enum(walletRequestMethods))),
})
export type PageWallet = z.infer<typeof PageWallet>

/** More than any user has. */
const PageWallets = z.array(PageWallet).check(z.maxLength(64))

/* ---------------------------------------------------------------- requests from the page to the host */

/** Views of spec §2. If its feature or account is missing, the default view opens. */
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

/** `token`: address. Default: the native currency. */
export const PaymentRequest = z.strictObject({
  networkId: CaipNetworkId,
  token: z.optional(TokenName),
  amount: DecimalAmount,
  recipient: z.string().check(z.minLength(1), z.maxLength(128)),
  /** Shown to the user. */
  reference: z.optional(z.string().check(z.maxLength(64))),
})
export type PaymentRequest = z.infer<typeof PaymentRequest>

/** The dapp's pictures; null removes one. */
const pictures = {
  /** Above the ways to connect. */
  logo: z.optional(z.nullable(OptionImage)),
  /** Of the connected account, in the account view. */
  avatar: z.optional(z.nullable(OptionImage)),
}

/** BCP 47. */
const Locale = z.string().check(z.maxLength(35))

/** Sent once per link: no secrets, nothing executable. */
export const Init = z.strictObject({
  projectId: z.string().check(z.minLength(1), z.maxLength(64)),
  /** Aliases, CAIP-2 ids or definitions; the first is the default. */
  networks: z
    .array(z.union([z.string().check(z.maxLength(64)), NetworkDefinition]))
    .check(z.minLength(1), z.maxLength(128)),
  metadata: z.optional(Metadata),
  theme: z.optional(Theme),
  /** The page's `prefers-color-scheme`. */
  colorScheme: ThemeMode,
  locale: z.optional(Locale),
  /** Ids, rdns or directory ids (spec §2). */
  featuredWallets: z.optional(z.array(z.string().check(z.maxLength(256)))),
  includeWallets: z.optional(z.array(z.string().check(z.maxLength(256)))),
  excludeWallets: z.optional(z.array(z.string().check(z.maxLength(256)))),
  /** Spec §2, group `custom`. */
  customWallets: z.optional(z.array(CustomWallet).check(z.maxLength(64))),
  /** `false`: no WalletConnect, even if the gateway supports it. */
  walletConnect: z.optional(z.boolean()),
  /** `false`: the dapp itself tells the user that a request waits on their phone. */
  walletPrompt: z.optional(z.boolean()),
  /** Listed first; the others follow as in spec §2. */
  connectorTypeOrder: z.optional(z.array(ConnectorGroup).check(z.maxLength(16))),
  /** Spec §2. */
  connectMethodsOrder: z.optional(z.array(ConnectMethod).check(z.maxLength(8))),
  /** Defaults: spec §1. The project's settings win. */
  features: z.optional(SomeFeatures),
  /** Beside the checkbox of `features.legalCheckbox`; the host omits anything but web URLs. */
  termsConditionsUrl: z.optional(z.string().check(z.maxLength(2048))),
  privacyPolicyUrl: z.optional(z.string().check(z.maxLength(2048))),
  ...pictures,
  /** The dapp's text at the foot of Connect. */
  disclaimer: z.optional(z.string().check(z.maxLength(512))),
  /** The dapp's texts by message id; the host ignores ids that a dapp may not change. */
  overrides: z.optional(z.record(z.string(), z.string())),
  /** Account type of an embedded wallet user who has not chosen one. */
  accounts: z.optional(z.strictObject({ eip155: z.optional(z.enum(['smart', 'eoa'])) })),
  /** `false`: does not restore connections of earlier visits. */
  autoReconnect: z.optional(z.boolean()),
  /** The page has a sign-in plugin (`signInMethods`). `siwe`: the older configuration, with its own view. */
  signIn: z.optional(z.enum(['siwx', 'siwe'])),
  pageWallets: PageWallets,
  /** What the page stores for the host (`store`), if the browser denies the frame storage. */
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
  /** Of a connected account. */
  getProfile: z.strictObject({ address: z.string().check(z.minLength(1), z.maxLength(128)) }),
  /** `user`: also who signed in, if the user agrees. */
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
  /** A request went past the host: balances may have changed. */
  transacted: z.strictObject({ namespace: Namespace }),
  /** Escape on the dialog. The host decides. */
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
