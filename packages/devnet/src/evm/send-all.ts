/** Many transactions of one account in a single request, for setting a chain up quickly. */
import { type Address, createPublicClient, createTestClient, type Hex, http, parseEther } from 'viem'
import type { LocalAccount } from 'viem/accounts'

export type Call = {
  /** Absent: `data` is creation code. */
  readonly to?: Address
  readonly data?: Hex
  /** Wei. */
  readonly value?: bigint
}

/** More than any call here needs; a block holds 30 million. */
const gas = 8_000_000n
/** Far above what a fresh chain asks. */
const maxFeePerGas = 10_000_000_000n

/** Gives `account` as many ether as it needs to play its part, once. */
export async function endow(rpcUrl: string, address: Address, ether: bigint): Promise<void> {
  const node = createTestClient({ mode: 'anvil', transport: http(rpcUrl) })
  await node.setBalance({ address, value: parseEther(`${ether}`) })
}

/**
 * Sends `calls` in their order and answers, with their hashes, once all are in a block.
 * Throws when one reverted. `account` sends nothing else meanwhile.
 */
export async function sendAll({
  rpcUrl,
  chainId,
  account,
  calls,
}: {
  readonly rpcUrl: string
  readonly chainId: number
  readonly account: LocalAccount
  readonly calls: readonly Call[]
}): Promise<Hex[]> {
  const node = createPublicClient({ transport: http(rpcUrl, { batch: true }), pollingInterval: 20 })
  const firstNonce = await node.getTransactionCount({ address: account.address })
  const signed = await Promise.all(
    calls.map((call, index) =>
      account.signTransaction({
        type: 'eip1559',
        chainId,
        nonce: firstNonce + index,
        gas,
        maxFeePerGas,
        maxPriorityFeePerGas: 1n,
        ...call,
      }),
    ),
  )
  const hashes = await Promise.all(
    signed.map((serializedTransaction) => node.sendRawTransaction({ serializedTransaction })),
  )
  const receipts = await Promise.all(hashes.map((hash) => node.waitForTransactionReceipt({ hash })))
  const failed = receipts.findIndex(({ status }) => status !== 'success')
  if (failed >= 0) throw new Error(`Transaction ${failed} of ${calls.length} reverted on ${rpcUrl}.`)
  return hashes
}
