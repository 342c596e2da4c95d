/** Who signs in, and how the wallet of each namespace is asked for the signature. */

import { hexOf } from '@postern/chains/hex'
import { isSameAddress } from '@postern/chains/same-address'
import type { CaipNetworkId, Connection, ErrorCode, Namespace } from '@postern/protocol'
import { Failure } from '@postern/protocol/failure'
import { base58 } from '@scure/base'

/** Who would be signed in: one account on one chain. */
export type Account = { readonly namespace: Namespace; readonly chainId: CaipNetworkId; readonly address: string }

/** The account that a connection would sign in; null where it is none, or on a network that nobody configured. */
export function accountOf(namespace: Namespace, connection: Connection): Account | null {
  if (connection.status !== 'connected' || connection.unsupported === true) return null
  const address = addressOf(connection)
  return address === null ? null : { namespace, chainId: connection.networkId, address }
}

/** The address that signs in: of Bitcoin's two the one that pays. */
export function addressOf({ accounts }: Extract<Connection, { status: 'connected' }>): string | null {
  return (accounts.find(({ type }) => type !== 'ordinals') ?? accounts[0])?.address ?? null
}

export function isSameAccount(one: Account, other: Account | null): boolean {
  return other !== null && one.chainId === other.chainId && isSameAddress(one.address, other.address)
}

/** The wallet shows the text, not its fields. */
export function names(message: string, { namespace, address }: Account): boolean {
  return namespace === 'eip155' ? message.toLowerCase().includes(address.toLowerCase()) : message.includes(address)
}

/** What a wallet of the account's namespace is asked, to sign `message`. */
export function requestOf({ namespace, address }: Account, message: string): { method: string; params: unknown } {
  const bytes = new TextEncoder().encode(message)
  switch (namespace) {
    case 'eip155':
      return { method: 'personal_sign', params: [`0x${hexOf(bytes)}`, address] }
    case 'solana':
      return { method: 'solana_signMessage', params: { message: base58.encode(bytes), pubkey: address } }
    case 'bip122': {
      // A wallet may know one form alone, and verifiers take each that says something of the address: of taproot's that is BIP-322.
      const isTaproot = /^(bc|tb|bcrt)1p/.test(address)
      return { method: 'bip122_signMessage', params: { address, message, ...(isTaproot && { protocol: 'bip322' }) } }
    }
  }
}

/** EVM wallets answer with the signature alone. */
export function signatureIn(answer: unknown): string {
  const isRecord = typeof answer === 'object' && answer !== null
  const signature = isRecord && 'signature' in answer ? answer.signature : answer
  if (typeof signature !== 'string' || signature === '') throw new Failure('INTERNAL')
  return signature
}

/** A smart account's signature is what applications understand the least (spec §8). */
export function failureOf(connection: Connection, otherwise: ErrorCode): ErrorCode {
  const isSmart = connection.status === 'connected' && connection.accounts[0]?.type === 'smartAccount'
  return isSmart ? 'SMART_ACCOUNT_UNSUPPORTED' : otherwise
}
