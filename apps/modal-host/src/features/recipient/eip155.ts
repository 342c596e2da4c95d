import { Eip155Address, nativeTokenAddress } from '@postern/protocol'
import { invalid, pathOf, type RecipientRules } from './recipient-rules'

/** The last address reserved for precompiles. Source: EIP-7587. */
const lastReserved = 0xffffn

export const eip155Rules: RecipientRules = {
  scheme: 'ethereum',

  /** Source: ENSIP-11. */
  coinTypes: (reference) => [String(0x8000_0000n + BigInt(reference)), '60'],

  /** Source: EIP-681. */
  fromLink(rest, reference) {
    const path = pathOf(rest)
    // Rule 2 of `readRecipient`: the link calls a contract.
    if (path.includes('/')) return invalid('none')
    const [target = '', chain] = path.replace(/^pay-/, '').split('@')
    return chain === undefined || chain === reference ? target : invalid('network')
  },

  looksLikeAddress: (text) => Eip155Address.safeParse(text).success,

  async read(text) {
    if (!Eip155Address.safeParse(text).success) return null
    const { checksumAddress, isWellCased } = await import('@postern/chains/eip155/checksum')
    if (!isWellCased(text)) return invalid('checksum')
    const address = checksumAddress(text)
    return isBurnAddress(address) ? invalid('burned') : { kind: 'address', address }
  },
}

/** Rule 5 of `readRecipient`. */
function isBurnAddress(address: string): boolean {
  return BigInt(address) <= lastReserved || address.toLowerCase() === nativeTokenAddress
}
