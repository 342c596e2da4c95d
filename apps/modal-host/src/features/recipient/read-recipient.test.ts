import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readRecipient } from './read-recipient'

const evm = 'eip155:1'
const solana = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'
const bitcoin = 'bip122:000000000019d6689c085ae165831e93'
const alice = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045'
const mint = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'
const segwit = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'

const found = (address: string) => ({ kind: 'address', address })
const refused = (reason: string) => ({ kind: 'invalid', reason })

describe('readRecipient', () => {
  it('accepts addresses as users paste them (1)', async () => {
    expect(await readRecipient('', evm)).toEqual({ kind: 'empty' })
    expect(await readRecipient(` ${alice}\n`, evm)).toEqual(found(alice))
    expect(await readRecipient(alice.toLowerCase(), evm)).toEqual(found(alice))
    expect(await readRecipient(alice.slice(2), evm)).toEqual(found(alice))
    expect(await readRecipient(mint, solana)).toEqual(found(mint))
    expect(await readRecipient(segwit.toUpperCase(), bitcoin)).toEqual(found(segwit))
  })

  it('accepts only the recipient of a payment link (1)', async () => {
    expect(await readRecipient(`ethereum:${alice}?value=1e18`, evm)).toEqual(found(alice))
    expect(await readRecipient(`ethereum:pay-${alice}@1`, evm)).toEqual(found(alice))
    expect(await readRecipient(`solana:${mint}?amount=5&spl-token=x`, solana)).toEqual(found(mint))
    expect(await readRecipient(`BITCOIN:${segwit.toUpperCase()}?amount=0.1`, bitcoin)).toEqual(found(segwit))
  })

  it('rejects a link’s contract as the recipient, and a link for another chain (2)', async () => {
    const link = `ethereum:0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48/transfer?address=${alice}&uint256=1`
    expect(await readRecipient(link, evm)).toEqual(refused('none'))
    expect(await readRecipient(`ethereum:${alice}@10`, evm)).toEqual(refused('network'))
    expect(await readRecipient(`bitcoin:${segwit}`, evm)).toEqual(refused('network'))
    expect(await readRecipient('lightning:lnbc1', bitcoin)).toEqual(refused('network'))
  })

  it('rejects an address that fails its checksum (3)', async () => {
    expect(await readRecipient(alice.replace('d8dA', 'd8DA'), evm)).toEqual(refused('checksum'))
    expect(await readRecipient(`${segwit.slice(0, -1)}5`, bitcoin)).toEqual(refused('checksum'))
  })

  it('rejects a Bitcoin link with unsupported requirements (6)', async () => {
    for (const query of ['req-pj=https://x.example', 'amount=1&REQ-x=1'])
      expect(await readRecipient(`bitcoin:${segwit}?${query}`, bitcoin)).toEqual(refused('none'))
    expect(await readRecipient(`bitcoin:${segwit}?label=req-&message=x`, bitcoin)).toEqual(found(segwit))
  })

  it('rejects addresses without a key (5)', async () => {
    for (const end of ['0', '1', '9', 'dEaD', 'ffff'])
      expect(await readRecipient(`0x${end.padStart(40, '0')}`, evm)).toEqual(refused('burned'))
    expect(await readRecipient(`0x${'e'.repeat(40)}`, evm)).toEqual(refused('burned'))
    expect((await readRecipient(`0x${'10000'.padStart(40, '0')}`, evm)).kind).toBe('address')
    expect(await readRecipient('1'.repeat(32), solana)).toEqual(refused('burned'))
    expect(await readRecipient('1nc1nerator11111111111111111111111111111111', solana)).toEqual(refused('burned'))
  })

  it('detects addresses of other networks', async () => {
    expect(await readRecipient(mint, evm)).toEqual(refused('network'))
    expect(await readRecipient(segwit, evm)).toEqual(refused('network'))
    expect(await readRecipient(alice, solana)).toEqual(refused('network'))
    expect(await readRecipient('tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx', bitcoin)).toEqual(refused('network'))
  })

  it('reads text with a dot as a name (4)', async () => {
    for (const name of ['alice.eth', 'ada.postern', 'sub.alice.eth', 'größe.eth', '🦊.eth'])
      expect(await readRecipient(name, evm)).toEqual({ kind: 'name', name })
    for (const text of ['alice', 'alice.', '.eth', 'a b.eth', 'https://alice.eth', 'alice..eth', 'x'.repeat(3000)])
      expect(await readRecipient(text, evm)).toEqual(refused('none'))
  })

  it('never returns an invalid address', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ maxLength: 80 }), fc.constantFrom(evm, solana, bitcoin), async (text, network) => {
        const read = await readRecipient(text, network)
        if (read.kind !== 'address') return
        expect(await readRecipient(read.address, network)).toEqual(read)
      }),
    )
  })
})
