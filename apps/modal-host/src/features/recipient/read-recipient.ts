/** What somebody typed, pasted or scanned as the one who gets something. */
import { type CaipNetworkId, Eip155Address, nativeTokenAddress, parseCaipNetworkId } from '@postern/protocol'

export type ReadRecipient =
  | { readonly kind: 'empty' }
  /** As the namespace writes it: EIP-55 on EVM, bech32 in lower case. */
  | { readonly kind: 'address'; readonly address: string }
  /** Somebody has to say where it leads. */
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'invalid'; readonly reason: RecipientFault }

export type RecipientFault =
  /** Nothing that could be sent to. */
  | 'none'
  /** Of this namespace, but its letters contradict its checksum: a slip of the finger. */
  | 'checksum'
  /** An address of another network. */
  | 'network'
  /** Nobody has its key: what is sent there is gone. */
  | 'burned'

/** The longest text that is looked at: a payment link, with room for a message that is not read. */
const longest = 2048

/**
 * 1. An address of the network, or a link that names one (`ethereum:`, `solana:`, `bitcoin:`), is an address. What else such a link asks for is not done: it
 *    fills in who, never how much.
 * 2. A link that calls a contract names the contract and not the one who gets something: it is none. One for another chain is of another network.
 * 3. Mixed case that contradicts EIP-55 is refused, all lower or all upper case has no checksum to contradict.
 * 4. Anything with a dot in it, and without spaces, is a name.
 * 5. Addresses that nobody holds are none to send to: zero, what precompiled contracts have (and `0x…dEaD` among them), what stands for the currency itself in
 *    lists of tokens, and Solana's incinerator.
 * 6. A link of Bitcoin that requires something that is not done here (`req-`, BIP-21) is none.
 */
export async function readRecipient(text: string, networkId: CaipNetworkId): Promise<ReadRecipient> {
  const trimmed = text.trim()
  if (trimmed === '') return { kind: 'empty' }
  if (trimmed.length > longest) return invalid('none')
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
  // 6.
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
  const { checksumAddress } = await import('@postern/chains/eip155-checksum')
  const address = checksumAddress(text)
  const digits = text.replace(/^0x/, '')
  const isMixed = digits !== digits.toLowerCase() && digits !== digits.toUpperCase()
  if (isMixed && digits !== address.slice(2)) return invalid('checksum')
  return isNobodys(address) ? invalid('burned') : { kind: 'address', address }
}

/** The last address that is kept for precompiled contracts. Source: EIP-7587. */
const lastOfNobody = 0xffffn

/** 5. */
function isNobodys(address: string): boolean {
  return BigInt(address) <= lastOfNobody || address.toLowerCase() === nativeTokenAddress
}

/** The program that no key controls, which is all zeros in base58, and the account of which the chain burns what it has. Source: `solana_program::incinerator`. */
const nobodysOfSolana: readonly string[] = [
  '11111111111111111111111111111111',
  '1nc1nerator11111111111111111111111111111111',
]

async function readSolana(text: string): Promise<ReadRecipient> {
  const { isSolanaAddress } = await import('@postern/chains/solana/adapter')
  if (isSolanaAddress(text))
    return nobodysOfSolana.includes(text) ? invalid('burned') : { kind: 'address', address: text }
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

/** A DNS name is 253 characters at most; what is in its labels is the registry's affair. */
function named(text: string): ReadRecipient | null {
  return text.length <= 253 && /^[^\s.:/@?#]+(\.[^\s.:/@?#]+)+$/u.test(text) ? { kind: 'name', name: text } : null
}

function invalid(reason: RecipientFault): ReadRecipient {
  return { kind: 'invalid', reason }
}
