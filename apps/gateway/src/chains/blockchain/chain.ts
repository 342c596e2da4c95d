import { limits } from '@postern/protocol'
import {
  type Address,
  decodeFunctionResult,
  encodeFunctionData,
  type Hex,
  isHex,
  numberToHex,
  parseAbi,
  size,
} from 'viem'
import * as z from 'zod/mini'
import { UpstreamsFailedError } from '../../platform/upstreams/attempt'
import { limitExceeded, type RpcAnswer, type RpcCall, type Upstreams } from '../../platform/upstreams/rpc'

export type Chain = { readonly upstreams: Pick<Upstreams, 'exchange'>; readonly urls: readonly string[] }

/** The message is only the method's name. */
export class ChainError extends Error {
  override readonly name = 'ChainError'
}

/** @throws {ChainError | UpstreamsFailedError} */
export async function ask<T>(chain: Chain, call: RpcCall, schema: z.ZodMiniType<T>): Promise<T> {
  const [answer] = await chain.upstreams.exchange(chain.urls, [call])
  return read(answer, call, schema)
}

/** Null for each failed call. @throws {UpstreamsFailedError} */
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
/** Ethereum's JSON-RPC encoding. */
export const Quantity = z.pipe(
  z.string().check(z.regex(/^0x[0-9a-fA-F]{1,64}$/)),
  z.transform((text) => BigInt(text)),
)

/** End of the year 9999, in s. */
const lastSecond = 253_402_300_799
export const UnixTime = z.int().check(z.gte(0), z.lte(lastSecond))
export const BlockTime = z.object({ timestamp: z.pipe(Quantity, z.bigint().check(z.lte(BigInt(lastSecond)))) })

export type ContractCall = { readonly to: Address; readonly data: Hex }

/** The same on every chain. Source: https://www.multicall3.com */
const multicall3 = '0xcA11bde05977b3631167028862bE2a173976CA11'
const multicallAbi = parseAbi([
  'struct Call3 { address target; bool allowFailure; bytes callData; }',
  'struct Result { bool success; bytes returnData; }',
  'function aggregate3(Call3[] calls) payable returns (Result[] results)',
])

/**
 * Reads contracts through Multicall3; without it, in one JSON-RPC batch.
 * @returns null for each call that reverted or has no contract.
 * @throws {ChainError | UpstreamsFailedError}
 */
export async function readContracts(chain: Chain, calls: readonly ContractCall[]): Promise<(Hex | null)[]> {
  const batches = inBatches(calls)
  const requests = batches.map((batch) => {
    const targets = batch.map(({ to, data }) => ({ target: to, allowFailure: true, callData: data }))
    return ethCall(multicall3, encodeFunctionData({ abi: multicallAbi, functionName: 'aggregate3', args: [targets] }))
  })
  const answers = await askAll(chain, requests, HexText)
  const whole: (Hex | null)[][] = []
  for (const [index, batch] of batches.entries()) {
    whole.push(readBatch(answers[index] ?? null, batch.length) ?? (await readOneByOne(chain, batch)))
  }
  return whole.flat().map((answer) => (answer === '0x' ? null : answer))
}

/** Memory for a response of 0.7 MB (1.4 MB in hexadecimal). Source: the yellow paper, appendix H. */
const maxGas = 1_000_000n
/** Together below the 10 MB limit of an upstream response. */
const floodsAtOnce = 6

/**
 * Reads contracts that anyone may have deployed. If one returns too much, which fails its whole batch, the calls are
 * repeated a few at a time, with limited gas.
 * @param maxBytes of each answer; the rest is dropped.
 * @returns null also for a call that still fails while the chain responds.
 * @throws {ChainError | UpstreamsFailedError}
 */
export async function readUntrusted(
  chain: Chain,
  calls: readonly ContractCall[],
  maxBytes: number,
): Promise<(Hex | null)[]> {
  try {
    return (await readContracts(chain, calls)).map((answer) => beginningOf(answer, maxBytes))
  } catch (error) {
    if (!(error instanceof UpstreamsFailedError)) throw error
  }
  const whole: (Hex | null)[] = []
  // Sequential, to limit memory.
  for (let at = 0; at < calls.length; at += floodsAtOnce) {
    const few = calls.slice(at, at + floodsAtOnce)
    const answers = await readOneByOne(chain, few, maxGas).catch((error) => noneIfAlive(chain, few, error))
    whole.push(...answers.map((answer) => beginningOf(answer, maxBytes)))
  }
  return whole.map((answer) => (answer === '0x' ? null : answer))
}

/** A copy, because a substring keeps the whole string in memory. */
function beginningOf(answer: Hex | null, maxBytes: number): Hex | null {
  if (answer === null || answer.length <= 2 + 2 * maxBytes) return answer
  return `0x${Buffer.from(answer.slice(2, 2 + 2 * maxBytes), 'latin1').toString('latin1')}`
}

async function noneIfAlive(chain: Chain, calls: readonly ContractCall[], failure: unknown): Promise<null[]> {
  if (!(failure instanceof UpstreamsFailedError)) throw failure
  await ask(chain, { method: 'eth_chainId' }, Quantity)
  return calls.map(() => null)
}

/** Null for a revert. */
async function readOneByOne(chain: Chain, calls: readonly ContractCall[], gas?: bigint): Promise<(Hex | null)[]> {
  const requests = calls.map(({ to, data }) => ethCall(to, data, gas))
  const answers = await chain.upstreams.exchange(chain.urls, requests)
  return answers.map((answer) => {
    if (!('error' in answer)) return read(answer, { method: 'eth_call' }, HexText)
    if (answer.error.code === limitExceeded) throw new ChainError('eth_call')
    return null
  })
}

function ethCall(to: Address, data: Hex, gas?: bigint): RpcCall {
  return { method: 'eth_call', params: [{ to, data, ...(gas !== undefined && { gas: numberToHex(gas) }) }, 'latest'] }
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
