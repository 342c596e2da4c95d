/**
 * Finds an EVM account's transactions and the plain payments to it, which leave no log, by the blocks in which its
 * balance or nonce changes.
 *
 * 1. A range with the same balance and nonce at both ends is skipped. (This misses payments that cancel exactly.)
 * 2. Other ranges are split in eight repeatedly, newest first, six at a time. The next page continues at `from`.
 * 3. A node without a block's state is not queried further back. Most nodes have the newest hundred blocks, so these
 *    are a range of their own.
 * 4. A payment by a contract is not returned.
 */
import { type Address, type Hex, numberToHex } from 'viem'
import * as z from 'zod/mini'
import { askAll, type Chain, HexText, Quantity } from '../chain'

export type OwnTransactions = {
  readonly transactions: readonly { readonly hash: Hex; readonly block: bigint; readonly failed: boolean }[]
  /** Searched down to this block (exclusive); null: completely. */
  readonly from: bigint | null
}

/** `low` is exclusive, `high` inclusive. */
type Range = { readonly low: bigint; readonly high: bigint }

const parts = 8n
const maxPlaces = 6
const remembered = 100n
const Block = z.object({
  transactions: z.array(z.object({ hash: HexText, from: z.string(), to: z.nullish(z.string()) })),
})
const Receipt = z.object({ status: z.optional(Quantity) })

/** @param owner in lower case. @throws {UpstreamsFailedError} */
export async function readOwnTransactions(
  chain: Chain,
  owner: Address,
  { end, top }: { readonly end: bigint; readonly top: bigint },
): Promise<OwnTransactions> {
  const { blocks, from } = await findChanges(chain, owner, { low: end === 0n ? 0n : end - 1n, high: top })
  const transactions = await askAll(
    chain,
    blocks.map((block) => ({ method: 'eth_getBlockByNumber', params: [numberToHex(block), true] })),
    Block,
  )
  const own = blocks.flatMap((block, index) =>
    (transactions[index]?.transactions ?? [])
      .filter((each) => each.from.toLowerCase() === owner || each.to?.toLowerCase() === owner)
      .map(({ hash }) => ({ hash, block })),
  )
  const receipts = await askAll(
    chain,
    own.map(({ hash }) => ({ method: 'eth_getTransactionReceipt', params: [hash] })),
    Receipt,
  )
  return { from, transactions: own.map((each, index) => ({ ...each, failed: receipts[index]?.status === 0n })) }
}

/** Newest first. */
async function findChanges(chain: Chain, owner: Address, { low, high }: Range) {
  const states = new Map<bigint, string | null>()
  const look = async (blocks: readonly bigint[]) => {
    const missing = [...new Set(blocks)].filter((block) => !states.has(block))
    const answers = await askAll(
      chain,
      missing.flatMap((block) =>
        ['eth_getBalance', 'eth_getTransactionCount'].map((method) => ({
          method,
          params: [owner, numberToHex(block)],
        })),
      ),
      Quantity,
    )
    for (const [index, block] of missing.entries()) {
      const [balance, count] = [answers[index * 2] ?? null, answers[index * 2 + 1] ?? null]
      states.set(block, balance === null || count === null ? null : `${balance} ${count}`)
    }
  }
  const changed = ({ low, high }: Range) => {
    const [before, after] = [states.get(low) ?? null, states.get(high) ?? null]
    return before !== null && after !== null && before !== after
  }

  let from: bigint | null = null
  const recent = high - remembered
  let places: Range[] =
    recent > low
      ? [
          { low: recent, high },
          { low, high: recent },
        ]
      : [{ low, high }]
  await look(places.flatMap(({ low, high }) => [low, high]))
  places = places.filter(changed)
  while (places.some(isWide)) {
    const split = places.flatMap(splitRange)
    await look(split.flatMap(({ low, high }) => [low, high]))
    const next = split.filter(changed)
    const [left] = next.slice(maxPlaces)
    if (left !== undefined && (from === null || left.high > from)) from = left.high
    places = next.slice(0, maxPlaces)
  }
  return { blocks: places.map(({ high }) => high), from }
}

function isWide({ low, high }: Range): boolean {
  return high - low > 1n
}

/** Newest first. */
function splitRange({ low, high }: Range): Range[] {
  const step = (high - low + parts - 1n) / parts
  const ranges: Range[] = []
  for (let at = high; at > low; at -= step) ranges.push({ low: at - step > low ? at - step : low, high: at })
  return ranges
}
