import { Psbt } from 'bitcoinjs-lib'
import { type Hex, keccak256, numberToHex, parseGwei } from 'viem'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import * as z from 'zod'
import { bitcoinAccount, regtest } from '../bitcoin/accounts'
import { startBitcoin } from '../bitcoin/start-bitcoin'
import { type Anvil, startAnvil } from '../evm/anvil'
import { freePorts } from '../http/free-ports'
import { devnetMnemonic } from '../mnemonic'
import { devnetAccounts } from '../networks'
import { createForecast } from './forecast'
import { type WeatherName, weathers } from './levels'
import { type RunningWeather, startWeather } from './start-weather'

const ports = await freePorts('evm', 'bitcoin')
const [ada, bob] = devnetAccounts
if (ada === undefined || bob === undefined) throw new Error('The devnet has no accounts.')

test('the n-th decision of a kind is the same for a seed, whatever is decided between', () => {
  const fates = (seed: number, between: number) => {
    const broadcast = createForecast(seed, 'broadcast', weathers.rough.broadcast)
    const block = createForecast(seed, 'block', { reorganisation: 500 })
    return Array.from({ length: 200 }, () => {
      for (let other = 0; other < between; other += 1) block.next()
      return broadcast.next()
    })
  }
  expect(fates(7, 3)).toEqual(fates(7, 0))
  expect(fates(8, 0)).not.toEqual(fates(7, 0))
  expect(new Set(fates(7, 0))).toEqual(new Set(['refused', 'lost', 'late', 'unanswered', null]))
})

