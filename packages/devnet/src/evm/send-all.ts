/** Many transactions of one account in a single request, for setting a chain up quickly. */
import { setTimeout } from 'node:timers/promises'
import { type Address, createPublicClient, createTestClient, type Hex, http, parseEther, publicActions } from 'viem'
import type { LocalAccount } from 'viem/accounts'

export type Call = {
  /** Absent: `data` is creation code. */
  readonly to?: Address
  readonly data?: Hex
  /** Wei. */
  readonly value?: bigint
  /** Default 5 million: the largest of the market's contracts needs 4.5 million. */
  readonly gas?: bigint
}

const defaultGas = 5_000_000n
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
        gas: defaultGas,
        maxFeePerGas,
        maxPriorityFeePerGas: 1n,
        ...call,
      }),
    ),
  )
  const hashes = await Promise.all(
    signed.map((serializedTransaction) => node.sendRawTransaction({ serializedTransaction })),
  )
  await included({ rpcUrl, address: account.address, firstNonce, signed })
  const receipts = await Promise.all(hashes.map((hash) => node.waitForTransactionReceipt({ hash })))
  const failed = receipts.findIndex(({ status }) => status !== 'success')
  if (failed >= 0) throw new Error(`Transaction ${failed} of ${calls.length} reverted on ${rpcUrl}.`)
  return hashes
}

/** Between two looks, ms. */
const interval = 20
/** So many looks without progress mean that nothing more comes by itself. */
const patience = 10

/**
 * Waits until the account's transactions from `firstNonce` on are in blocks.
 * anvil mines when it hears of a transaction. One that did not fit beside others into that block waits until it hears of another, so it is told.
 * One that arrived while the block before its own was made may stay queued as if it came too early, whatever is mined: it is taken out and sent again.
 */
async function included({
  rpcUrl,
  address,
  firstNonce,
  signed,
}: {
  readonly rpcUrl: string
  readonly address: Address
  readonly firstNonce: number
  readonly signed: readonly Hex[]
}) {
  const node = createTestClient({ mode: 'anvil', transport: http(rpcUrl) }).extend(publicActions)
  let before = -1
  let looks = 0
  let isTold = false
  for (;;) {
    const nonce = await node.getTransactionCount({ address })
    if (nonce >= firstNonce + signed.length) return
    isTold &&= nonce === before
    looks = nonce === before ? looks + 1 : 0
    before = nonce
    if (looks >= patience) {
      looks = 0
      if (isTold) await sendAgain()
      else await node.mine({ blocks: 1 })
      isTold = true
    }
    await setTimeout(interval)
  }
  async function sendAgain(): Promise<void> {
    await node.request<RemovePoolTransactions>({ method: 'anvil_removePoolTransactions', params: [address] })
    const nonce = await node.getTransactionCount({ address })
    for (const serializedTransaction of signed.slice(nonce - firstNonce))
      await node.sendRawTransaction({ serializedTransaction })
  }
}

type RemovePoolTransactions = {
  readonly Method: 'anvil_removePoolTransactions'
  readonly Parameters: readonly [Address]
  readonly ReturnType: null
}
