/**
 * What ERC-20 contracts say of themselves. They are strangers' code:
 *
 * 1. Names and symbols may be `string` or, as tokens of 2017 have them, `bytes32`; both come out as one harmless line of 64 and 32 characters.
 * 2. A contract without a name or a symbol is called by its address.
 * 3. Without decimals from 0 to 255 an amount cannot be told: the token is left out.
 */
import { type Address, decodeAbiParameters, encodeFunctionData, type Hex, parseAbi, size } from 'viem'
import { type Chain, readContracts } from '../chain'
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

/** @returns one for each address, null for what is no token. @throws {UpstreamsFailedError} */
export async function readTokenFacts(chain: Chain, addresses: readonly Address[]): Promise<(TokenFacts | null)[]> {
  const calls = addresses.flatMap((to) => questions.map((data) => ({ to, data })))
  const answers = await readContracts(chain, calls)
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

export function readNumber(answer: Hex | null): bigint | null {
  if (answer === null || size(answer) < 32) return null
  try {
    return decodeAbiParameters([{ type: 'uint256' }], answer)[0]
  } catch {
    return null
  }
}

export function readText(answer: Hex | null): string {
  if (answer === null) return ''
  if (size(answer) === 32) return Buffer.from(answer.slice(2), 'hex').toString('utf8').replace(/\0+$/, '')
  try {
    return decodeAbiParameters([{ type: 'string' }], answer)[0]
  } catch {
    return ''
  }
}
