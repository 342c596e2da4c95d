/** A node of one account in weather: what happens to a broadcast, over a chain in memory or a real one. */
import { type Hex, keccak256, numberToHex, parseTransaction } from 'viem'
import * as z from 'zod/mini'

type Transaction = {
  readonly hash: Hex
  readonly nonce: number
  readonly to: string | null
  readonly value: bigint
  readonly maxFee: bigint
  readonly raw: Hex
}

/**
 * Of the next broadcast. `denied` is refused and carried out, at once or, `late`, when the node delivers; `outbid` is
 * `late` too, and refused for its price; `cut` and `dropped` abort the request; `hangs` and `sinks` never answer.
 */
export type Fate = 'refused' | 'denied' | 'late' | 'outbid' | 'lost' | 'cut' | 'dropped' | 'hangs' | 'sinks'

export type Weather = {
  /** Blocks that a node is behind; it knows nothing of what waits. */
  readonly lag: number
  /** Every other answer comes from a node that is not behind. */
  readonly isMixed: boolean
  readonly pendingIsLatest: boolean
  readonly receiptsLate: boolean
}

export const fair: Weather = { lag: 0, isMixed: false, pendingIsLatest: false, receiptsLate: false }

const Call = z.object({ id: z.number(), method: z.string(), params: z.array(z.unknown()) })
const Calls = z.union([z.array(Call), Call])
const gwei = 10n ** 9n

/** The node's own answer, as an error. */
export class Refused extends Error {}

const isCut = (error: unknown) => error instanceof TypeError && error.message === 'Failed to fetch'

export function readTransaction(raw: Hex): Transaction {
  const { nonce = 0, to = null, value = 0n, maxFeePerGas, gasPrice } = parseTransaction(raw)
  return { hash: keccak256(raw), nonce, to, value, maxFee: maxFeePerGas ?? gasPrice ?? 0n, raw }
}

/** geth's rule, which anvil lacks: a replacement pays a tenth more. */
export function requireDearer(
  next: Transaction,
  rival: { readonly hash: Hex; readonly maxFee: bigint } | undefined,
): void {
  if (rival?.hash === next.hash) throw new Refused('already known')
  if (rival !== undefined && next.maxFee * 10n < rival.maxFee * 11n)
    throw new Refused('replacement transaction underpriced')
}

type Chain = {
  /** Puts a transaction into the pool. @throws {Refused} */
  take(raw: Hex): void | Promise<void>
  /** The chain that wins has `rivals` first. */
  reorganise(depth: number, rivals: readonly Hex[]): void | Promise<void>
  /** @throws {Refused} */
  answer(method: string, params: readonly unknown[]): unknown
}

/** `chain` behind broadcasts that have a fate. */
export function withFates<C extends Chain>(chain: C) {
  let fate: Fate | null = null
  let abort = () => {}
  let hang = () => {}
  const undelivered: Hex[] = []
  const faults: unknown[] = []
  const seen = new Map<Hex, Transaction>()

  async function send(raw: Hex): Promise<Hex> {
    const transaction = readTransaction(raw)
    // The fate is that of the next approval, not of what the wallet sends again on its own.
    const isNew = !seen.has(transaction.hash)
    seen.set(transaction.hash, transaction)
    const now = isNew ? fate : null
    if (isNew) fate = null
    if (now === 'refused') throw new Refused('txpool is full')
    if (now === 'dropped' || now === 'sinks' || now === 'late' || now === 'outbid') undelivered.push(raw)
    else if (now !== 'lost') await chain.take(raw)
    if (now === 'outbid') throw new Refused('replacement transaction underpriced')
    if (now === 'denied' || now === 'late') throw new Refused('internal error')
    if (now === 'hangs' || now === 'sinks') {
      hang()
      return new Promise(() => {})
    }
    if (now === 'cut' || now === 'dropped') {
      abort()
      throw new TypeError('Failed to fetch')
    }
    return transaction.hash
  }

  const network: typeof globalThis.fetch = async (_, init) => {
    const body = Calls.parse(JSON.parse(String(init?.body)))
    const reply = async ({ id, method, params }: z.infer<typeof Call>) => {
      try {
        const isBroadcast = method === 'eth_sendRawTransaction'
        const result = isBroadcast ? await send(z.custom<Hex>().parse(params[0])) : await chain.answer(method, params)
        return { jsonrpc: '2.0', id, result }
      } catch (error) {
        if (!(error instanceof Refused)) {
          if (!isCut(error)) faults.push(error)
          throw error
        }
        return { jsonrpc: '2.0', id, error: { code: -32_000, message: error.message } }
      }
    }
    return Response.json(Array.isArray(body) ? await Promise.all(body.map(reply)) : await reply(body))
  }

  return {
    ...chain,
    fetch: network,
    /** Everything that was broadcast, wherever it went. */
    seen,
    /** What went wrong in the model itself. */
    faults,
    /** `next` is called if the node cuts the next request off. */
    onAbort(next: () => void) {
      abort = next
    },
    /** Resolves when the node leaves a broadcast without an answer. */
    untilHanging: () =>
      new Promise<void>((resolve) => {
        hang = resolve
      }),
    decide(next: Fate | null) {
      fate = next
    },
    /** `withRivals`: the chain that wins has what never arrived here. */
    async reorganise(depth: number, { withRivals = false } = {}) {
      await chain.reorganise(depth, withRivals ? undelivered.splice(0) : [])
    },
    /** What never arrived does so now. */
    async deliver() {
      for (const raw of undelivered.splice(0)) {
        try {
          await chain.take(raw)
        } catch (error) {
          if (!(error instanceof Refused)) throw error
        }
      }
    },
  }
}

