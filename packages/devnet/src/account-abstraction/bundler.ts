import type { Address, Hex } from 'viem'
import { getUserOperationHash } from 'viem/account-abstraction'
import * as z from 'zod'
import { entryPoint } from './addresses'
import { BundlerError, refusalOf } from './bundler-error'
import { estimate, type GasLimits } from './estimate'
import { type Ask, resultOf } from './node'
import { type Receipt, receiptOf } from './receipts'
import { validate } from './simulate'
import { handleOpsData, type Operation, preVerificationGasOf } from './user-operation'

/** `hold` accepts operations but sends none until `on`; `off` rejects every request. */
export type BundlerMode = 'on' | 'off' | 'hold'

export type Bundler = {
  send(operation: Operation): Promise<Hex>
  estimate(operation: Operation): Promise<GasLimits>
  /** Null while pending or if unknown. */
  receipt(hash: Hex): Promise<Receipt | null>
  /** Null if the operation was dropped, or replaced before it was in a bundle. */
  get(hash: Hex): Promise<{ readonly operation: Operation; readonly receipt: Receipt | null } | null>
  setMode(mode: BundlerMode): void
}

const Block = z.object({ baseFeePerGas: z.string().transform((text) => BigInt(text)) })

/** Min rise of both fees for a replacement, in percent. */
const replacementRise = 10n

/**
 * A bundler for EntryPoint 0.7 (ERC-4337, ERC-7769).
 * It serves one machine, so it does not restrict opcodes (ERC-7562).
 *
 * 1. An operation is accepted if its gas covers the transaction around it, its fee the base fee, and the entry point's
 *    simulation accepts it. Otherwise it is rejected with ERC-7769's code.
 * 2. One operation per sender and nonce is pending. A second one replaces it if both fees are 10 % higher. Sending the
 *    same one again returns its hash.
 * 3. A bundle has one operation per sender. One that the entry point now rejects is dropped; the others are sent.
 * 4. An operation in a bundle can no longer be replaced: a second one is accepted, and dropped if the first is
 *    included. Dropped and replaced operations are forgotten.
 * 5. The hash excludes the signature: what the account signed identifies an operation.
 */
export function createBundler({
  ask,
  chainId,
  beneficiary,
  sendBundle,
  now = () => Math.floor(Date.now() / 1_000),
}: {
  readonly ask: Ask
  readonly chainId: number
  readonly beneficiary: Address
  /** Resolves once the calldata is in a block. */
  sendBundle(data: Hex, gas: bigint): Promise<void>
  /** In epoch seconds. */
  readonly now?: () => number
}): Bundler {
  const waiting = new Map<Hex, Operation>()
  const known = new Map<Hex, Operation>()
  let mode: BundlerMode = 'on'
  let isRunning = false

  const hashOf = (userOperation: Operation) =>
    getUserOperationHash({ chainId, entryPointAddress: entryPoint, entryPointVersion: '0.7', userOperation })

  async function send(operation: Operation): Promise<Hex> {
    const hash = hashOf(operation)
    if (waiting.has(hash)) return hash
    await check(operation)
    const earlier = [...waiting].find(
      ([, { sender, nonce }]) => sender === operation.sender && nonce === operation.nonce,
    )
    if (earlier !== undefined) {
      const [replaced, { maxFeePerGas, maxPriorityFeePerGas }] = earlier
      const rises = (before: bigint, after: bigint) => after * 100n >= before * (100n + replacementRise)
      const pays =
        rises(maxFeePerGas, operation.maxFeePerGas) && rises(maxPriorityFeePerGas, operation.maxPriorityFeePerGas)
      if (!pays) throw new BundlerError('invalid', 'An operation of this sender and nonce is already pending.')
      forget(replaced)
    }
    waiting.set(hash, operation)
    known.set(hash, operation)
    start()
    return hash
  }

  async function check(operation: Operation): Promise<void> {
    const min = preVerificationGasOf(operation)
    if (operation.preVerificationGas < min)
      throw new BundlerError('invalid', `preVerificationGas must be at least ${min}.`)
    if (operation.maxPriorityFeePerGas > operation.maxFeePerGas)
      throw new BundlerError('invalid', 'maxPriorityFeePerGas must not be higher than maxFeePerGas.')
    const { baseFeePerGas } = Block.parse(await resultOf(ask('eth_getBlockByNumber', ['latest', false])))
    // The next block's base fee is at most an eighth lower.
    const minFee = (baseFeePerGas * 7n) / 8n
    if (operation.maxFeePerGas < minFee) throw new BundlerError('invalid', `maxFeePerGas must be at least ${minFee}.`)
    await validate(ask, operation, now())
  }

  function forget(hash: Hex) {
    waiting.delete(hash)
    known.delete(hash)
  }

  function start() {
    if (isRunning || mode !== 'on') return
    isRunning = true
    void run().finally(() => {
      isRunning = false
    })
  }

  async function run(): Promise<void> {
    while (mode === 'on' && waiting.size > 0) {
      const bundle = [...new Map([...waiting].reverse().map((entry) => [entry[1].sender, entry])).values()]
      const operations = bundle.map(([, operation]) => operation)
      const data = handleOpsData(operations, beneficiary)
      const gas = operations.reduce((total, operation) => total + gasOf(operation), 0n)
      const transaction = { from: beneficiary, to: entryPoint, data, gas: `0x${gas.toString(16)}` }
      const answer = await ask('eth_call', [transaction, 'latest'])
      if (answer.kind === 'refused') {
        const dropped = bundle[refusalOf(answer.data)?.index ?? 0]
        if (dropped !== undefined) forget(dropped[0])
        continue
      }
      for (const [hash] of bundle) waiting.delete(hash)
      await sendBundle(data, gas).catch((cause: unknown) => {
        // On shutdown the chain may stop first.
        if (mode !== 'off') console.error('A bundle could not be sent.', cause)
      })
    }
  }

  const receipt = (hash: Hex) => receiptOf(ask, hash)
  return {
    send,
    estimate: (operation) => estimate(ask, operation),
    receipt,
    async get(hash) {
      const operation = known.get(hash)
      return operation === undefined ? null : { operation, receipt: await receipt(hash) }
    },
    setMode(wanted) {
      mode = wanted
      start()
    },
  }
}

/** Gas of the entry point itself. `gasOf` adds the 1/64 that a call retains. */
const bundleGas = 100_000n
const gasOf = (operation: Operation) =>
  ((operation.verificationGasLimit +
    operation.callGasLimit +
    (operation.paymasterVerificationGasLimit ?? 0n) +
    (operation.paymasterPostOpGasLimit ?? 0n)) *
    65n) /
    64n +
  operation.preVerificationGas +
  bundleGas
