import { invalid, plainPath, type RecipientRules } from './recipient-rules'

/**
 * Rule 5 of `readRecipient`: the System Program, and the account that the chain burns (`solana_program::incinerator`).
 */
const burnAddresses: readonly string[] = [
  '11111111111111111111111111111111',
  '1nc1nerator11111111111111111111111111111111',
]

export const solanaRules: RecipientRules = {
  scheme: 'solana',
  coinTypes: () => ['501'],
  fromLink: plainPath,
  /** Longer than Bitcoin's addresses in base58. */
  looksLikeAddress: (text) => /^[1-9A-HJ-NP-Za-km-z]{36,44}$/.test(text),

  async read(text) {
    const { isSolanaAddress } = await import('@postern/chains/solana/adapter')
    if (!isSolanaAddress(text)) return null
    return burnAddresses.includes(text) ? invalid('burned') : { kind: 'address', address: text }
  },
}
