import { hexOf } from '@postern/chains/hex'
import { isSameAddress } from '@postern/chains/same-address'
import type { CaipNetworkId, Connection, ErrorCode, Namespace } from '@postern/protocol'
import { Failure } from '@postern/protocol/failure'
import { base58 } from '@scure/base'

export type Account = { readonly namespace: Namespace; readonly chainId: CaipNetworkId; readonly address: string }

/** Null without an account, or on an unconfigured network. */
export function accountOf(namespace: Namespace, connection: Connection): Account | null {
  if (connection.status !== 'connected' || connection.unsupported === true) return null
  const address = addressOf(connection)
  return address === null ? null : { namespace, chainId: connection.networkId, address }
}

/** The address that signs in; on Bitcoin the payment address. */
export function addressOf({ accounts }: Extract<Connection, { status: 'connected' }>): string | null {
  return (accounts.find(({ type }) => type !== 'ordinals') ?? accounts[0])?.address ?? null
}

export function isSameAccount(one: Account, other: Account | null): boolean {
  return other !== null && one.chainId === other.chainId && isSameAddress(one.address, other.address)
}

/** The wallet shows the text, not its fields. */
export function mentionsAddress(message: string, { namespace, address }: Account): boolean {
  return dialects[namespace].isNamed(message, address)
}

type SigningRequest = { readonly method: string; readonly params: unknown }

export function requestOf({ namespace, address }: Account, message: string): SigningRequest {
  return dialects[namespace].requestOf(address, message)
}

type SignInDialect = {
  isNamed(message: string, address: string): boolean
  requestOf(address: string, message: string): SigningRequest
}

const isWritten = (message: string, address: string) => message.includes(address)

const dialects = {
  eip155: {
    isNamed: (message, address) => message.toLowerCase().includes(address.toLowerCase()),
    requestOf: (address, message) => ({ method: 'personal_sign', params: [`0x${hexOf(utf8(message))}`, address] }),
  },
  solana: {
    isNamed: isWritten,
    requestOf: (pubkey, message) => ({
      method: 'solana_signMessage',
      params: { message: base58.encode(utf8(message)), pubkey },
    }),
  },
  bip122: {
    isNamed: isWritten,
    requestOf(address, message) {
      // Verifiers accept any format that proves the address; for taproot that is BIP-322.
      const isTaproot = /^(bc|tb|bcrt)1p/.test(address)
      return { method: 'bip122_signMessage', params: { address, message, ...(isTaproot && { protocol: 'bip322' }) } }
    },
  },
} satisfies Record<Namespace, SignInDialect>

function utf8(text: string): Uint8Array {
  return new TextEncoder().encode(text)
}

/** EVM wallets return the signature bare. A changed message does not verify: INTERNAL. */
export function signatureIn(answer: unknown): string {
  const isRecord = typeof answer === 'object' && answer !== null
  if (isRecord && 'signedMessage' in answer && answer.signedMessage !== undefined)
    throw new Failure('INTERNAL', { message: 'The wallet changed the message before it signed it' })
  const signature = isRecord && 'signature' in answer ? answer.signature : answer
  if (typeof signature !== 'string' || signature === '') throw new Failure('INTERNAL')
  return signature
}

/** Applications often do not support a smart account's signature (spec §8). */
export function failureOf(connection: Connection, otherwise: ErrorCode): ErrorCode {
  const isSmart = connection.status === 'connected' && connection.accounts[0]?.type === 'smartAccount'
  return isSmart ? 'SMART_ACCOUNT_UNSUPPORTED' : otherwise
}