function write(from: Hex, { hash, nonce, to, value }: Transaction) {
  return { hash, from, nonce: numberToHex(nonce), to, value: numberToHex(value), input: '0x' }
}

/** What a quiet chain answers in any weather. */
const always: Readonly<Record<string, unknown>> = {
  eth_getCode: '0x',
  eth_getBalance: numberToHex(10n ** 24n),
  eth_estimateGas: '0x5208',
  eth_maxPriorityFeePerGas: '0x1',
  eth_feeHistory: { reward: [['0x1']] },
}

type View = { readonly blocks: readonly (readonly Transaction[])[]; readonly pool: readonly Transaction[] }

const countIn = (blocks: View['blocks']) => blocks.flat().length

function pendingCount({ blocks, pool }: View): number {
  let count = countIn(blocks)
  while (pool.some(({ nonce }) => nonce === count)) count += 1
  return count
}

export const weatherNode = (account: Hex) => withFates(memoryChain(account))

/** The chain of one account in memory, with the weather that several real nodes behind one address have. */
function memoryChain(account: Hex) {
  let blocks: View['blocks'] = [[]]
  let pool: View['pool'] = []
  /** No reorganisation reaches further back. */
  let final = 0
  let base = gwei
  let weather = fair
  let asked = 0
  const returned = new Set<Hex>()

  function view(): View {
    asked += 1
    const isBehind = weather.lag > 0 && (!weather.isMixed || asked % 2 === 0)
    return isBehind ? { blocks: blocks.slice(0, Math.max(1, blocks.length - weather.lag)), pool: [] } : { blocks, pool }
  }

  function take(raw: Hex): void {
    const transaction = readTransaction(raw)
    const { nonce, maxFee } = transaction
    if (nonce < countIn(blocks)) throw new Refused('nonce too low')
    if (maxFee < base) throw new Refused('max fee per gas less than block base fee')
    const rival = pool.find((waiting) => waiting.nonce === nonce)
    requireDearer(transaction, rival)
    pool = [...pool.filter((waiting) => waiting !== rival), transaction]
  }

  async function answer(method: string, params: readonly unknown[]): Promise<unknown> {
    const [first, second] = params
    const seenNow = view()
    const at = seenNow.blocks.findIndex((block) => block.some(({ hash }) => hash === first))
    const mined = seenNow.blocks[at]?.find(({ hash }) => hash === first)
    const blockHash = numberToHex(Math.max(0, at), { size: 32 })
    switch (method) {
      case 'eth_getTransactionCount': {
        if (second === 'pending' && !weather.pendingIsLatest) return numberToHex(pendingCount(seenNow))
        const height = typeof second === 'string' && second.startsWith('0x') ? Number(second) + 1 : undefined
        return numberToHex(countIn(seenNow.blocks.slice(0, height)))
      }
      case 'eth_getTransactionReceipt':
        if (mined === undefined || weather.receiptsLate) return null
        return {
          transactionHash: mined.hash,
          blockHash,
          blockNumber: numberToHex(at),
          gasUsed: '0x5208',
          status: '0x1',
          logs: [],
        }
      case 'eth_getTransactionByHash': {
        const known = mined ?? seenNow.pool.find(({ hash }) => hash === first)
        return known === undefined ? null : { ...write(account, known), ...(mined && { blockHash }) }
      }
      case 'eth_blockNumber':
        return numberToHex(seenNow.blocks.length - 1)
      case 'eth_getBlockByNumber': {
        const number = first === 'latest' ? seenNow.blocks.length - 1 : Number(first)
        const block = seenNow.blocks[number]
        if (block === undefined) return null
        const transactions = second === true ? block.map((one) => write(account, one)) : []
        return { number: numberToHex(number), timestamp: '0x65000000', baseFeePerGas: numberToHex(base), transactions }
      }
      case 'eth_gasPrice':
        return numberToHex(base + 1n)
      default:
        if (!(method in always)) throw new Error(`${method} is not part of the model`)
        return always[method]
    }
  }

  return {
    take,
    answer,
    mined: () => blocks.flat(),
    in(next: Weather) {
      weather = next
    },
    mine() {
      const block: Transaction[] = []
      for (let next = countIn(blocks); ; next += 1) {
        const found = pool.find(({ nonce, maxFee }) => nonce === next && maxFee >= base)
        if (found === undefined) break
        block.push(found)
      }
      blocks = [...blocks, block]
      pool = pool.filter(({ nonce }) => nonce >= countIn(blocks))
    },
    reorganise(depth: number, rivals: readonly Hex[]) {
      const from = Math.max(final + 1, blocks.length - depth)
      const back = blocks.slice(from).flat()
      blocks = blocks.slice(0, from)
      const first = rivals.map(readTransaction).filter(({ nonce }) => nonce >= countIn(blocks))
      const isTaken = (nonce: number) => first.some((rival) => rival.nonce === nonce)
      for (const { hash } of back) returned.add(hash)
      const waiting = pool.filter(({ nonce }) => back.every((other) => other.nonce !== nonce))
      pool = [...first, ...[...back, ...waiting].filter(({ nonce }) => !isTaken(nonce))]
    },
    /** No node is behind any more, and what is mined stays. */
    settle() {
      final = blocks.length - 1
      weather = { ...weather, lag: 0, receiptsLate: false }
    },
    /** What waits is lost, except what a reorganisation took out of a block. */
    forgetPool() {
      pool = pool.filter(({ hash }) => returned.has(hash))
    },
    price(next: bigint) {
      base = next
    },
  }
}
