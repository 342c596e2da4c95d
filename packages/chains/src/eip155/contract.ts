import * as z from 'zod/mini'
import type { ChainClient } from '../chain-client'
import { isPlainSymbol } from '../token-symbol'

export type TokenFacts = { readonly symbol?: string; readonly decimals?: number }

const Hex = z.string().check(z.regex(/^0x[0-9a-fA-F]*$/))

/** Empty without ERC-20 metadata, as for most NFTs. */
export async function tokenFacts(client: ChainClient, token: string, signal: AbortSignal): Promise<TokenFacts> {
  const ask = async (data: string) => {
    const params = [{ to: token, data }, 'latest']
    return Hex.parse(await client.rpc.request({ method: 'eth_call', params }, signal))
  }
  const [decimals, symbol] = await Promise.allSettled([ask('0x313ce567'), ask('0x95d89b41')])
  const places = decimals.status === 'fulfilled' ? readDecimals(decimals.value) : undefined
  const name = symbol.status === 'fulfilled' ? readSymbol(symbol.value) : undefined
  return { ...(places !== undefined && { decimals: places }), ...(name !== undefined && { symbol: name }) }
}

/** ERC-721 or not: by ERC-165, then decimals, then the item's approval. Null if unknown. */
export async function countsItems(
  client: ChainClient,
  token: string,
  id: bigint,
  { decimals }: TokenFacts,
  signal: AbortSignal,
): Promise<boolean | null> {
  const word = async (data: string) => {
    try {
      const answer = Hex.parse(
        await client.rpc.request({ method: 'eth_call', params: [{ to: token, data }, 'latest'] }, signal),
      )
      return answer.length === 66 ? BigInt(answer) : null
    } catch {
      return null
    }
  }
  if ((await word(`0x01ffc9a780ac58cd${'0'.repeat(56)}`)) === 1n) return true
  if (decimals !== undefined) return false
  return (await word(`0x081812fc${id.toString(16).padStart(64, '0')}`)) === null ? null : true
}

export async function hasCode(client: ChainClient, address: string, signal: AbortSignal): Promise<boolean | null> {
  try {
    const code = await client.rpc.request({ method: 'eth_getCode', params: [address, 'latest'] }, signal)
    return Hex.parse(code) !== '0x'
  } catch {
    return null
  }
}

function readDecimals(hex: string): number | undefined {
  if (hex.length !== 66) return undefined
  const value = BigInt(hex)
  return value <= 77n ? Number(value) : undefined
}

/** A string; 32 bytes in some old tokens. */
function readSymbol(hex: string): string | undefined {
  const bytes = Uint8Array.from(hex.slice(2).match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
  const length = bytes.length >= 96 ? Number(BigInt(`0x${hex.slice(66, 130)}`) & 0xffn) : undefined
  const text = new TextDecoder()
    .decode(length === undefined ? bytes.slice(0, 32) : bytes.slice(64, 64 + length))
    .replaceAll('\u0000', '')
  return isPlainSymbol(text) ? text : undefined
}
