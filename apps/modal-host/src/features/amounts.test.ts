/** Exact from the wallet's response to the bytes to sign, without floats. */
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { exactUnits } from '@postern/chains/format'
import { BalanceResponse } from '@postern/protocol'
import fc from 'fast-check'
import { decodeFunctionData, erc20Abi, isHex } from 'viem'
import { describe, expect, it } from 'vitest'
import { loadHoldings } from './portfolio/load-portfolio'
import { entryOf, unitsOf } from './send/amount'
import { type EvmFacts, evmRequest } from './send/senders/eip155'
import { toSendToken } from './send/token'
import { testMoney } from './testing/test-money'
import { ethereum as network } from './testing/test-networks'

const owner = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045'
const to = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const contract = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'
const facts: EvmFacts = {
  native: 0n,
  balance: 0n,
  decimals: null,
  isToToken: false,
  gas: 21_000n,
  isEstimated: true,
  price: 0n,
  tip: 0n,
  rollup: 0n,
  wouldFail: false,
}
const scope = { address: owner, networks: [network], mayQueryWallet: true }
const amounts = fc.bigInt({ min: 0n, max: 2n ** 256n - 1n })
const places = fc.integer({ min: 1, max: 36 })
const languages = fc.constantFrom('en', 'de', 'fr')

/** For all of `balance`, typed or by Max. */
function askedFor(balance: BalanceResponse['balances'][number] | undefined, locale: string): bigint | null {
  const token = balance && toSendToken(balance, network)
  if (token == null) throw new Error('The token cannot be sent')
  const units = unitsOf(entryOf(token.balance, token, locale), token, locale)
  if (units === null) throw new Error('Its own text is no amount')
  const [call] = evmRequest(
    { network, account: { namespace: 'eip155', address: owner, type: 'eoa' }, token, to, amount: units },
    units,
    facts,
  ).params
  if (call === undefined || !isHex(call.data)) throw new Error('There is no call')
  if (token.address === null) return BigInt(call.value)
  const { args } = decodeFunctionData({ abi: erc20Abi, data: call.data })
  expect(args?.[0]).toBe(to)
  return typeof args?.[1] === 'bigint' ? args[1] : null
}

describe('an amount', () => {
  it('is the same from the wallet’s assets to the call that sends all of it', () =>
    fc.assert(
      fc.asyncProperty(amounts, places, languages, async (amount, decimals, locale) => {
        const metadata = { name: 'Gem', symbol: 'GEM', decimals, price: 0, iconUrl: '' }
        const asset = { address: contract, balance: `0x${amount.toString(16)}`, type: 'ERC20', metadata }
        const money = testMoney({
          request: async (_namespace, method) =>
            method === 'wallet_getCapabilities'
              ? { '0x1': { assetDiscovery: { supported: true } } }
              : { '0x1': [asset] },
        })
        const { balances } = await loadHoldings(money, [scope], false)
        expect(askedFor(balances[0], locale)).toBe(amount)
      }),
      { numRuns: 60 },
    ))

  it('is the same from the gateway’s response to that call, for a token and the native currency', () =>
    fc.assert(
      fc.asyncProperty(amounts, places, languages, fc.boolean(), async (amount, drawn, locale, isNative) => {
        const decimals = isNative ? 18 : drawn
        const quantity = { decimals: `${decimals}`, numeric: exactUnits(amount, decimals) }
        const gem = { name: 'Gem', symbol: 'GEM', chainId: 'eip155:1', price: 0, quantity, iconUrl: '' }
        const wire = JSON.stringify({ balances: [isNative ? gem : { ...gem, address: `eip155:1:${contract}` }] })
        const money = testMoney({ api: { balance: async () => BalanceResponse.parse(JSON.parse(wire)) } })
        const { balances } = await loadHoldings(money, [scope], false)
        expect(askedFor(balances[0], locale)).toBe(amount)
      }),
      { numRuns: 60 },
    ))
})

/** Files that parse or round numbers, none of them an amount. */
const numbers: ReadonlySet<string> = new Set([
  'nfts/NftGrid.tsx', // grid rows
  'recipient/ScanCode.tsx', // pixels
  'recipient/RecipientField.tsx', // text lines
  'names/register.ts', // seconds
  'swap/quote.ts', // hundredths of a percent
  'send/senders/bip122.ts', // satoshis per byte, rounded up
  'send/senders/solana/compute.ts', // compute units, and micro-lamports for each
])

describe('the code of features', () => {
  it('never converts an amount to a number', () => {
    const files = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' }).filter(
      (name) => /\.tsx?$/.test(name) && !/\.test\.|testing\//.test(name),
    )
    const found = files.filter((name) =>
      /parseFloat|\.toFixed\(|\bNumber\(|Math\.(round|floor|ceil|trunc)\(/.test(
        readFileSync(path.join(import.meta.dirname, name), 'utf8'),
      ),
    )
    expect(files.length).toBeGreaterThan(50)
    expect(found.filter((name) => !numbers.has(name))).toEqual([])
    expect([...numbers].filter((name) => !found.includes(name))).toEqual([])
  })
})
