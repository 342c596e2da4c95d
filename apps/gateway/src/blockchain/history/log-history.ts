/**
 * An EVM account's history from the logs of its newest blocks, where no indexer is configured.
 *
 * 1. It covers transfers of tokens, collectibles and items of the newest `blocks` blocks, and the network's own currency only where it goes along with
 *    them: plain payments leave no log.
 * 2. A page ends between two blocks; the cursor holds the block that the next one begins at, going back, and the one that it all ends at.
 * 3. A chain that refuses logs has no history here.
 */
import { type Address, decodeAbiParameters, getAddress, type Hex, isAddress, numberToHex, padHex } from 'viem'
import * as z from 'zod/mini'
import type { KnownNetwork } from '../account'
import { readTokenFacts } from '../accounts/evm-tokens'
import { ask, askAll, type Chain, HexText, Quantity } from '../chain'
import type { Landed, Move, Page } from './landed'

/** ERC-20 and ERC-721; ERC-1155's two. */
const transfer = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
const transferSingle = '0xc3d58168c5ae7397731d063d5bbf3d657854427343f4c083240f7aacaa2d0f62'

const Log = z.object({
  address: z.string().check(z.refine((text) => isAddress(text, { strict: false }))),
  topics: z.array(HexText),
  data: HexText,
  blockNumber: Quantity,
  transactionHash: HexText,
  logIndex: Quantity,
})
type Log = z.infer<typeof Log>
const Transaction = z.object({
  from: z.string(),
  to: z.nullable(z.string()),
  nonce: Quantity,
  value: Quantity,
})
const Block = z.object({ timestamp: Quantity })
const Cursor = /^(\d{1,15})-(\d{1,15})$/

const pageSize = 25

/** @param owner in lower case. @throws {ChainError} and {UpstreamsFailedError} */
export async function readLogHistory(
  { id, definition }: KnownNetwork,
  owner: Address,
  cursor: string | null,
  { chain, blocks }: { readonly chain: Chain; readonly blocks: number },
): Promise<Page> {
  if (blocks === 0) return { landed: [], next: null }
  const { top, end } = await range()
  const topic = padHex(owner, { size: 32 })
  const between = { fromBlock: numberToHex(end), toBlock: numberToHex(top) }
  const filters = [
    [transfer, topic],
    [transfer, null, topic],
    [transferSingle, null, topic],
    [transferSingle, null, null, topic],
  ]
  const answers = await askAll(
    chain,
    filters.map((topics) => ({ method: 'eth_getLogs', params: [{ ...between, topics }] })),
    z.array(Log),
  )
  if (answers.every((answer) => answer === null)) return { landed: [], next: null }

  const byHash = new Map<Hex, Log[]>()
  // What an account sent to itself is found twice.
  const logs = new Map(answers.flatMap((all) => (all ?? []).map((log) => [`${log.blockNumber} ${log.logIndex}`, log])))
  for (const log of logs.values()) {
    byHash.set(log.transactionHash, [...(byHash.get(log.transactionHash) ?? []), log])
  }
  const all = [...byHash].map(([hash, own]) => ({ hash, logs: own, block: own[0]?.blockNumber ?? 0n }))
  all.sort((a, b) => (a.block < b.block ? 1 : a.block > b.block ? -1 : 0))
  const last = all[pageSize - 1]?.block ?? end
  const page = all.filter(({ block }) => block >= last)
  return {
    landed: await readAll(page),
    next: page.length < all.length && last > end ? `${last - 1n}-${end}` : null,
  }

  async function range(): Promise<{ top: bigint; end: bigint }> {
    const [, top, end] = Cursor.exec(cursor ?? '') ?? []
    if (top !== undefined && end !== undefined) {
      // A cursor is only ever a page's own, but whoever asks may write another.
      const least = BigInt(top) - BigInt(blocks)
      return { top: BigInt(top), end: BigInt(end) < least ? least : BigInt(end) }
    }
    const head = await ask(chain, { method: 'eth_blockNumber' }, Quantity)
    return { top: head, end: head < BigInt(blocks) ? 0n : head - BigInt(blocks) }
  }

  async function readAll(page: readonly { hash: Hex; logs: readonly Log[]; block: bigint }[]): Promise<Landed[]> {
    const contracts = [...new Set(page.flatMap(({ logs }) => logs.map(({ address }) => getAddress(address))))]
    const numbers = [...new Set(page.map(({ block }) => block))]
    const [facts, transactions, times] = await Promise.all([
      readTokenFacts(chain, contracts),
      askAll(
        chain,
        page.map(({ hash }) => ({ method: 'eth_getTransactionByHash', params: [hash] })),
        Transaction,
      ),
      askAll(
        chain,
        numbers.map((number) => ({ method: 'eth_getBlockByNumber', params: [numberToHex(number), false] })),
        Block,
      ),
    ])
    const known = new Map(contracts.map((contract, index) => [contract, facts[index] ?? null]))
    const timeOf = new Map(numbers.map((number, index) => [number, times[index]?.timestamp ?? 0n]))
    return page.flatMap(({ hash, logs, block }, index): Landed[] => {
      const transaction = transactions[index]
      if (transaction == null) return []
      const { from, to, nonce, value } = transaction
      const ends = { from: from.toLowerCase(), to: to?.toLowerCase() ?? '' }
      const native = value === 0n ? [] : [{ ...ends, amount: value, ...definition.nativeCurrency, contract: null }]
      return [
        {
          chainId: id,
          hash,
          status: 'confirmed',
          at: Number(timeOf.get(block) ?? 0n) * 1000,
          ...ends,
          nonce: Number(nonce),
          moves: [...native, ...logs.flatMap((log) => movesOf(log, known))],
          otherwise: 'execute',
        },
      ]
    })
  }
}

type Facts = ReadonlyMap<Address, { readonly name: string; readonly symbol: string; readonly decimals: number } | null>

function movesOf({ address, topics, data }: Log, facts: Facts): Move[] {
  const contract = getAddress(address)
  const known = facts.get(contract) ?? null
  const [signature, ...indexed] = topics
  const party = (index: number) => `0x${(indexed[index] ?? '').slice(-40).toLowerCase()}`
  const names = { name: known?.name ?? '', symbol: known?.symbol ?? '', contract }
  try {
    if (signature === transferSingle && indexed.length === 3) {
      const [tokenId, amount] = decodeAbiParameters([{ type: 'uint256' }, { type: 'uint256' }], data)
      return [{ from: party(1), to: party(2), ...names, amount, decimals: 0, tokenId: `${tokenId}` }]
    }
    if (signature !== transfer) return []
    const ends = { from: party(0), to: party(1), ...names }
    if (indexed.length === 3) return [{ ...ends, amount: 1n, decimals: 0, tokenId: `${BigInt(indexed[2] ?? '0x0')}` }]
    if (known === null || indexed.length !== 2) return []
    return [{ ...ends, amount: decodeAbiParameters([{ type: 'uint256' }], data)[0], decimals: known.decimals }]
  } catch {
    // An event of another kind, or one that is not what it says.
    return []
  }
}