describe('an EVM chain', () => {
  let anvil: Anvil
  let weather: RunningWeather
  let nonce = 0
  const begin = async (name: WeatherName = 'fair') => {
    weather = await startWeather({ port: 0, weather: name, seed: 1, evm: { '31337': anvil.rpcUrl }, blockMs: 0 })
  }
  beforeAll(async () => {
    anvil = await startAnvil({ port: ports.evm, chainId: 31337, mnemonic: devnetMnemonic, accounts: 10 })
    await begin()
  })
  beforeEach(() => mine(3))
  afterAll(async () => {
    await weather.stop()
    await anvil.stop()
  })

  const onNode = (method: string, params: readonly unknown[] = []) =>
    fetch(anvil.rpcUrl, { method: 'POST', body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }) })

  const Reply = z.object({ result: z.unknown().optional(), error: z.unknown().optional() })
  const post = (path: string, body: unknown) =>
    fetch(`http://127.0.0.1:${weather.port}${path}`, { method: 'POST', body: JSON.stringify(body) })
  const ask = async (node: 0 | 1, method: string, params: readonly unknown[] = []) =>
    Reply.parse(await (await post(`/31337/${node}`, { jsonrpc: '2.0', id: 1, method, params })).json())
  const result = async (node: 0 | 1, method: string, params: readonly unknown[] = []) =>
    (await ask(node, method, params)).result
  const decide = (what: object) => post('/devnet/decide', { chain: '31337', ...what })
  const mine = async (blocks = 1) => {
    for (let block = 0; block < blocks; block += 1) await post('/devnet/block?chain=31337', null)
  }
  const count = (node: 0 | 1, tag = 'latest') => result(node, 'eth_getTransactionCount', [ada.address, tag])
  const receipt = (node: 0 | 1, hash: Hex) => result(node, 'eth_getTransactionReceipt', [hash])

  /** The node answers a broadcast before it has made the block. */
  const isMined = (node: 0 | 1, raw: Hex) =>
    expect.poll(() => receipt(node, keccak256(raw))).toMatchObject({ status: '0x1' })

  const payment = async (): Promise<Hex> => {
    const raw = await ada.signTransaction({
      ...{ to: bob.address, value: 1n, nonce, gas: 21_000n, chainId: 31337, type: 'eip1559' },
      ...{ maxFeePerGas: parseGwei('50'), maxPriorityFeePerGas: parseGwei('1') },
    })
    nonce += 1
    return raw
  }
  const send = (raw: Hex) => ask(0, 'eth_sendRawTransaction', [raw])

  test('a fair one passes everything on, in batches too', async () => {
    const raw = await payment()
    expect(await send(raw)).toEqual({ result: keccak256(raw) })
    await isMined(1, raw)
    const calls = [1, 2].map((id) => ({ jsonrpc: '2.0', id, method: 'eth_chainId' }))
    expect(await (await post('/31337/0', calls)).json()).toMatchObject([{ id: 1, result: '0x7a69' }, { id: 2 }])
  })

  test('a broadcast is refused, lost, late or left without an answer', async () => {
    await decide({ broadcast: ['refused', 'lost', 'late', 'unanswered'] })
    const raw = await payment()
    expect(await send(raw)).toMatchObject({ error: { message: 'txpool is full' } })
    expect(await send(raw)).toEqual({ result: keccak256(raw) })
    await mine()
    expect(await receipt(0, keccak256(raw))).toBeNull()
    expect(await send(raw)).toEqual({ result: keccak256(raw) })
    expect(await receipt(0, keccak256(raw))).toBeNull()
    await mine()
    await isMined(0, raw)
    const next = await payment()
    await expect(send(next)).rejects.toThrow('fetch failed')
    await isMined(0, next)
  })

  test('a request is limited, unavailable, cut, answered with a null error, or never answered', async () => {
    await decide({ transport: ['limited', 'unavailable', 'cut', 'nullError', 'hanging', 'none'] })
    const chainId = { jsonrpc: '2.0', id: 1, method: 'eth_chainId' }
    const limited = await post('/31337/0', chainId)
    expect([limited.status, limited.headers.get('retry-after')]).toEqual([429, '1'])
    expect((await post('/31337/0', chainId)).status).toBe(503)
    await expect(post('/31337/0', chainId).then((response) => response.text())).rejects.toThrow('terminated')
    expect(await (await post('/31337/0', chainId)).json()).toEqual({ jsonrpc: '2.0', id: 1, error: null })
    const patience = new AbortController()
    const hanging = fetch(`http://127.0.0.1:${weather.port}/31337/0`, {
      method: 'POST',
      body: JSON.stringify(chainId),
      signal: patience.signal,
    })
    await expect.poll(async () => (await (await fetch(log())).json()).events.at(-1)).toContain('hanging')
    patience.abort()
    await expect(hanging).rejects.toThrow('aborted')
    expect(await result(0, 'eth_chainId')).toBe('0x7a69')
  })
  const log = () => `http://127.0.0.1:${weather.port}/devnet/weather`

  test('a reorganisation takes blocks back; their transactions wait, and are mined again', async () => {
    const raw = await payment()
    await send(raw)
    await isMined(0, raw)
    await decide({ block: ['reorganisation'] })
    await mine()
    await mine(3)
    await isMined(0, raw)
    const { events } = z.object({ events: z.array(z.string()) }).parse(await (await fetch(log())).json())
    expect(events.filter((event) => event.includes('reorganisation of'))).toHaveLength(1)
  })

  test('in rough weather the second node is behind, pending is latest, and the base fee moves by an eighth at most', async () => {
    await weather.stop()
    // The empty blocks of the tests before have made it the lowest that there is, where it can move one way only.
    await onNode('anvil_setNextBlockBaseFeePerGas', [numberToHex(parseGwei('1'))])
    await onNode('evm_mine')
    await begin('rough')
    const bases: bigint[] = []
    const lags = new Set<number>()
    for (let block = 0; block < 40; block += 1) {
      await decide({ block: ['none'], transport: ['none', 'none', 'none'] })
      await mine()
      const [first, second] = [await result(0, 'eth_blockNumber'), await result(1, 'eth_blockNumber')]
      lags.add(Number(first) - Number(second))
      const { baseFeePerGas } = z
        .object({ baseFeePerGas: z.string() })
        .parse(await result(0, 'eth_getBlockByNumber', ['latest', false]))
      bases.push(BigInt(baseFeePerGas))
    }
    expect([...lags].sort()).toEqual([0, 1, 2])
    expect(new Set(bases).size).toBeGreaterThan(20)
    bases.slice(1).forEach((base, index) => {
      const before = bases[index] ?? 0n
      const moved = base > before ? base - before : before - base
      expect(moved * 8n <= before + 8n).toBe(true)
    })
    await decide({ broadcast: ['none'], transport: Array(200).fill('none') })
    const raw = await payment()
    await send(raw)
    await expect.poll(() => count(0)).toBe(numberToHex(nonce))
    expect(await count(0, 'pending')).toBe(numberToHex(nonce))
    expect(await receipt(0, keccak256(raw))).toBeNull()
    await decide({ block: ['none', 'none', 'none', 'none'], transport: Array(200).fill('none') })
    await mine(4)
    await isMined(0, raw)
    expect(await result(0, 'eth_maxPriorityFeePerGas')).toBe('0x0')
    expect(await ask(1, 'eth_getBlockByNumber', [numberToHex(1_000_000n), false])).toEqual({ result: null })
  })
})

