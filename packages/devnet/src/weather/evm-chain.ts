import { type Hex, hexToBigInt, hexToNumber, keccak256, numberToHex } from 'viem'
import * as z from 'zod'
import { createForecast, type Forecast } from './forecast'
import { createLateBroadcasts } from './late'
import type { Weather } from './levels'

export const RpcCall = z.object({
  jsonrpc: z.literal('2.0'),
  id: z.union([z.number(), z.string(), z.null()]),
  method: z.string(),
  params: z.array(z.unknown()).default([]),
})
export type RpcCall = z.infer<typeof RpcCall>
const RpcError = z.object({ code: z.number(), message: z.string() })
const RpcReply = z.object({ result: z.unknown().optional(), error: RpcError.optional() })
export type RpcReply = z.infer<typeof RpcReply> & { readonly isUnanswered?: true }

const Block = z.object({ number: z.string(), baseFeePerGas: z.string(), transactions: z.array(z.string()) })
const Mined = z.nullable(z.object({ blockNumber: z.nullable(z.string()) }))

/** Position of the block parameter. */
const blockParameters: Readonly<Record<string, number>> = {
  eth_call: 1,
  eth_getBalance: 1,
  eth_getTransactionCount: 1,
  eth_getCode: 1,
  eth_getStorageAt: 2,
  eth_getBlockByNumber: 0,
  eth_feeHistory: 1,
}
const minBaseFee = 100_000_000n
const maxBaseFee = 20_000_000_000n
const hex = z.custom<Hex>((value) => typeof value === 'string' && value.startsWith('0x'))

export type EvmChain = {
  /** Answers as one of the two nodes; the second may be behind. */
  answer(node: 0 | 1, call: RpcCall): Promise<RpcReply>
  /** Mines a block. Then late broadcasts are due, fees move, and blocks may be replaced. */
  block(): Promise<void>
  /** Sets how many blocks the second node is behind, until the next block. */
  setLag(blocks: number): void
  /** Replaces the last blocks. Their transactions wait again. */
  reorganise(depth: number): Promise<void>
  readonly broadcasts: Forecast
  readonly blocks: Forecast
}

export type EvmChainOptions = {
  readonly name: string
  readonly rpcUrl: string
  readonly seed: number
  readonly weather: Weather
  readonly log: (event: string) => void
}

/**
 * Two nodes of one chain, in weather.
 *
 * 1. Both nodes answer from the same chain. The second one is up to `maxLag` blocks behind: it knows no later block,
 *    receipt, nonce or balance, and no pending transaction.
 * 2. Each broadcast has a fate (see `BroadcastFate`).
 * 3. With each block, the base fee moves by up to an eighth. A transaction whose max fee is too low waits.
 * 4. A reorganisation replaces one to three blocks. Their transactions wait again.
 */
