/**
 * What ERC-20 contracts say of themselves. They are strangers' code:
 *
 * 1. Names and symbols may be `string` or, as tokens of 2017 have them, `bytes32`; both come out as one harmless line of 64 and 32 characters.
 * 2. A contract without a name or a symbol is called by its address.
 * 3. Without decimals from 0 to 255 an amount cannot be told: the token is left out.
 * 4. One that answers with more than can be taken is left out, and hides none of the others: anybody can send such a token to anybody.
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

/** Bytes of an answer: more than is shown of a name. */
const longestText = 4_096
/** Bytes of an answer that is a number. */
export const wordSize = 32

/** @returns one for each address, null for what is no token. @throws {ChainError} and {UpstreamsFailedError} */
export async function readTokenFacts(chain: Chain, addresses: readonly Address[]): Promise<(TokenFacts | null)[]> {
  const calls = addresses.flatMap((to) => questions.map((data) => ({ to, data })))
  const answers = await readUntrusted(chain, calls, longestText)
  return addresses.map((address, index) => {
    const [name = null, symbol = null, given = null] = answers.slice(index * 3, index * 3 + 3)
    const decimals = readNumber(given)
    if (decimals === null || decimals > 255n) return null
    const ownSymbol = plainText(readText(symbol), 32)
    return {
      name: plainText(readText(name), 64) || ownSymbol || shortAddress(address),
      symbol: ownSymbol || shortAddress(address),
      decimals: Number(decimals),
    }
  })
}

/** The first word of an answer. It may be a stranger's and of any length, so the rest is not looked at. */
export function readNumber(answer: Hex | null): bigint | null {
  return answer === null || size(answer) < 32 ? null : BigInt(answer.slice(0, 66))
}

/** Empty for what is none, and what there is of one that is cut off. Read without viem, which takes 50 ms for a megabyte; a stranger's answer may be one. */
export function readText(answer: Hex | null): string {
  if (answer === null) return ''
  const bytes = Buffer.from(answer.slice(2), 'hex')
  if (bytes.length === 32) return bytes.toString('utf8').replace(/\0+$/, '')
  const start = readLength(bytes, 0)
  const length = readLength(bytes, start)
  if (Number.isNaN(length)) return ''
  return bytes.toString('utf8', start + 32, start + 32 + length)
}

/** A word as a length; NaN where there is none, or none that an answer could have. */
function readLength(bytes: Buffer, at: number): number {
  const word = Number.isInteger(at) ? bytes.subarray(at, at + 32) : bytes.subarray(0, 0)
  return word.length === 32 && word.subarray(0, 26).every((byte) => byte === 0) ? word.readUIntBE(26, 6) : Number.NaN
}
