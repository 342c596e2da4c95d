import { invalid, plainPath, type RecipientRules } from './recipient-rules'

export const bip122Rules: RecipientRules = {
  scheme: 'bitcoin',
  coinTypes: () => ['0', '1'],
  /** Rule 6 of `readRecipient`: unsupported requirements. */
  fromLink: (rest) => (/[?&]req-/i.test(rest) ? invalid('none') : plainPath(rest)),
  looksLikeAddress: (text) => /^(bc|tb|bcrt)1[a-z0-9]{20,}$/i.test(text),

  async read(text, networkId) {
    const { isAddressOn, parseBitcoinAddress } = await import('@postern/chains/bip122/address')
    const parsed = parseBitcoinAddress(text)
    if (parsed !== undefined)
      return isAddressOn(parsed, networkId) ? { kind: 'address', address: parsed.address } : invalid('network')
    return /^(bc|tb|bcrt)1[a-z0-9]{11,}$/i.test(text) ? invalid('checksum') : null
  },
}
