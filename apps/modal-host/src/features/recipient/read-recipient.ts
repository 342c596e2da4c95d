/** Parses a typed, pasted or scanned recipient. */
import { type CaipNetworkId, namespaces, parseCaipNetworkId } from '@postern/protocol'
import { namespaceFeatures } from '../namespaces/namespaces'
import { invalid, type ReadRecipient } from './recipient-rules'

/** `lightning` links are payments of another kind. */
const schemes = ['lightning', ...namespaces.map((namespace) => namespaceFeatures[namespace].recipient.scheme)]
const anyScheme = new RegExp(`^(${schemes.join('|')}):`, 'i')

/** Max characters: a payment link may contain a long message, which is ignored. */
const maxLength = 2048

/**
 * Parses a typed, pasted or scanned recipient.
 *
 * 1. An address of the network, or a link with one (`ethereum:`, `solana:`, `bitcoin:`), is an address. A link fills in
 *    the recipient, never the amount.
 * 2. A link that calls a contract is invalid: it does not name the recipient. A link for another chain is of another
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
  const { namespace, reference } = parseCaipNetworkId(networkId)
  const rules = namespaceFeatures[namespace].recipient
  const scheme = anyScheme.exec(trimmed)?.[1]?.toLowerCase()
  if (scheme !== undefined && scheme !== rules.scheme) return invalid('network')
  const bare = scheme === undefined ? trimmed : rules.fromLink(trimmed.slice(scheme.length + 1), reference)
  if (typeof bare !== 'string') return bare
  const isForeign = () =>
    namespaces.some((other) => other !== namespace && namespaceFeatures[other].recipient.looksLikeAddress(bare))
  return (await rules.read(bare, networkId)) ?? named(bare) ?? invalid(isForeign() ? 'network' : 'none')
}

/** 253: max length of a DNS name; the registry validates its labels. */
function named(text: string): ReadRecipient | null {
  return text.length <= 253 && /^[^\s.:/@?#]+(\.[^\s.:/@?#]+)+$/u.test(text) ? { kind: 'name', name: text } : null
}
