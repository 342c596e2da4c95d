import { type Address, type Hex, hexToBigInt, hexToNumber } from 'viem'
import * as z from 'zod'
import { createAsk, resultOf } from '../account-abstraction/node'

const Data = z.string().transform((text): Hex => `0x${text.replace(/^0x/, '')}`)
const Lower = Data.transform((text): Address => `0x${text.slice(2).toLowerCase()}`)
const Quantity = Data.transform((text) => hexToBigInt(text))
const Count = Data.transform((text) => hexToNumber(text))

const Transaction = z.object({
  hash: Data,
  nonce: Count,
  from: Lower,
  to: Lower.nullable(),
  value: Quantity,
  gas: Quantity,
  input: Data,
})
const Block = z.object({
  number: Count,
  hash: Data,
  timestamp: Count,
  transactions: z.array(Transaction),
})
const Log = z.object({ address: Lower, topics: z.array(Data), data: Data })
const Receipt = z.object({
  transactionIndex: Count,
  status: Data,
  gasUsed: Quantity,
  cumulativeGasUsed: Quantity,
  effectiveGasPrice: Quantity,
  contractAddress: Lower.nullable(),
  logs: z.array(Log),
})

export type Landed = z.infer<typeof Transaction> &
  z.infer<typeof Receipt> & {
    readonly blockNumber: number
    readonly blockHash: Hex
    /** In epoch seconds. */
    readonly timestamp: number
  }

export type Scanner = {
  /** Oldest first, up to the newest block. */
  read(): Promise<readonly Landed[]>
}

/** Blocks per request. */
const window = 50

/** Starts over if the chain went back, for example to a test's snapshot. */
export function createScanner(rpcUrl: string): Scanner {
  const ask = createAsk(rpcUrl)
  let landed: Landed[] = []
  let last: { readonly number: number; readonly hash: Hex } | null = null

  const blockAt = async (number: number, whole: boolean) => {
    const block = await resultOf(ask('eth_getBlockByNumber', [`0x${number.toString(16)}`, whole]))
    return block === null ? null : (whole ? Block : Block.omit({ transactions: true })).parse(block)
  }
  async function transactionsOf(number: number): Promise<{ readonly hash: Hex; readonly rows: readonly Landed[] }> {
    const [block, receipts] = await Promise.all([
      resultOf(ask('eth_getBlockByNumber', [`0x${number.toString(16)}`, true])),
      resultOf(ask('eth_getBlockReceipts', [`0x${number.toString(16)}`])),
    ])
    const { hash, timestamp, transactions } = Block.parse(block)
    const parsed = z.array(Receipt).parse(receipts ?? [])
    const rows = transactions.flatMap((transaction, index) => {
      const receipt = parsed[index]
      return receipt === undefined
        ? []
        : [{ ...transaction, ...receipt, blockNumber: number, blockHash: hash, timestamp }]
    })
    return { hash, rows }
  }

  let reading: Promise<unknown> = Promise.resolve()
  async function advance(): Promise<readonly Landed[]> {
    const head = Count.parse(await resultOf(ask('eth_blockNumber', [])))
    if (last !== null && (await blockAt(last.number, false))?.hash !== last.hash) {
      landed = []
      last = null
    }
    for (let from: number = (last?.number ?? -1) + 1; from <= head; from += window) {
      const numbers = Array.from({ length: Math.min(window, head - from + 1) }, (_, index) => from + index)
      const blocks = await Promise.all(numbers.map(transactionsOf))
      landed = landed.concat(blocks.flatMap(({ rows }) => rows))
      const newest = blocks.at(-1)
      if (newest !== undefined) last = { number: from + blocks.length - 1, hash: newest.hash }
    }
    return landed
  }
  return {
    read() {
      const next = reading.then(advance)
      reading = next.catch(() => undefined)
      return next
    },
  }
}