test('Bitcoin’s estimates move, a lost payment is forgotten, and blocks are replaced', async () => {
  const bitcoin = await startBitcoin({ port: ports.bitcoin })
  const weather = await startWeather({
    ...{ port: 0, weather: 'rough', seed: 2, evm: {}, blockMs: 0 },
    bitcoin: `http://127.0.0.1:${ports.bitcoin}`,
  })
  try {
    const call = (path: string, init?: RequestInit) => fetch(`http://127.0.0.1:${weather.port}${path}`, init)
    const decide = (what: object) =>
      call('/devnet/decide', { method: 'POST', body: JSON.stringify({ chain: 'bitcoin', ...what }) })
    await decide({ transport: Array(20).fill('none'), broadcast: ['lost', 'late'] })
    const rates = new Set<number>()
    for (let time = 0; time < 8; time += 1) rates.add((await (await call('/bitcoin/fee-estimates')).json())['1'])
    expect(rates.size).toBeGreaterThan(4)

    const account = bitcoinAccount(0)
    const unspent = await (await call(`/bitcoin/address/${account.payment.address}/utxo`)).json()
    const [coin] = z.array(z.object({ txid: z.string(), vout: z.number(), value: z.number() })).parse(unspent)
    if (coin === undefined) throw new Error('no coin')
    const paid = new Psbt({ network: regtest })
      .addInput({
        hash: coin.txid,
        index: coin.vout,
        witnessUtxo: { script: account.payment.output, value: BigInt(coin.value) },
      })
      .addOutput({ address: account.payment.address, value: BigInt(coin.value) - 1_000n })
      .signInput(0, account.payment.key)
      .finalizeAllInputs()
      .extractTransaction(true)
    const send = async () => (await call('/bitcoin/tx', { method: 'POST', body: paid.toHex() })).text()
    const status = async () => (await call(`/bitcoin/tx/${paid.getId()}/status`)).status
    expect(await send()).toBe(paid.getId())
    expect(await status()).toBe(404)
    expect(await send()).toBe(paid.getId())
    for (let block = 0; block < 5; block += 1) await call('/devnet/block', { method: 'POST' })
    expect(await status()).toBe(200)
    await decide({ block: ['reorganisation'] })
    await call('/devnet/block', { method: 'POST' })
    const { events } = z.object({ events: z.array(z.string()) }).parse(await (await call('/devnet/weather')).json())
    expect(events.at(-1)).toMatch(/^bitcoin: reorganisation of [123] blocks$/)
    expect(await status()).toBe(200)
  } finally {
    await weather.stop()
    await bitcoin.stop()
  }
})
