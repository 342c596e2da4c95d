/** The outcome of a user operation from the chain's logs: a bundler may never learn of it. */
import { isSameAddress } from '@postern/chains/same-address'
import { type Address, decodeEventLog, encodeEventTopics, type Hex, numberToHex, parseAbi } from 'viem'
import * as z from 'zod/mini'
import type { ChainContext } from '../../../contract'
import { safeContracts } from '../account/safe'
import { chainOf, isUnreachable } from '../endpoints/endpoints'
import { EvmAddress, Hash, HexBytes, Quantity } from '../endpoints/quantities'
import { operationLifetimeSeconds } from './form'

const abi = parseAbi([
  'event BeforeExecution()',
  'event UserOperationEvent(bytes32 indexed userOpHash, address indexed sender, address indexed paymaster, uint256 nonce, bool success, uint256 actualGasCost, uint256 actualGasUsed)',
])

const Topics = z.custom<[Hex, ...Hex[]]>((value) => Array.isArray(value) && value.length > 0 && value.every(isTopic))
const isTopic = (value: unknown) => Hash.safeParse(value).success
const Log = z.object({ address: EvmAddress, topics: Topics, data: HexBytes, transactionHash: Hash })
const Head = z.object({ number: Quantity, timestamp: Quantity })
/** Other contracts' logs may have no topics. */
const AnyLog = z.looseObject({ address: EvmAddress, topics: z.array(Hash) })
const NodeReceipt = z.looseObject({ transactionHash: Hash, logs: z.array(AnyLog) })

export type OperationEvent = {
  readonly userOpHash: Hex
  readonly sender: Address
  readonly paymaster: Address
  readonly nonce: bigint
  readonly success: boolean
  readonly actualGasCost: bigint
  readonly actualGasUsed: bigint
  readonly transactionHash: Hex
}

/**
 * The account's operations in blocks, from the hour in which an operation with this `validUntil` is valid. A search by
 * timestamp finds the blocks. If the node refuses so many, each half is requested, up to {@link maxLogCalls}.
 * @throws {Failure} the node's error
 */
export async function operationEvents(
  sender: Address,
  validUntil: bigint,
  context: ChainContext,
): Promise<readonly OperationEvent[]> {
  const ask = chainOf(context)
  const latest = await ask('eth_getBlockByNumber', ['latest', false], Head)
  const first = await blockBefore(validUntil - operationLifetimeSeconds, latest)
  const end = latest.timestamp > validUntil ? (await blockBefore(validUntil + 1n, latest)) + nearBlocks : latest.number
  const last = end < latest.number ? end : latest.number
  const topics = encodeEventTopics({ abi, eventName: 'UserOperationEvent', args: { sender } })
  let calls = 0
  const logs = await logsOf(first, last)
  const own = logs.filter((log) => isOf(log, 'UserOperationEvent') && log.topics[2] === topics[2])
  return own.map(({ topics: logTopics, data, transactionHash }) => {
    const { args } = decodeEventLog({ abi, eventName: 'UserOperationEvent', topics: logTopics, data })
    return { ...args, transactionHash }
  })

  /** One of the last {@link nearBlocks} blocks before `time`. */
  async function blockBefore(time: bigint, { number, timestamp }: z.infer<typeof Head>): Promise<bigint> {
    let high = number
    let low = timestamp < time ? number : -1n
    for (let step = nearBlocks; low < 0n && high > 0n; step *= 2n) {
      const at = high > step ? high - step : 0n
      if (await isBefore(at, time)) low = at
      else high = at
    }
    if (low < 0n) low = 0n
    while (high - low > nearBlocks) {
      const middle = (low + high) / 2n
      if (await isBefore(middle, time)) low = middle
      else high = middle
    }
    return low
  }

  async function isBefore(block: bigint, time: bigint): Promise<boolean> {
    return (await ask('eth_getBlockByNumber', [numberToHex(block), false], Head)).timestamp < time
  }

  async function logsOf(from: bigint, to: bigint): Promise<readonly z.infer<typeof Log>[]> {
    calls += 1
    const range = { fromBlock: numberToHex(from), toBlock: numberToHex(to) }
    try {
      return await ask('eth_getLogs', [{ address: safeContracts.entryPoint, topics, ...range }], z.array(Log))
    } catch (error) {
      if (isUnreachable(error) || context.signal.aborted || from >= to || calls >= maxLogCalls) throw error
      const middle = (from + to) / 2n
      return [...(await logsOf(from, middle)), ...(await logsOf(middle + 1n, to))]
    }
  }
}

/** The search by time ends within this many blocks. */
const nearBlocks = 64n
const maxLogCalls = 64

/** In the form of eth_getUserOperationReceipt (ERC-7769). */
export async function receiptOfEvent(event: OperationEvent, context: ChainContext): Promise<unknown> {
  const { userOpHash, transactionHash, nonce, actualGasCost, actualGasUsed, ...more } = event
  const receipt = await chainOf(context)('eth_getTransactionReceipt', [transactionHash], NodeReceipt)
  const own = receipt.logs.findIndex((log) => isOf(log, 'UserOperationEvent') && log.topics[1] === userOpHash)
  const before = receipt.logs.slice(0, Math.max(0, own))
  const start = before.findLastIndex((log) => isOf(log, 'UserOperationEvent') || isOf(log, 'BeforeExecution')) + 1
  return {
    ...more,
    userOpHash,
    entryPoint: safeContracts.entryPoint,
    nonce: numberToHex(nonce),
    actualGasCost: numberToHex(actualGasCost),
    actualGasUsed: numberToHex(actualGasUsed),
    logs: before.slice(start),
    receipt,
  }
}

function isOf(
  { address, topics }: z.infer<typeof AnyLog>,
  eventName: 'UserOperationEvent' | 'BeforeExecution',
): boolean {
  const [topic] = encodeEventTopics({ abi, eventName })
  return isSameAddress(address, safeContracts.entryPoint) && topics[0] === topic
}
