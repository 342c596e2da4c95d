import { decodeEventLog, encodeEventTopics, type Hex, numberToHex } from 'viem'
import { entryPoint07Abi } from 'viem/account-abstraction'
import * as z from 'zod'
import { entryPoint } from './addresses'
import { type Ask, resultOf } from './node'
import { Bytes } from './user-operation'

/** Result of `eth_getUserOperationReceipt`; hexadecimal numbers. */
export type Receipt = {
  readonly userOpHash: Hex
  readonly entryPoint: Hex
  readonly sender: Hex
  readonly nonce: Hex
  readonly paymaster?: Hex
  readonly actualGasCost: Hex
  readonly actualGasUsed: Hex
  readonly success: boolean
  /** Revert data of the call. */
  readonly reason?: Hex
  /** Logs of this operation only. */
  readonly logs: readonly Log[]
  readonly receipt: TransactionReceipt
}

const Log = z.looseObject({ address: z.string(), topics: z.array(Bytes), data: Bytes, logIndex: z.string() })
type Log = z.infer<typeof Log>
const TransactionReceipt = z.looseObject({
  transactionHash: Bytes,
  blockHash: Bytes,
  blockNumber: Bytes.or(z.string()),
  logs: z.array(Log),
})
type TransactionReceipt = z.infer<typeof TransactionReceipt>
const Logs = z.array(z.looseObject({ transactionHash: Bytes }))

const noPaymaster = /^0x0{40}$/

export async function receiptOf(ask: Ask, hash: Hex): Promise<Receipt | null> {
  const topics = encodeEventTopics({
    abi: entryPoint07Abi,
    eventName: 'UserOperationEvent',
    args: { userOpHash: hash },
  })
  const filter = { address: entryPoint, topics, fromBlock: 'earliest', toBlock: 'latest' }
  const [transactionLog] = Logs.parse(await resultOf(ask('eth_getLogs', [filter])))
  if (transactionLog === undefined) return null
  const receipt = TransactionReceipt.parse(
    await resultOf(ask('eth_getTransactionReceipt', [transactionLog.transactionHash])),
  )

  let logs: Log[] = []
  let reason: Hex | undefined
  for (const log of receipt.logs) {
    const event = eventOf(log)
    if (event?.eventName === 'BeforeExecution') {
      logs = []
      continue
    }
    logs.push(log)
    if (event?.eventName === 'UserOperationRevertReason' && event.args.userOpHash === hash)
      reason = event.args.revertReason
    if (event?.eventName !== 'UserOperationEvent') continue
    if (event.args.userOpHash !== hash) {
      logs = []
      continue
    }
    const { sender, nonce, paymaster, actualGasCost, actualGasUsed, success } = event.args
    return {
      userOpHash: hash,
      entryPoint,
      sender,
      nonce: numberToHex(nonce),
      ...(!noPaymaster.test(paymaster) && { paymaster }),
      actualGasCost: numberToHex(actualGasCost),
      actualGasUsed: numberToHex(actualGasUsed),
      success,
      ...(reason !== undefined && { reason }),
      logs,
      receipt,
    }
  }
  return null
}

/** Null if the log is not the entry point's. */
function eventOf({ address, topics, data }: Log) {
  const [signature, ...rest] = topics
  if (address.toLowerCase() !== entryPoint.toLowerCase() || signature === undefined) return null
  try {
    return decodeEventLog({ abi: entryPoint07Abi, data, topics: [signature, ...rest] })
  } catch {
    return null
  }
}
