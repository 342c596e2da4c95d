/** Messages from the SDK on a dapp's page to the modal host, with their schemas. `from-host.ts` has the other half. */
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

/** The current and the oldest supported version. */
export const linkVersion = 1
export const oldestLinkVersion = 1

/** Posted by the host when ready. It has no data, so it reveals nothing. */
export const knock = 'postern:ready'

/** Sent by the SDK to its own iframe, with a port. `v`: newest supported version, `min`: oldest. */
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
 * A wallet in the page, per namespace: announced (`ANNOUNCED`: EIP-6963, Wallet Standard), injected (`INJECTED`:
 * `window.ethereum`, Bitcoin extensions), or the dapp's own (`EXTERNAL`).
 */
export const PageWallet = z.strictObject({
  /** Made by the SDK, unique for the page's lifetime. */
  id: Id,
  namespace: Namespace,
  type: z.enum(['ANNOUNCED', 'INJECTED', 'EXTERNAL']),
  name: z.string().check(z.minLength(1), z.maxLength(256)),
  /** EIP-6963. Sessions are restored by it. */
  rdns: z.optional(z.string().check(z.maxLength(256))),
  /** For wallets without rdns: `standard:<name>`, `injected:<path>`, `external:<id>`. */
  key: z.optional(z.string().check(z.maxLength(256), z.regex(/^(standard|injected|external):./))),
  icon: z.optional(DataImage),
  /** Absent if it declares none. */
  networks: z.optional(z.array(CaipNetworkId).check(z.maxLength(64))),
  /** Subset of `walletRequestMethods`. Absent: all of its namespace (EIP-1193). */
  methods: z.optional(z.array(z.enum(walletRequestMethods))),
})
export type PageWallet = z.infer<typeof PageWallet>

/** More than any user has. */
const PageWallets = z.array(PageWallet).check(z.maxLength(64))

/* ---------------------------------------------------------------- requests from the page to the host */

/** Views of spec §2. Without its feature or account, the default view opens. */
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

/** A token: address on the active network, or symbol. */
export const SwapArguments = z.strictObject({
  amount: z.optional(DecimalAmount),
  fromToken: z.optional(TokenName),
  toToken: z.optional(TokenName),
})
export type SwapArguments = z.infer<typeof SwapArguments>

/** `token`: address on the network; default: the native currency. */
export const PaymentRequest = z.strictObject({
  networkId: CaipNetworkId,
  token: z.optional(TokenName),
  amount: DecimalAmount,
  recipient: z.string().check(z.minLength(1), z.maxLength(128)),
  /** Shown to the user. */
  reference: z.optional(z.string().check(z.maxLength(64))),
})
export type PaymentRequest = z.infer<typeof PaymentRequest>

/** The dapp's own; null takes one back. */
const pictures = {
  /** Above the ways to connect. */
  logo: z.optional(z.nullable(OptionImage)),
  /** Picture of the connected account in the account view. */
  avatar: z.optional(z.nullable(OptionImage)),
}

/** BCP 47. */
const Locale = z.string().check(z.maxLength(35))

/** Sent once per link: no secrets, nothing executable. */
export const Init = z.strictObject({
  projectId: z.string().check(z.minLength(1), z.maxLength(64)),
  /** Aliases (`'base'`), CAIP-2 ids (`'eip155:8453'`) or definitions; the first is the default. */
  networks: z
    .array(z.union([z.string().check(z.maxLength(64)), NetworkDefinition]))
    .check(z.minLength(1), z.maxLength(128)),
  metadata: z.optional(Metadata),
  theme: z.optional(Theme),
  /** The page's `prefers-color-scheme`. */
  colorScheme: ThemeMode,
  /** BCP 47. */
  locale: z.optional(Locale),
  /** Ids, rdns or directory ids (spec §2). */
  featuredWallets: z.optional(z.array(z.string().check(z.maxLength(256)))),
  includeWallets: z.optional(z.array(z.string().check(z.maxLength(256)))),
  excludeWallets: z.optional(z.array(z.string().check(z.maxLength(256)))),
  /** See spec §2, group `custom`. */
  customWallets: z.optional(z.array(CustomWallet).check(z.maxLength(64))),
  /** `false` disables WalletConnect, even if the gateway supports it. */
  walletConnect: z.optional(z.boolean()),
  /** False: the dapp tells the user itself that a phone is asked. */
  walletPrompt: z.optional(z.boolean()),
  /** Listed first; the others follow in the order of spec §2. */
  connectorTypeOrder: z.optional(z.array(ConnectorGroup).check(z.maxLength(16))),
  /** See spec §2. */
  connectMethodsOrder: z.optional(z.array(ConnectMethod).check(z.maxLength(8))),
  /** Defaults: spec §1. The project's own win. */
  features: z.optional(SomeFeatures),
  /** Beside the checkbox of `features.legalCheckbox`; the host omits anything but web URLs. */
  termsConditionsUrl: z.optional(z.string().check(z.maxLength(2048))),
  privacyPolicyUrl: z.optional(z.string().check(z.maxLength(2048))),
  ...pictures,
  /** The dapp's own words at the foot of Connect. */
  disclaimer: z.optional(z.string().check(z.maxLength(512))),
  /** The dapp's own words, by the id of the message; the host ignores ids that are not the dapp's to change. */
  overrides: z.optional(z.record(z.string(), z.string())),
  /** Account type of a user of the embedded wallet who has not chosen one. */
  accounts: z.optional(z.strictObject({ eip155: z.optional(z.enum(['smart', 'eoa'])) })),
  /** `false`: connections of earlier visits are not restored. */
  autoReconnect: z.optional(z.boolean()),
  /** Set with a sign-in plugin (`pageMethods.siwx…`). `siwe`: the older configuration, with its own view. */
  signIn: z.optional(z.enum(['siwx', 'siwe'])),
  pageWallets: PageWallets,
  /** Values that the page stores for the host (see `store`), if the browser denies the frame storage. */
  stored: z.record(z.string(), z.string()),
})
export type Init = z.infer<typeof Init>

const Nothing = z.null()

/** All that the page can reach. */
export const hostParams = {
  init: Init,
  open: z.strictObject({
    view: z.optional(ViewName),
    swap: z.optional(SwapArguments),
    namespace: z.optional(Namespace),
  }),
  pay: PaymentRequest,
  close: Nothing,
  /** `wallet`, `social` and `email` skip the choice; at most one of them. */
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
  /** Sent without the host, so balances may have changed. */
  transacted: z.strictObject({ namespace: Namespace }),
  /** Escape on the dialog. The host decides. */
  dismiss: Nothing,
} as const
export type PageEvent = keyof typeof pageEvents

/* ---------------------------------------------------------------- responses of the page to the host */

/** Timeouts in ms; 0 if it waits for the user. */
export const pageAnswers = {
  walletRequest: { result: z.unknown(), timeout: 0 },
  openLink: { result: Nothing, timeout: 10_000 },
  store: { result: Nothing, timeout: 10_000 },
} as const
export type PageMethod = keyof typeof pageAnswers
export type PageResult<M extends PageMethod> = z.infer<(typeof pageAnswers)[M]['result']>
