/**
 * Requests to the wallet's frame (interop §1, and Postern's own).
 * No payload has a code: the user types it into the frame, and the request settles once the gateway accepts it.
 */
import * as z from 'zod/mini'
import { CaipNetworkId, Namespace } from '../caip'
import { Metadata } from '../entities/metadata'
import { SocialProvider } from '../features'
import { walletFrameRequestTimeout } from '../limits'
import {
  EmailChange,
  PreviousWallet,
  RecoveryMethod,
  ReplacementKind,
  SentHash,
  ThemeSync,
  WaitingTransaction,
  WalletDevice,
  WalletRecovery,
  WalletStorage,
  WalletUser,
  WalletWindowPurpose,
} from './entities'
import { ChainId, EmbeddedAccountType } from './fields'

const Nothing = z.optional(z.null())

/** `timeout` in ms; 0: none. */
const requests = {
  SWITCH_NETWORK: { payload: z.object({ chainId: ChainId }), success: z.object({ chainId: ChainId }), timeout: 0 },
  CONNECT_EMAIL: {
    payload: z.object({ email: z.string() }),
    success: z.object({ action: z.enum(['VERIFY_DEVICE', 'VERIFY_OTP', 'CONNECT']) }),
    timeout: walletFrameRequestTimeout,
  },
  CONNECT_DEVICE: { payload: Nothing, success: Nothing, timeout: walletFrameRequestTimeout },
  CONNECT_OTP: { payload: Nothing, success: Nothing, timeout: 0 },
  GET_SOCIAL_REDIRECT_URI: {
    payload: z.object({ provider: SocialProvider }),
    success: z.object({ uri: z.string() }),
    timeout: walletFrameRequestTimeout,
  },
  CONNECT_SOCIAL: {
    payload: z.object({
      uri: z.string(),
      preferredAccountType: z.optional(EmbeddedAccountType),
      chainId: z.optional(ChainId),
    }),
    success: WalletUser,
    timeout: walletFrameRequestTimeout,
  },
  GET_FARCASTER_URI: { payload: Nothing, success: z.object({ url: z.string() }), timeout: 0 },
  CONNECT_FARCASTER: { payload: Nothing, success: z.object({ userName: z.string() }), timeout: 0 },
  GET_USER: {
    payload: z.nullish(
      z.object({
        chainId: z.optional(ChainId),
        preferredAccountType: z.optional(EmbeddedAccountType),
        socialUri: z.optional(z.string()),
      }),
    ),
    success: WalletUser,
    timeout: 0,
  },
  SIGN_OUT: { payload: Nothing, success: Nothing, timeout: 0 },
  IS_CONNECTED: {
    payload: z.nullish(z.object({ token: z.string() })),
    success: z.object({ isConnected: z.boolean() }),
    timeout: 0,
  },
  GET_CHAIN_ID: { payload: Nothing, success: z.object({ chainId: ChainId }), timeout: 0 },
  GET_SMART_ACCOUNT_ENABLED_NETWORKS: {
    payload: Nothing,
    success: z.object({ smartAccountEnabledNetworks: z.array(z.number()) }),
    timeout: 0,
  },
  INIT_SMART_ACCOUNT: {
    payload: Nothing,
    success: z.object({ address: z.string(), isDeployed: z.boolean() }),
    timeout: 0,
  },
  SET_PREFERRED_ACCOUNT: {
    payload: z.object({ type: EmbeddedAccountType }),
    success: z.object({ type: EmbeddedAccountType, address: z.string() }),
    timeout: 0,
  },
  RPC_REQUEST: {
    payload: z.object({
      method: z.string().check(z.minLength(1), z.maxLength(128)),
      params: z.optional(z.unknown()),
      /** Default: the namespace's current network. */
      networkId: z.optional(CaipNetworkId),
    }),
    success: z.unknown(),
    timeout: 0,
  },
  UPDATE_EMAIL: {
    payload: z.object({ email: z.string() }),
    success: z.object({ action: z.enum(['VERIFY_PRIMARY_OTP', 'VERIFY_SECONDARY_OTP']) }),
    timeout: 0,
  },
  UPDATE_EMAIL_PRIMARY_OTP: { payload: Nothing, success: Nothing, timeout: 0 },
  UPDATE_EMAIL_SECONDARY_OTP: { payload: Nothing, success: EmailChange, timeout: 0 },
  SYNC_THEME: { payload: ThemeSync, success: Nothing, timeout: 0 },
  SYNC_DAPP_DATA: {
    payload: z.object({
      metadata: z.optional(Metadata),
      sdkVersion: z.optional(z.string()),
      sdkType: z.optional(z.string()),
      projectId: z.string(),
      /** Users can grant permissions. */
      smartSessions: z.optional(z.boolean()),
      /** The modal can show an `unprepared` approval. */
      showsUnprepared: z.optional(z.boolean()),
    }),
    success: Nothing,
    timeout: 0,
  },
  RPC_ABORT: { payload: z.object({ id: z.string() }), success: Nothing, timeout: 0 },
  RELOAD: { payload: Nothing, success: Nothing, timeout: 0 },

  /* ---- beyond interop §1 */
  /** Pending sign-in; survives a reload. */
  GET_EMAIL_SIGN_IN: {
    payload: Nothing,
    success: z.nullable(z.object({ email: z.string(), step: z.enum(['device', 'code']) })),
    timeout: walletFrameRequestTimeout,
  },
  /** Only a press in the frame approves, never a message. `asker`: the modal (`visitor`) or the dapp (default). */
  SHOW_APPROVAL: {
    payload: z.object({
      id: z.string().check(z.maxLength(64)),
      asker: z.optional(z.enum(['visitor', 'dapp'])),
    }),
    success: Nothing,
    timeout: walletFrameRequestTimeout,
  },
  HIDE_APPROVAL: { payload: Nothing, success: Nothing, timeout: walletFrameRequestTimeout },
  /** Both accounts', newest first. */
  GET_WAITING_TRANSACTIONS: {
    payload: z.object({ networkIds: z.array(CaipNetworkId).check(z.maxLength(64)) }),
    success: z.object({ transactions: z.array(WaitingTransaction) }),
    timeout: walletFrameRequestTimeout,
  },
  /** Built from the wallet's own record. `hash`: first version; the result has the replacement's. */
  REPLACE_TRANSACTION: {
    payload: z.object({ networkId: CaipNetworkId, hash: SentHash, kind: ReplacementKind }),
    success: z.object({ hash: SentHash }),
    timeout: 0,
  },
  REJECT: { payload: z.object({ id: z.string().check(z.maxLength(64)) }), success: Nothing, timeout: 0 },
  /** Takes the code of a sign-in page that cannot reach the frame. */
  SOCIAL_CODE: { payload: Nothing, success: Nothing, timeout: 0 },
  /** `recovery`: null until a wallet exists. */
  GET_SECURITY: {
    payload: Nothing,
    success: z.object({
      storage: WalletStorage,
      recovery: z.nullable(RecoveryMethod),
      devices: z.array(WalletDevice),
      recoveries: z.optional(z.array(WalletRecovery)),
      isExposed: z.optional(z.boolean()),
      previous: z.optional(z.nullable(PreviousWallet)),
    }),
    timeout: walletFrameRequestTimeout,
  },
  /** Other methods need the window. */
  CREATE_WALLET: { payload: z.object({ recovery: z.literal('gateway') }), success: Nothing, timeout: 0 },
  /** Needs a press in the frame. */
  FORGET_ENDED_WALLET: { payload: Nothing, success: Nothing, timeout: 0 },
  /** Needs a press in the frame, which names the device. */
  REVOKE_DEVICE: {
    payload: z.object({ id: z.string().check(z.maxLength(64)) }),
    success: Nothing,
    timeout: 0,
  },
  /** `until`: epoch ms. */
  SEE_RECOVERIES: {
    payload: z.object({ until: z.number() }),
    success: Nothing,
    timeout: walletFrameRequestTimeout,
  },
  /** After the user granted the modal storage (Storage Access API). */
  USE_GRANTED_STORAGE: {
    payload: Nothing,
    success: z.object({ storage: WalletStorage }),
    timeout: walletFrameRequestTimeout,
  },
  /** The modal opens it in the click's own task. */
  GET_WINDOW_URI: {
    payload: z.object({ purpose: WalletWindowPurpose }),
    success: z.object({ uri: z.string() }),
    timeout: walletFrameRequestTimeout,
  },
  /** May fail with WINDOW_CLOSED. */
  AWAIT_WINDOW: { payload: z.object({ purpose: WalletWindowPurpose }), success: Nothing, timeout: 0 },
  /** For the dapp's server. */
  GET_IDENTITY_TOKEN: {
    payload: z.object({ namespaces: z.array(Namespace).check(z.maxLength(8)) }),
    success: z.object({ token: z.string().check(z.maxLength(4096)) }),
    timeout: walletFrameRequestTimeout,
  },
  /** Adds who signed in. The user approves once per session and site. */
  SHARE_USER: {
    payload: z.object({ namespaces: z.array(Namespace).check(z.maxLength(8)) }),
    success: z.object({ token: z.string().check(z.maxLength(4096)) }),
    timeout: 0,
  },
  /** A press in the frame opens the window, which takes the code. */
  DELETE_ACCOUNT: { payload: Nothing, success: Nothing, timeout: 0 },
} as const

export type WalletFrameRequestName = keyof typeof requests
export type WalletFramePayload<N extends WalletFrameRequestName> = z.infer<(typeof requests)[N]['payload']>
export type WalletFrameSuccess<N extends WalletFrameRequestName> = z.infer<(typeof requests)[N]['success']>

export const walletFrameRequests: {
  readonly [N in WalletFrameRequestName]: {
    readonly payload: z.ZodMiniType<WalletFramePayload<N>>
    readonly success: z.ZodMiniType<WalletFrameSuccess<N>>
    readonly timeout: number
  }
} = requests

export function isWalletFrameRequestName(name: string): name is WalletFrameRequestName {
  return Object.hasOwn(requests, name)
}
