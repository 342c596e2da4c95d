import { base64 } from '@scure/base'
import { describe, expect, test } from 'vitest'
import { bip122Verifier } from '../bip122'

const mainnet = 'bip122:000000000019d6689c085ae165831e93'
const { verify } = bip122Verifier()
const isGood = (address: string, signature: string, message: string) =>
  verify({ message, address, signature, chainId: mainnet })

const core = 'IPojfrX2dfPnH26UegfbGQQLrdK844DlHq5157/P6h57WyuS/Qsl+h/WSVGDF4MUi4rWSswW38oimDYfNNUBUOk='

/** Addresses of the key 1. Source: https://github.com/bitcoinjs/bitcoinjs-message/blob/master/test/fixtures.json */
const addresses = {
  uncompressed: '1EHNa6Q4Jz2uvNExL497mE43ikXhwF6kZm',
  compressed: '1BgGZ9tcN4rm9KBzDn7KprQz87SZ26SAMH',
  'p2sh-p2wpkh': '3JvL6Ymt8MVWiCNHC7oWU6nLeHNJKLZGLN',
  p2wpkh: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
}
const signatures = {
  uncompressed: 'HF8nHqFr3K2UKYahhX3soVeoW8W1ECNbr0wfck7lzyXjCS5Q16Ek45zyBuy1Fiy9sTPKVgsqqOuPvbycuVSSVl8=',
  compressed: 'IF8nHqFr3K2UKYahhX3soVeoW8W1ECNbr0wfck7lzyXjCS5Q16Ek45zyBuy1Fiy9sTPKVgsqqOuPvbycuVSSVl8=',
  'p2sh-p2wpkh': 'JF8nHqFr3K2UKYahhX3soVeoW8W1ECNbr0wfck7lzyXjCS5Q16Ek45zyBuy1Fiy9sTPKVgsqqOuPvbycuVSSVl8=',
  p2wpkh: 'KF8nHqFr3K2UKYahhX3soVeoW8W1ECNbr0wfck7lzyXjCS5Q16Ek45zyBuy1Fiy9sTPKVgsqqOuPvbycuVSSVl8=',
}
const forms = ['uncompressed', 'compressed', 'p2sh-p2wpkh', 'p2wpkh'] as const
/** BIP-137's own pairs, plus P2PKH headers, the only ones that older wallets write. */
const fits = (signed: string, expected: string) =>
  signed === expected || (signed === 'compressed' && (expected === 'p2wpkh' || expected === 'p2sh-p2wpkh'))

describe('BIP-137', () => {
  test('verifies the vectors of Bitcoin Core', async () => {
    expect(await isGood('15CRxFdyRpGZLW9w8HnHvVduizdL5jKNbs', core, 'Trust no one')).toBe(true)
    expect(await isGood('15CRxFdyRpGZLW9w8HnHvVduizdL5jKNbs', core, 'I never signed this')).toBe(false)
    const crafted = 'IIcaIENoYW5jZWxsb3Igb24gYnJpbmsgb2Ygc2Vjb25kIGJhaWxvdXQgZm9yIGJhbmtzIAaHRtbCeDZINyavx14='
    expect(await isGood('11canuhp9X2NocwCq7xNrQYTmUgZAnLK3', crafted, 'Trust me')).toBe(true)
    const zeros = base64.encode(new Uint8Array(65))
    expect(await isGood('1KqbBpLy5FARmTPD4VZnDDpYjkUvkr82Pm', zeros, 'message should be irrelevant')).toBe(false)
  })

  test('verifies the vectors of bitcoinjs-message', async () => {
    const message = 'vires is numeris'
    const uncompressed = 'G8JawPtQOrybrSP1WHQnQPr67B9S3qrxBrl1mlzoTJOSHEpmnF7D3+t+LX0Xei9J20B5AIdPbeL3AaTBZ4N3bY0='
    const compressed = 'H8JawPtQOrybrSP1WHQnQPr67B9S3qrxBrl1mlzoTJOSHEpmnF7D3+t+LX0Xei9J20B5AIdPbeL3AaTBZ4N3bY0='
    expect(await isGood('16UwLL9Risc3QfPqBUvKofHmBQ7wMtjvM', uncompressed, message)).toBe(true)
    expect(await isGood('1PMycacnJaSqwwJqjawXBErnLsZ7RkXUAs', compressed, message)).toBe(true)
    expect(await isGood('16UwLL9Risc3QfPqBUvKofHmBQ7wMtjvM', compressed, message)).toBe(false)
    expect(await isGood('1PMycacnJaSqwwJqjawXBErnLsZ7RkXUAs', uncompressed, message)).toBe(false)
    expect(await isGood('16UwLL9Risc3QfPqBUvKofHmBQ7wMtjvM', uncompressed, 'foobar')).toBe(false)
    expect(await isGood('1111111111111111111114oLvT2', compressed, message)).toBe(false)
  })

  test.each(forms.flatMap((signed) => forms.map((expected) => ({ signed, expected }))))(
    'checks a signature with header $signed against a $asked address',
    async ({ signed, expected }) => {
      expect(await isGood(addresses[expected], signatures[signed], 'vires is numeris')).toBe(fits(signed, expected))
    },
  )

  test('rejects undefined headers and other lengths', async () => {
    const bytes = base64.decode(signatures.compressed)
    for (const header of [0, 26, 43, 255]) {
      const other = base64.encode(Uint8Array.of(header, ...bytes.slice(1)))
      expect(await isGood(addresses.compressed, other, 'vires is numeris')).toBe(false)
    }
    for (const other of [bytes.slice(0, 64), Uint8Array.of(...bytes, 0)])
      expect(await isGood(addresses.compressed, base64.encode(other), 'vires is numeris')).toBe(false)
  })

  test('rejects a taproot address', async () => {
    const taproot = 'bc1ppv609nr0vr25u07u95waq5lucwfm6tde4nydujnu8npg4q75mr5sxq8lt3'
    for (const signature of Object.values(signatures))
      expect(await isGood(taproot, signature, 'vires is numeris')).toBe(false)
  })
})
