import { setTimeout } from 'node:timers/promises'
import { type Address, createPublicClient, createTestClient, type Hex, http, parseEther, publicActions } from 'viem'
import type { LocalAccount } from 'viem/accounts'

export type Call = {
  /** Absent: `data` is creation code. */
  readonly to?: Address
  readonly data?: Hex
  /** Amount in wei. */
  readonly value?: bigint
  /** Default: 5 million; the market's largest contract needs 4.5 million. */
  readonly gas?: bigint
}

const defaultGas = 5_000_000n
/** Far above a fresh chain's fee. */
const maxFeePerGas = 10_000_000_000n

export async function endow(rpcUrl: string, address: Address, ether: bigint): Promise<void> {
  const node = createTestClient({ mode: 'anvil', transport: http(rpcUrl) })
  await node.setBalance({ address, value: parseEther(`${ether}`) })
}

/**
 * Sends the calls in one request, in order; resolves with the hashes once all are in a block.
 * Throws if a call reverted. `account` must send nothing else meanwhile.
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

/** In ms. */
const interval = 20
/** Polls without progress until the pool counts as stuck. */
const maxIdlePolls = 10

/**
 * Waits until all are in a block.
 * anvil mines when a transaction arrives. One that did not fit waits for the next arrival, so mine explicitly. One that
 * arrived during mining may stay queued as if its nonce were too high: remove it and send it again.
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
  let isReported = false
  for (;;) {
    const nonce = await node.getTransactionCount({ address })
    if (nonce >= firstNonce + signed.length) return
    isReported &&= nonce === before
    looks = nonce === before ? looks + 1 : 0
    before = nonce
    if (looks >= maxIdlePolls) {
      looks = 0
      if (isReported) await sendAgain()
      else await node.mine({ blocks: 1 })
      isReported = true
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
