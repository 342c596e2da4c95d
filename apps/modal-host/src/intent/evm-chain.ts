/** Token names, contract code and balance changes from the chain. An invalid response counts as unknown. */

import type { ChainClient } from '@postern/chains/chain-client'
import { isSameAddress } from '@postern/chains/same-address'
import * as z from 'zod/mini'
import type { Amount, BalanceChange } from './intent'

export type TokenFacts = { readonly symbol?: string; readonly decimals?: number }
export type SimulatedCall = { readonly to?: string; readonly value: string; readonly data: string }
export type Simulation =
  | { readonly kind: 'unknown' }
  | { readonly kind: 'fails'; readonly reason?: string }
  | { readonly kind: 'known'; readonly changes: readonly BalanceChange[] }

const Hex = z.string().check(z.regex(/^0x[0-9a-fA-F]*$/))

const selectors = { decimals: '0x313ce567', symbol: '0x95d89b41' }

/** Empty for a contract without ERC-20 metadata, such as most NFTs. */
export async function tokenFacts(client: ChainClient, token: string, signal: AbortSignal): Promise<TokenFacts> {
  const ask = async (data: string) => {
    const params = [{ to: token, data }, 'latest']
    return Hex.parse(await client.rpc.request({ method: 'eth_call', params }, signal))
  }
  const [decimals, symbol] = await Promise.allSettled([ask(selectors.decimals), ask(selectors.symbol)])
  const places = decimals.status === 'fulfilled' ? readDecimals(decimals.value) : undefined
  const name = symbol.status === 'fulfilled' ? readSymbol(symbol.value) : undefined
  return { ...(places !== undefined && { decimals: places }), ...(name !== undefined && { symbol: name }) }
}

export async function hasCode(client: ChainClient, address: string, signal: AbortSignal): Promise<boolean | null> {
  try {
    const code = await client.rpc.request({ method: 'eth_getCode', params: [address, 'latest'] }, signal)
    return Hex.parse(code) !== '0x'
  } catch {
    return null
  }
}

const SimulatedLog = z.object({ address: Hex, topics: z.array(Hex), data: Hex })
const Simulated = z.array(
  z.object({
    calls: z.array(
      z.object({
        status: Hex,
        logs: z.optional(z.array(SimulatedLog)),
        error: z.optional(z.object({ message: z.optional(z.string()) })),
      }),
    ),
  }),
)

/** keccak256 of Transfer(address,address,uint256): three topics (ERC-20) or four (ERC-721). */
const transferTopic = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
/** `traceTransfers` logs native transfers under this address. Source: execution-apis, eth_simulateV1. */
const nativeLogger = '0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee'

/** Not every endpoint supports eth_simulateV1. Without the fee. */
export async function simulate(
  client: ChainClient,
  from: string,
  calls: readonly SimulatedCall[],
  native: { readonly symbol: string; readonly decimals: number },
  signal: AbortSignal,
): Promise<Simulation> {
  const block = {
    calls: calls.map(({ to, value, data }) => ({
      from,
      ...(to !== undefined && { to }),
      value: `0x${BigInt(value).toString(16)}`,
      input: data,
    })),
  }
  try {
    const params = [{ blockStateCalls: [block], traceTransfers: true, validation: false }, 'latest']
    const answer = Simulated.parse(await client.rpc.request({ method: 'eth_simulateV1', params }, signal))
    const results = answer.flatMap((one) => one.calls)
    if (results.length !== calls.length) return { kind: 'unknown' }
    const failed = results.find(({ status }) => BigInt(status) === 0n)
    if (failed !== undefined) {
      const reason = failed.error?.message
      return { kind: 'fails', ...(reason !== undefined && { reason: reason.slice(0, 200) }) }
    }
    return {
      kind: 'known',
      changes: changesOf(
        from,
        results.flatMap(({ logs }) => logs ?? []),
        native,
      ),
    }
  } catch {
    return { kind: 'unknown' }
  }
}

function changesOf(
  own: string,
  logs: readonly z.infer<typeof SimulatedLog>[],
  native: { readonly symbol: string; readonly decimals: number },
): readonly BalanceChange[] {
  const sums = new Map<string, { readonly amount: Omit<Amount, 'raw'>; net: bigint }>()
  for (const { address, topics, data } of logs) {
    const [topic, from, to, id] = topics
    if (topic !== transferTopic || from === undefined || to === undefined) continue
    const isNative = isSameAddress(address, nativeLogger)
    const key = `${address.toLowerCase()}/${id ?? ''}`
    const amount = isNative
      ? native
      : { token: address, ...(id !== undefined && { tokenId: `${BigInt(id)}`, decimals: 0 }) }
    const raw = id === undefined ? BigInt(data === '0x' ? '0x0' : data.slice(0, 66)) : 1n
    const sum = sums.get(key) ?? { amount, net: 0n }
    if (isSameAddress(addressIn(from), own)) sum.net -= raw
    if (isSameAddress(addressIn(to), own)) sum.net += raw
    sums.set(key, sum)
  }
  return [...sums.values()]
    .filter(({ net }) => net !== 0n)
    .map(({ amount, net }) => ({
      direction: net > 0n ? 'in' : 'out',
      amount: { ...amount, raw: `${net > 0n ? net : -net}` },
    }))
}

function addressIn(topic: string): string {
  return `0x${topic.slice(-40)}`
}

function readDecimals(hex: string): number | undefined {
  if (hex.length !== 66) return undefined
  const value = BigInt(hex)
  return value <= 77n ? Number(value) : undefined
}

/** A string, or 32 bytes in some old tokens. Undefined if too long to show next to a number. */
function readSymbol(hex: string): string | undefined {
  const bytes = Uint8Array.from(hex.slice(2).match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
  const length = bytes.length >= 96 ? Number(BigInt(`0x${hex.slice(66, 130)}`) & 0xffn) : undefined
  const text = new TextDecoder()
    .decode(length === undefined ? bytes.slice(0, 32) : bytes.slice(64, 64 + length))
    .replaceAll('\u0000', '')
  return /^[\p{L}\p{N}\p{S}\p{P} ]{1,16}$/u.test(text) ? text : undefined
}
