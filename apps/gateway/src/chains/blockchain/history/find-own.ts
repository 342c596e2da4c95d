/**
 * Detects transactions that a contract account requested, though a bundler, relayer or owner sent them.
 *
 * 1. An ERC-4337 entry point emits an operation of the account, or the account, as a Safe, emits an execution that its
 *    owners signed.
 * 2. Only transactions that claim an outgoing transfer are checked. Without a receipt, none counts.
 */
import { type Address, padHex, toEventSelector } from 'viem'
import * as z from 'zod/mini'
import { askAll, type Chain, HexText } from '../chain'
import type { Page } from './landed'
import { entryPointAbis } from './operation-payments'

const Receipt = z.object({
  from: z.string(),
  logs: z.array(z.object({ address: z.string(), topics: z.array(HexText) })),
})
type Receipt = z.infer<typeof Receipt>

const ranOperation = toEventSelector(
  'event UserOperationEvent(bytes32 indexed userOpHash, address indexed sender, address indexed paymaster, uint256 nonce, bool success, uint256 actualGasCost, uint256 actualGasUsed)',
)
const ranOfOwners = toEventSelector('event ExecutionSuccess(bytes32 txHash, uint256 payment)')

/** @param account in lower case. */
export async function findOwn(chain: Chain, account: Address, page: Page): Promise<Page> {
  const unsure = page.landed.filter(
    ({ isOwn, moves }) => !isOwn && moves.some(({ from, contract }) => from === account && contract !== null),
  )
  const receipts = await askAll(
    chain,
    unsure.map(({ hash }) => ({ method: 'eth_getTransactionReceipt', params: [hash] })),
    Receipt,
  ).catch(() => [])
  const own = new Set(unsure.filter((_, index) => isAskedFor(receipts[index] ?? null, account)).map(({ hash }) => hash))
  return { ...page, landed: page.landed.map((landed) => (own.has(landed.hash) ? { ...landed, isOwn: true } : landed)) }
}

function isAskedFor(receipt: Receipt | null, account: Address): boolean {
  if (receipt === null) return false
  if (receipt.from.toLowerCase() === account) return true
  const topic = padHex(account, { size: 32 })
  return receipt.logs.some(({ address, topics: [event, , sender] }) => {
    const emitter = address.toLowerCase()
    if (event === ranOperation) return entryPointAbis.has(emitter) && sender?.toLowerCase() === topic
    return event === ranOfOwners && emitter === account
  })
}
