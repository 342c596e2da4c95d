/**
 * An EVM account's history in the newest `blocks` blocks, without an indexer.
 *
 * 1. It covers token transfers and, as far back as the node has state, `own-transactions.ts`.
 * 2. A page ends between two blocks. The cursor has the first block of the next, older page, and the history's last.
 * 3. If the chain refuses logs, there are no transfers.
 * 4. If a contract account received tokens by its own operation, what that paid shows too (a swap).
 */
import { type Address, decodeAbiParameters, getAddress, type Hex, isAddress, numberToHex, padHex } from 'viem'
import * as z from 'zod/mini'
import type { KnownNetwork } from '../account'
import { readTokenFacts } from '../accounts/evm-tokens'
import { askAll, BlockTime, type Chain, HexText, Quantity } from '../chain'
import { newestBlocks, transferSingleTopic, transferTopic } from '../transfer-logs'
import type { Landed, Move, Page } from './landed'
import { paymentsOf } from './operation-payments'
import { readOwnTransactions } from './own-transactions'

const approve = '0x095ea7b3'

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
  input: z.catch(HexText, '0x'),
})
const Cursor = /^(\d{1,15})-(\d{1,15})$/

const pageSize = 25

/** @param owner in lower case. @throws {ChainError | UpstreamsFailedError} */
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
    [transferTopic, topic],
    [transferTopic, null, topic],
    [transferSingleTopic, null, topic],
    [transferSingleTopic, null, null, topic],
  ]
  const answers = await askAll(
    chain,
    filters.map((topics) => ({ method: 'eth_getLogs', params: [{ ...between, topics }] })),
    z.array(Log),
  )
  const own = await readOwnTransactions(chain, owner, { end, top })
  const failed = new Set(own.transactions.flatMap((each) => (each.failed ? [each.hash] : [])))

  const byHash = new Map<Hex, Log[]>()
  // Transfers to oneself are in both queries.
  const logs = new Map(answers.flatMap((all) => (all ?? []).map((log) => [`${log.blockNumber} ${log.logIndex}`, log])))
  for (const log of logs.values()) {
    byHash.set(log.transactionHash, [...(byHash.get(log.transactionHash) ?? []), log])
  }
  const all = [
    ...[...byHash].map(([hash, logs]) => ({ hash, logs, block: logs[0]?.blockNumber ?? 0n })),
    ...own.transactions.flatMap(({ hash, block }) => (byHash.has(hash) ? [] : [{ hash, logs: [], block }])),
  ]
  all.sort((a, b) => (a.block < b.block ? 1 : a.block > b.block ? -1 : 0))
  const covered = own.from === null ? end : own.from + 1n
  const full = all[pageSize - 1]?.block ?? covered
  const last = full > covered ? full : covered
  const page = all.filter(({ block }) => block >= last)
  const isMore = page.length < all.length || own.from !== null
  return { landed: await readAll(page), next: isMore && last > end ? `${last - 1n}-${end}` : null }

  async function range(): Promise<{ top: bigint; end: bigint }> {
    const [, top, end] = Cursor.exec(cursor ?? '') ?? []
    if (top !== undefined && end !== undefined) {
      // A caller may forge a cursor.
      const minEnd = BigInt(top) + 1n - BigInt(blocks)
      return { top: BigInt(top), end: BigInt(end) < minEnd ? minEnd : BigInt(end) }
    }
    const { first, last } = await newestBlocks(chain, blocks)
    return { top: last, end: first }
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
        BlockTime,
      ),
    ])
    const known = new Map(contracts.map((contract, index) => [contract, facts[index] ?? null]))
    const timeOf = new Map(numbers.map((number, index) => [number, times[index]?.timestamp ?? 0n]))
    return page.flatMap(({ hash, logs, block }, index): Landed[] => {
      const transaction = transactions[index]
      if (transaction == null) return []
      const { from, to, nonce, value, input } = transaction
      const ends = { from: from.toLowerCase(), to: to?.toLowerCase() ?? '' }
      const isFailed = failed.has(hash)
      const native =
        value === 0n || isFailed ? [] : [{ ...ends, amount: value, ...definition.nativeCurrency, contract: null }]
      const received = logs.flatMap((log) => movesOf(log, known))
      const isPaidFor = !isFailed && received.some((move) => move.to === owner)
      const paid = (isPaidFor ? paymentsOf(owner, { to: ends.to, input }) : []).map((payment) => ({
        ...{ from: owner, contract: null, ...payment },
        ...definition.nativeCurrency,
      }))
      return [
        {
          chainId: id,
          hash,
          status: isFailed ? 'failed' : 'confirmed',
          at: Number(timeOf.get(block) ?? 0n) * 1000,
          ...ends,
          nonce: Number(nonce),
          isOwn: ends.from === owner,
          moves: [...native, ...paid, ...received],
          otherwise: to === null ? 'deploy' : input.startsWith(approve) ? 'approve' : 'execute',
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
    if (signature === transferSingleTopic && indexed.length === 3) {
      const [tokenId, amount] = decodeAbiParameters([{ type: 'uint256' }, { type: 'uint256' }], data)
      return [{ from: party(1), to: party(2), ...names, amount, decimals: 0, tokenId: `${tokenId}`, kind: 'erc1155' }]
    }
    if (signature !== transferTopic) return []
    const ends = { from: party(0), to: party(1), ...names }
    if (indexed.length === 3)
      return [{ ...ends, amount: 1n, decimals: 0, tokenId: `${BigInt(indexed[2] ?? '0x0')}`, kind: 'erc721' }]
    if (known === null || indexed.length !== 2) return []
    return [{ ...ends, amount: decodeAbiParameters([{ type: 'uint256' }], data)[0], decimals: known.decimals }]
  } catch {
    return []
  }
}