export function createEvmChain({ name, rpcUrl, seed, weather, log }: EvmChainOptions): EvmChain {
  const broadcasts = createForecast(seed, `${name} broadcast`, weather.broadcast)
  const blocks = createForecast(seed, `${name} block`, { reorganisation: weather.reorganisation })
  const fees = createForecast(seed, `${name} fee`, {})
  const lags = createForecast(seed, `${name} lag`, {})
  const late = createLateBroadcasts()
  let lag = 0
  /** Blocks of this run. Older ones, with the devnet's contracts, stay. */
  let mined = 0

  async function ask(method: string, params: readonly unknown[] = []): Promise<RpcReply> {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
    const response = await fetch(rpcUrl, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
    return RpcReply.parse(await response.json())
  }

  async function result<T>(schema: z.ZodType<T>, method: string, params: readonly unknown[] = []): Promise<T> {
    const reply = await ask(method, params)
    if (reply.error !== undefined) throw new Error(`${method}: ${reply.error.message}`)
    return schema.parse(reply.result)
  }

  const height = async () => hexToNumber(await result(hex, 'eth_blockNumber'))

  async function send(call: RpcCall): Promise<RpcReply> {
    const raw = hex.parse(call.params[0])
    const hash = keccak256(raw)
    const fate = broadcasts.next()
    if (fate !== null) log(`${name}: ${hash} ${fate}`)
    switch (fate) {
      case 'refused':
        return { error: { code: -32000, message: 'txpool is full' } }
      case 'lost':
        return { result: hash }
      case 'late':
        late.add(raw, broadcasts.integer(1, Math.max(1, weather.maxDelay)))
        return { result: hash }
      case 'unanswered':
        return { ...(await ask(call.method, call.params)), isUnanswered: true }
      default:
        return ask(call.method, call.params)
    }
  }

  /** The answer of a node that knows the chain up to `head`. */
  async function read({ method, params }: RpcCall, head: number, isBehind: boolean): Promise<RpcReply> {
    const known = [...params]
    const at = blockParameters[method]
    if (at !== undefined) {
      const asked = known[at] ?? 'latest'
      const isPending = asked === 'pending'
      if (isBehind ? asked === 'latest' || isPending : isPending && weather.pendingIsLatest)
        known[at] = numberToHex(head)
      if (typeof asked === 'string' && asked.startsWith('0x') && Number(asked) > head)
        return method === 'eth_getBlockByNumber'
          ? { result: null }
          : { error: { code: -32000, message: 'header not found' } }
    }
    return ask(method, known)
  }

  async function answer(node: 0 | 1, call: RpcCall): Promise<RpcReply> {
    const { method } = call
    if (method === 'eth_sendRawTransaction') return send(call)
    if (method === 'eth_maxPriorityFeePerGas' && weather.hasNoTip) return { result: '0x0' }
    const isBehind = node === 1 && lag > 0
    const head = Math.max(0, (await height()) - (isBehind ? lag : 0))
    if (method === 'eth_blockNumber') return { result: numberToHex(head) }
    const reply = await read(call, head, isBehind)
    if (method !== 'eth_getTransactionReceipt' && method !== 'eth_getTransactionByHash') return reply
    const { data } = Mined.safeParse(reply.result)
    if (data === null || data === undefined) return reply
    const delay = method === 'eth_getTransactionReceipt' ? weather.receiptDelay : 0
    const isKnown = data.blockNumber === null ? !isBehind : Number(data.blockNumber) <= head - delay
    return isKnown ? reply : { result: null }
  }

  async function moveBaseFee(): Promise<void> {
    const { baseFeePerGas } = await result(Block, 'eth_getBlockByNumber', ['latest', false])
    const base = hexToBigInt(hex.parse(baseFeePerGas))
    const moved = base + (base * BigInt(fees.integer(-125, 125))) / 1_000n
    const next = moved < minBaseFee ? minBaseFee : moved > maxBaseFee ? maxBaseFee : moved
    await ask('anvil_setNextBlockBaseFeePerGas', [numberToHex(next)])
  }

  async function reorganise(depth: number): Promise<void> {
    const top = await height()
    const raws: Hex[] = []
    for (let number = top - depth + 1; number <= top; number += 1) {
      const { transactions } = await result(Block, 'eth_getBlockByNumber', [numberToHex(number), false])
      for (const hash of transactions) raws.push(await result(hex, 'eth_getRawTransactionByHash', [hash]))
    }
    log(`${name}: reorganisation of ${depth} blocks, ${raws.length} transactions wait again`)
    await ask('anvil_reorg', [depth, []])
    for (const raw of raws) await ask('eth_sendRawTransaction', [raw])
  }

  async function block(): Promise<void> {
    for (const raw of late.due()) await ask('eth_sendRawTransaction', [raw])
    if (weather.feesMove) await moveBaseFee()
    await ask('evm_mine')
    mined += 1
    lag = lags.integer(0, weather.maxLag)
    if (blocks.next() !== 'reorganisation') return
    const depth = blocks.integer(1, 3)
    if (mined > depth) await reorganise(depth)
  }

  function setLag(next: number): void {
    lag = next
  }

  return { answer, block, setLag, reorganise, broadcasts, blocks }
}
