/** Questions to one chain through the gateway's own upstreams, each answer parsed. */
import { limits } from '@postern/protocol'
import { type Address, decodeFunctionResult, encodeFunctionData, type Hex, isHex, parseAbi, size } from 'viem'
import * as z from 'zod/mini'
import type { RpcAnswer, RpcCall, Upstreams } from '../rpc/upstream'

export type Chain = { readonly upstreams: Pick<Upstreams, 'exchange'>; readonly urls: readonly string[] }

/** The chain answered with an error, or with what is no answer to the question. The message is the method's name alone. */
export class ChainError extends Error {
  override readonly name = 'ChainError'
}

/** @throws {ChainError} and {UpstreamsFailedError} */
export async function ask<T>(chain: Chain, call: RpcCall, schema: z.ZodMiniType<T>): Promise<T> {
  const [answer] = await chain.upstreams.exchange(chain.urls, [call])
  return read(answer, call, schema)
}

/** All at once; as many answers as calls. Null where the chain refused one. @throws {UpstreamsFailedError} */
export async function askAll<T>(
  chain: Chain,
  calls: readonly RpcCall[],
  schema: z.ZodMiniType<T>,
): Promise<(T | null)[]> {
  if (calls.length === 0) return []
  const answers = await chain.upstreams.exchange(chain.urls, calls)
  return answers.map((answer) => {
    if ('error' in answer) return null
    const parsed = schema.safeParse(answer.result)
    return parsed.success ? parsed.data : null
  })
}

function read<T>(answer: RpcAnswer | undefined, { method }: RpcCall, schema: z.ZodMiniType<T>): T {
  if (answer === undefined || 'error' in answer) throw new ChainError(method)
  const parsed = schema.safeParse(answer.result)
  if (!parsed.success) throw new ChainError(method, { cause: parsed.error })
  return parsed.data
}

export const HexText = z.custom<Hex>((value) => isHex(value), 'must be hexadecimal')
/** A quantity of Ethereum's JSON-RPC. */
export const Quantity = z.pipe(
  z.string().check(z.regex(/^0x[0-9a-fA-F]{1,64}$/)),
  z.transform((text) => BigInt(text)),
)

export type ContractCall = { readonly to: Address; readonly data: Hex }

/** Multicall3's own address on every chain that has it. Source: https://www.multicall3.com */
const multicall3 = '0xcA11bde05977b3631167028862bE2a173976CA11'
const multicallAbi = parseAbi([
  'struct Call3 { address target; bool allowFailure; bytes callData; }',
  'struct Result { bool success; bytes returnData; }',
  'function aggregate3(Call3[] calls) payable returns (Result[] results)',
])

/**
 * Reads many contracts in few calls, by Multicall3, in batches of at most `limits.multicallBatchBytes` of call data. Where the chain has no
 * Multicall3 the contracts are asked one by one, in one batch of JSON-RPC.
 *
 * @returns one answer a call: null where the contract reverted or there is none.
 * @throws {UpstreamsFailedError}
 */
export async function readContracts(chain: Chain, calls: readonly ContractCall[]): Promise<(Hex | null)[]> {
  const batches = inBatches(calls)
  const requests = batches.map((batch) => {
    const targets = batch.map(({ to, data }) => ({ target: to, allowFailure: true, callData: data }))
    return ethCall(multicall3, encodeFunctionData({ abi: multicallAbi, functionName: 'aggregate3', args: [targets] }))
  })
  const answers = await askAll(chain, requests, HexText)
  const results = batches.map((batch, index) => readBatch(answers[index] ?? null, batch.length))
  const whole: (Hex | null)[][] = []
  for (const [index, batch] of batches.entries()) {
    whole.push(
      results[index] ??
        (await askAll(
          chain,
          batch.map(({ to, data }) => ethCall(to, data)),
          HexText,
        )),
    )
  }
  return whole.flat().map((answer) => (answer === '0x' ? null : answer))
}

export function ethCall(to: Address, data: Hex): RpcCall {
  return { method: 'eth_call', params: [{ to, data }, 'latest'] }
}

function inBatches(calls: readonly ContractCall[]): ContractCall[][] {
  const batches: ContractCall[][] = []
  let bytes = Number.POSITIVE_INFINITY
  for (const call of calls) {
    bytes += size(call.data)
    if (bytes > limits.multicallBatchBytes) {
      batches.push([])
      bytes = size(call.data)
    }
    batches.at(-1)?.push(call)
  }
  return batches
}

function readBatch(answer: Hex | null, count: number): (Hex | null)[] | null {
  if (answer === null || answer === '0x') return null
  try {
    const results = decodeFunctionResult({ abi: multicallAbi, functionName: 'aggregate3', data: answer })
    if (results.length !== count) return null
    return results.map(({ success, returnData }) => (success ? returnData : null))
  } catch {
    return null
  }
}
