/**
 * Metadata of untrusted ERC-20 contracts.
 *
 * 1. Names and symbols are `string` or, in tokens of 2017, `bytes32`; they are one sanitised line.
 * 2. The short address replaces a missing name or symbol.
 * 3. Without decimals from 0 to 255 the amount is unknown: the token is left out.
 * 4. A token with an oversized response, which anyone can send to any account, is left out alone.
 */
import { type Address, encodeFunctionData, type Hex, parseAbi, size } from 'viem'
import { type Chain, readUntrusted } from '../chain'
import { plainText } from '../plain-text'
import { shortAddress } from './holding'

export type TokenFacts = { readonly name: string; readonly symbol: string; readonly decimals: number }

const abi = parseAbi([
  'function name() view returns (string)',
  'function symbol() view returns (string)',
  'function decimals() view returns (uint8)',
])
const questions = (['name', 'symbol', 'decimals'] as const).map((functionName) =>
  encodeFunctionData({ abi, functionName }),
)

/** In bytes. */
const maxTextBytes = 4_096
/** In bytes. */
export const wordSize = 32

/** Null for each address without a token. @throws {ChainError | UpstreamsFailedError} */
export async function readTokenFacts(chain: Chain, addresses: readonly Address[]): Promise<(TokenFacts | null)[]> {
  const calls = addresses.flatMap((to) => questions.map((data) => ({ to, data })))
  const answers = await readUntrusted(chain, calls, maxTextBytes)
  return addresses.map((address, index) => {
    const [name = null, symbol = null, decimalsAnswer = null] = answers.slice(index * 3, index * 3 + 3)
    const decimals = readNumber(decimalsAnswer)
    if (decimals === null || decimals > 255n) return null
    const ownSymbol = plainText(readText(symbol), 32)
    return {
      name: plainText(readText(name), 64) || ownSymbol || shortAddress(address),
      symbol: ownSymbol || shortAddress(address),
      decimals: Number(decimals),
    }
  })
}

/** The first word. */
export function readNumber(answer: Hex | null): bigint | null {
  return answer === null || size(answer) < 32 ? null : BigInt(answer.slice(0, 66))
}

/** Empty if invalid, truncated if cut off. viem takes 50 ms for a megabyte of untrusted data. */
export function readText(answer: Hex | null): string {
  if (answer === null) return ''
  const bytes = Buffer.from(answer.slice(2), 'hex')
  if (bytes.length === 32) return bytes.toString('utf8').replace(/\0+$/, '')
  const start = readLength(bytes, 0)
  const length = readLength(bytes, start)
  if (Number.isNaN(length)) return ''
  return bytes.toString('utf8', start + 32, start + 32 + length)
}

/** NaN if missing or too large. */
function readLength(bytes: Buffer, at: number): number {
  const word = Number.isInteger(at) ? bytes.subarray(at, at + 32) : bytes.subarray(0, 0)
  return word.length === 32 && word.subarray(0, 26).every((byte) => byte === 0) ? word.readUIntBE(26, 6) : Number.NaN
}
