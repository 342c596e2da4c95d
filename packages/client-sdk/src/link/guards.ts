/** Hand-written guards; see `../state-guards.ts`. */
import type { Envelope, HostResult, LinkError, PageParams, Refusal, Welcome } from '@postern/protocol'
import {
  anything,
  type Check,
  id,
  integer,
  isRecord,
  list,
  networkId,
  object,
  oneOf,
  optional,
  text,
} from '../state-guards'

const linkError = object({
  code: id,
  message: text(),
  rpc: optional(integer()),
  data: anything,
  fix: optional(text(512)),
})

export function isLinkError(value: unknown): value is LinkError {
  return linkError(value)
}

const welcome = object({ kind: oneOf('welcome'), v: integer(1), host: text() })

export function isWelcome(value: unknown): value is Welcome {
  return welcome(value)
}

const refusal = object({ kind: oneOf('refused'), error: linkError, origin: text() })

export function isRefusal(value: unknown): value is Refusal {
  return refusal(value)
}

const head = { v: oneOf(1), id, kind: anything }
const envelopes: Readonly<Record<string, Check>> = {
  request: object({ ...head, method: text(64), params: anything }),
  result: object({ ...head, result: anything }),
  error: object({ ...head, error: linkError }),
  cancel: object(head),
  event: object({ ...head, event: text(64), data: anything }),
}

export function isEnvelope(value: unknown): value is Envelope {
  if (!isRecord(value) || typeof value.kind !== 'string') return false
  return Object.hasOwn(envelopes, value.kind) && envelopes[value.kind]?.(value) === true
}

const walletRequest = object({
  wallet: id,
  method: oneOf(
    'eth_accounts',
    'eth_requestAccounts',
    'eth_chainId',
    'wallet_switchEthereumChain',
    'wallet_addEthereumChain',
    'wallet_revokePermissions',
    'personal_sign',
    'eth_signTypedData_v4',
    'eth_sendTransaction',
    'wallet_getCapabilities',
    'wallet_getAssets',
    'wallet_sendCalls',
    'wallet_getCallsStatus',
    ...[
      'getAccounts',
      'requestAccounts',
      'disconnect',
      'signMessage',
      'signTransaction',
      'signAllTransactions',
      'signAndSendTransaction',
    ].map((name) => `solana_${name}`),
    ...[
      'getAccountAddresses',
      'requestAccounts',
      'disconnect',
      'getNetwork',
      'switchNetwork',
      'signMessage',
      'signPsbt',
      'sendTransfer',
    ].map((name) => `bip122_${name}`),
  ),
  params: optional(list(anything)),
})

export function isWalletRequest(value: unknown): value is PageParams<'walletRequest'> {
  return walletRequest(value)
}

const store = object({ key: text(128, 1), value: (value) => value === null || text(1_048_576)(value) })

export function isStore(value: unknown): value is PageParams<'store'> {
  return store(value)
}

const openLink = object({ url: text(8192, 1), target: oneOf('app', 'tab') })

export function isOpenLink(value: unknown): value is PageParams<'openLink'> {
  return openLink(value)
}

const receipt = object({ networkId, hash: text(128, 1), from: text(128, 1) })

export function isReceipt(value: unknown): value is HostResult<'pay'> {
  return receipt(value)
}
