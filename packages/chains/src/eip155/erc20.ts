import { Failure } from '@postern/protocol/failure'
import * as z from 'zod/mini'
import { askNode, parseAnswer } from '../nodes/ask-node'
import type { JsonRpcClient } from '../nodes/json-rpc'

const Bytes = z.string().check(z.regex(/^0x([0-9a-fA-F]{2})*$/))

/** First word of a result. */
const Word = z.pipe(
  z.string().check(z.regex(/^0x[0-9a-fA-F]{64}/)),
  z.transform((text) => BigInt(text.slice(0, 66))),
)

/** Base units. */
export function balanceOf(rpc: JsonRpcClient, token: string, owner: string, signal?: AbortSignal): Promise<bigint> {
  return call(rpc, token, `0x70a08231${owner.slice(2).toLowerCase().padStart(64, '0')}`, signal)
}

/** Base units. */
export function supplyOf(rpc: JsonRpcClient, token: string, signal?: AbortSignal): Promise<bigint> {
  return askNode(rpc, Word, 'eth_call', [{ to: token, data: '0x18160ddd' }, 'latest'], signal)
}

/** Base units. */
export function allowanceOf(
  rpc: JsonRpcClient,
  token: string,
  { owner, spender }: { readonly owner: string; readonly spender: string },
  signal?: AbortSignal,
): Promise<bigint> {
  const word = (address: string) => address.slice(2).toLowerCase().padStart(64, '0')
  return askNode(
    rpc,
    Word,
    'eth_call',
    [{ to: token, data: `0xdd62ed3e${word(owner)}${word(spender)}` }, 'latest'],
    signal,
  )
}

/** Rejects more than one byte. */
export async function decimalsOf(rpc: JsonRpcClient, token: string, signal?: AbortSignal): Promise<number> {
  const decimals = await call(rpc, token, '0x313ce567', signal)
  if (decimals > 255n) throw new Failure('INTERNAL')
  return Number(decimals)
}

/** @throws INTERNAL if the answer is not a word, NETWORK_UNREACHABLE if it is not bytes */
async function call(rpc: JsonRpcClient, to: string, data: string, signal: AbortSignal | undefined): Promise<bigint> {
  return parseAnswer(Word, await askNode(rpc, Bytes, 'eth_call', [{ to, data }, 'latest'], signal))
}

/** Source: EIP-1474, and messages of common nodes. */
export function isRevert(thrown: unknown): boolean {
  return thrown instanceof Failure && (thrown.rpc === 3 || /revert/i.test(thrown.message))
}
