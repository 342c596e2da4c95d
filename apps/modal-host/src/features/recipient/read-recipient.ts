/** Parses a typed, pasted or scanned recipient. */
import { type CaipNetworkId, Eip155Address, nativeTokenAddress, parseCaipNetworkId } from '@postern/protocol'

export type ReadRecipient =
  | { readonly kind: 'empty' }
  /** In the namespace's format: EIP-55 on EVM, bech32 in lower case. */
  | { readonly kind: 'address'; readonly address: string }
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'invalid'; readonly reason: RecipientFault }

export type RecipientFault =
  | 'none'
  /** Fails its checksum: a typo. */
  | 'checksum'
  | 'network'
  /** An address without a key: anything sent is lost. */
  | 'burned'

/** Max characters: a payment link with an ignored message. */
const maxLength = 2048

/**
 * Parses a recipient.
 *
 * 1. An address of the network, or a link with one (`ethereum:`, `solana:`, `bitcoin:`), is an address. The rest of a
 *    link is ignored: it fills in the recipient, never the amount.
 * 2. A link that calls a contract does not name the recipient, so it is invalid. One for another chain is of another
 *    network.
 * 3. A typo in an EVM address is rejected (`isWellCased`).
 * 4. Text with a dot and without spaces is a name.
 * 5. Addresses without a key are rejected: zero, precompiles (which include `0x…dEaD`), the native currency's
 *    placeholder in token lists, and Solana's incinerator.
 * 6. A Bitcoin link with an unsupported required parameter (`req-`, BIP-21) is invalid.
 */
export async function readRecipient(text: string, networkId: CaipNetworkId): Promise<ReadRecipient> {
  const trimmed = text.trim()
  if (trimmed === '') return { kind: 'empty' }
  if (trimmed.length > maxLength) return invalid('none')
  const link = /^(ethereum|solana|bitcoin|lightning):/i.exec(trimmed)?.[1]?.toLowerCase()
  const { namespace } = parseCaipNetworkId(networkId)
  if (link !== undefined && link !== linksOf[namespace]) return invalid('network')
  const bare = link === undefined ? trimmed : fromLink(trimmed.slice(link.length + 1), networkId)
  if (typeof bare !== 'string') return bare
  if (namespace === 'eip155') return readEvm(bare)
  return namespace === 'solana' ? readSolana(bare) : readBitcoin(bare, networkId)
}

const linksOf = { eip155: 'ethereum', solana: 'solana', bip122: 'bitcoin' } as const

/** Sources: EIP-681, Solana Pay, BIP-21. */
function fromLink(rest: string, networkId: CaipNetworkId): string | ReadRecipient {
  const { namespace, reference } = parseCaipNetworkId(networkId)
  const [path = ''] = rest.replace(/^\/\//, '').split('?')
  // 6: unsupported requirements
  if (namespace === 'bip122' && /[?&]req-/i.test(rest)) return invalid('none')
  if (namespace !== 'eip155') return /^[a-zA-Z0-9]+$/.test(path) ? path : invalid('none')
  if (path.includes('/')) return invalid('none')
  const [target = '', chain] = path.replace(/^pay-/, '').split('@')
  return chain === undefined || chain === reference ? target : invalid('network')
}

async function readEvm(text: string): Promise<ReadRecipient> {
  if (!Eip155Address.safeParse(text).success) {
    const isOther = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/.test(text) || /^(bc|tb|bcrt)1[a-z0-9]{20,}$/i.test(text)
    return named(text) ?? invalid(isOther ? 'network' : 'none')
  }
  const { checksumAddress, isWellCased } = await import('@postern/chains/eip155/checksum')
  if (!isWellCased(text)) return invalid('checksum')
  const address = checksumAddress(text)
  return isBurnAddress(address) ? invalid('burned') : { kind: 'address', address }
}

/** The last address reserved for precompiles. Source: EIP-7587. */
const lastReserved = 0xffffn

/** 5: an EVM address without a key. */
function isBurnAddress(address: string): boolean {
  return BigInt(address) <= lastReserved || address.toLowerCase() === nativeTokenAddress
}

/**
 * 5: the System Program, all zeros in base58, and the account that the chain burns. Source:
 * `solana_program::incinerator`.
 */
const solanaBurnAddresses: readonly string[] = [
  '11111111111111111111111111111111',
  '1nc1nerator11111111111111111111111111111111',
]

async function readSolana(text: string): Promise<ReadRecipient> {
  const { isSolanaAddress } = await import('@postern/chains/solana/adapter')
  if (isSolanaAddress(text))
    return solanaBurnAddresses.includes(text) ? invalid('burned') : { kind: 'address', address: text }
  const isOther = Eip155Address.safeParse(text).success || /^(bc|tb|bcrt)1[a-z0-9]{20,}$/i.test(text)
  return named(text) ?? invalid(isOther ? 'network' : 'none')
}

async function readBitcoin(text: string, networkId: CaipNetworkId): Promise<ReadRecipient> {
  const { isAddressOn, parseBitcoinAddress } = await import('@postern/chains/bip122/address')
  const parsed = parseBitcoinAddress(text)
  if (parsed !== undefined)
    return isAddressOn(parsed, networkId) ? { kind: 'address', address: parsed.address } : invalid('network')
  if (Eip155Address.safeParse(text).success) return invalid('network')
  return named(text) ?? invalid(/^(bc|tb|bcrt)1[a-z0-9]{11,}$/i.test(text) ? 'checksum' : 'none')
}

/** Max length of a DNS name; the registry validates its labels. */
function named(text: string): ReadRecipient | null {
  return text.length <= 253 && /^[^\s.:/@?#]+(\.[^\s.:/@?#]+)+$/u.test(text) ? { kind: 'name', name: text } : null
}

function invalid(reason: RecipientFault): ReadRecipient {
  return { kind: 'invalid', reason }
}
