import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isAddressOn, networksOfAddress, parseBitcoinAddress } from './address'
import { toHex } from './testing/test-chain'

const mainnet = 'bip122:000000000019d6689c085ae165831e93'
const testnet = 'bip122:000000000933ea01ad0ee984209779ba'
const signet = 'bip122:00000008819873e925422c1ff0f99f7c'
const regtest = 'bip122:0f9188f13cb7b2c71f2a335e3a4fc328'

/**
 * BIP-173 and BIP-350 ("valid segwit addresses") where funds are safe; base58 of the genesis block, BIP-13 and BIP-16.
 */
const valid = [
  ['BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4', 'p2wpkh', mainnet, '0014751e76e8199196d454941c45d1b3a323f1433bd6'],
  [
    'tb1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3q0sl5k7',
    'p2wsh',
    testnet,
    '00201863143c14c5166804bd19203356da136c985678cd4d27a1b8c6329604903262',
  ],
  [
    'tb1qqqqqp399et2xygdj5xreqhjjvcmzhxw4aywxecjdzew6hylgvsesrxh6hy',
    'p2wsh',
    signet,
    '0020000000c4a5cad46221b2a187905e5266362b99d5e91c6ce24d165dab93e86433',
  ],
  [
    'tb1pqqqqp399et2xygdj5xreqhjjvcmzhxw4aywxecjdzew6hylgvsesf3hn0c',
    'p2tr',
    testnet,
    '5120000000c4a5cad46221b2a187905e5266362b99d5e91c6ce24d165dab93e86433',
  ],
  [
    'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0',
    'p2tr',
    mainnet,
    '512079be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798',
  ],
  ['1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa', 'p2pkh', mainnet, '76a91462e907b15cbf27d5425399ebf6f0fb50ebb88f1888ac'],
  ['3P14159f73E4gFr7JterCCQh9QjiTjiZrG', 'p2sh', mainnet, 'a914e9c3dd0c07aac76179ebc76a6c78d4d67c6c160a87'],
  ['mipcBbFg9gMiCh81Kj8tqqdgoZub1ZJRfn', 'p2pkh', regtest, '76a914243f1394f44554f4ce3fd68649c19adc483ce92488ac'],
  ['2MzQwSSnBHWHqSAqtTVQ6v47XtaisrJa1Vc', 'p2sh', signet, 'a9144e9f39ca4688ff102128ea4ccda34105324305b087'],
  ['bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080', 'p2wpkh', regtest, '0014751e76e8199196d454941c45d1b3a323f1433bd6'],
] as const

describe('parseBitcoinAddress', () => {
  it.each(valid)('parses %s', (text, kind, networkId, script) => {
    const parsed = parseBitcoinAddress(text)
    expect(parsed).toMatchObject({ kind, address: text.startsWith('BC1') ? text.toLowerCase() : text })
    expect(parsed && toHex(parsed.script)).toBe(script)
    expect(parsed && isAddressOn(parsed, networkId)).toBe(true)
    expect(parsed && isAddressOn(parsed, networkId === mainnet ? regtest : mainnet)).toBe(false)
  })

  it.each([
    // Invalid by BIP-173 and BIP-350.
    'tc1qw508d6qejxtdg4y5r3zarvary0c5xw7kg3g4ty',
    'tc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vq5zuyut',
    'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqh2y7hd',
    'tb1z0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqglt7rf',
    'BC1S0XLXVLHEMJA6C4DQV22UAPCTQUPFHLXM9H8Z3K2E72Q4K9HCZ7VQ54WELL',
    'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kemeawh',
    'tb1q0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vq24jc47',
    'bc1p38j9r5y49hruaue7wxjce0updqjuyyx0kh56v8s25huc6995vvpql3jow4',
    'BC130XLXVLHEMJA6C4DQV22UAPCTQUPFHLXM9H8Z3K2E72Q4K9HCZ7VQ7ZWS8R',
    'bc1pw5dgrnzv',
    'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7v8n0nx0muaewav253zgeav',
    'BC1QR508D6QEJXTDG4Y5R3ZARVARYV98GJ9P',
    'tb1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vq47Zagq',
    'bc1gmk9yu',
    // Anyone can spend from them: unknown versions, an invalid taproot key.
    'bc1pw508d6qejxtdg4y5r3zarvary0c5xw7kw508d6qejxtdg4y5r3zarvary0c5xw7kt5nd6y',
    'BC1SW50QGDZ25J',
    'bc1zw508d6qejxtdg4y5r3zarvaryvaxxpcs',
    'bc1pfeessrawgf',
    // Wrong character, checksum or length, or another coin.
    '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNb',
    '1A1zP1eP5QGefi2DMPTfTL5SLmv7Divf0a',
    'LVg2kJoFNg45Nbpy53h7Fe1wKyeXVRhMH9',
    '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
    ' bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
    'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4\n',
    '',
  ])('rejects %j', (text) => expect(parseBitcoinAddress(text)).toBeUndefined())

  it('never throws, and rejects every address with a changed letter', () => {
    fc.assert(fc.property(fc.string({ maxLength: 120 }), (text) => parseBitcoinAddress(text) === undefined))
    const changed = fc.record({
      of: fc.constantFrom(...valid),
      at: fc.nat(),
      letter: fc.constantFrom(...'023456789acdefghjklmnpqrstuvwxyzABCDEF'),
    })
    fc.assert(
      fc.property(changed, ({ of: [text], at, letter }) => {
        const index = at % text.length
        const other = `${text.slice(0, index)}${letter}${text.slice(index + 1)}`
        if (other.toLowerCase() !== text.toLowerCase()) expect(parseBitcoinAddress(other)).toBeUndefined()
      }),
    )
  })

  it('returns the networks that share an address format', () => {
    const networksOf = (text: string) => {
      const parsed = parseBitcoinAddress(text)
      return parsed ? networksOfAddress(parsed) : []
    }
    expect(networksOf('1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa')).toEqual([mainnet])
    expect(networksOf('tb1pqqqqp399et2xygdj5xreqhjjvcmzhxw4aywxecjdzew6hylgvsesf3hn0c')).toEqual([
      testnet,
      'bip122:00000000da84f2bafbbc53dee25a72ae',
      signet,
    ])
    expect(networksOf('mipcBbFg9gMiCh81Kj8tqqdgoZub1ZJRfn')).toContain(regtest)
    expect(networksOf('bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080')).toEqual([regtest])
  })
})
