/** The blocks of a chain in memory that include operations, and their logs. */
import { encodeAbiParameters, encodeEventTopics, type Hex, hexToNumber, numberToHex, pad, parseAbi } from 'viem'
import * as z from 'zod/mini'
import { safeContracts } from '../account/safe'
import type { Operation } from '../operations/form'

export type Sent = { readonly hash: Hex; readonly operation: Operation; readonly value: bigint }

/** An error response of node or bundler. */
export class Refused extends Error {}

const abi = parseAbi([
  'event BeforeExecution()',
  'event UserOperationEvent(bytes32 indexed userOpHash, address indexed sender, address indexed paymaster, uint256 nonce, bool success, uint256 actualGasCost, uint256 actualGasUsed)',
])
const LogFilter = z.object({ fromBlock: z.string(), toBlock: z.string(), topics: z.array(z.unknown()) })

function eventOf({ hash, operation: { sender, nonce } }: Sent) {
  const args = { userOpHash: hash, sender, paymaster: `0x${'0'.repeat(40)}` as const }
  const topics = encodeEventTopics({ abi, eventName: 'UserOperationEvent', args })
  const types = [{ type: 'uint256' }, { type: 'bool' }, { type: 'uint256' }, { type: 'uint256' }] as const
  return { address: safeContracts.entryPoint, topics, data: encodeAbiParameters(types, [nonce, true, 1n, 1n]) }
}

function logsIn(sent: Sent) {
  const { entryPoint } = safeContracts
  const before = { address: entryPoint, topics: encodeEventTopics({ abi, eventName: 'BeforeExecution' }), data: '0x' }
  return [before, { address: sent.operation.sender, topics: [pad('0x01')], data: '0x' }, eventOf(sent)]
}

/** `now`: in epoch seconds. */
export function operationBlocks(now: () => bigint) {
  const blocks: { readonly timestamp: bigint; readonly sent: readonly Sent[] }[] = [
    { timestamp: now() - 100_000n, sent: [] },
  ]
  let maxBlocks = 1_000
  let logCalls = 0
  let baseFee = 10n ** 9n
  const mined = () => blocks.flatMap(({ sent }) => sent)
  const transactionOf = (sent: Sent) => pad(numberToHex(mined().indexOf(sent) + 1))

  function receiptParts(sent: Sent) {
    const transactionHash = transactionOf(sent)
    return { transactionHash, blockHash: transactionHash, blockNumber: '0x1', gasUsed: '0x1' }
  }

  return {
    receiptParts,
    add(sent: readonly Sent[]) {
      blocks.push({ timestamp: now(), sent })
    },
    price(next: bigint) {
      baseFee = next
    },
    removeLast: (): readonly Sent[] => blocks.pop()?.sent ?? [],
    /** An empty block comes with each question. */
    at(number: unknown) {
      const at = number === 'latest' ? blocks.length : hexToNumber(`0x${String(number).slice(2)}`)
      const timestamp = blocks[at]?.timestamp ?? now()
      return { number: numberToHex(at), baseFeePerGas: numberToHex(baseFee), timestamp: numberToHex(timestamp) }
    },
    logs(filter: unknown, isSeen: (sent: Sent) => boolean) {
      const { fromBlock, toBlock, topics } = LogFilter.parse(filter)
      const [from, to] = [Number(fromBlock), Number(toBlock)]
      logCalls += 1
      if (to - from >= maxBlocks) throw new Refused(`At most ${maxBlocks} blocks`)
      const seen = blocks.slice(from, to + 1).flatMap(({ sent }) => sent.filter(isSeen))
      return seen
        .map((one) => ({ ...eventOf(one), transactionHash: transactionOf(one) }))
        .filter((log) => topics.every((topic, at) => topic === null || topic === log.topics[at]))
    },
    receipt(hash: unknown) {
      const sent = mined().find((one) => transactionOf(one) === hash)
      return sent === undefined ? null : { ...receiptParts(sent), status: '0x1', logs: logsIn(sent) }
    },
    /** The node refuses logs of more blocks at once. */
    limitLogs(max: number) {
      maxBlocks = max
    },
    logCalls: () => logCalls,
  }
}
