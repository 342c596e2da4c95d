/**
 * L1 data fee and operator fee of an OP Stack rollup, on top of gas × price.
 * Arbitrum's estimate and a bundler's `preVerificationGas` include the data.
 * Sources: https://specs.optimism.io/protocol/exec-engine.html#fees, …/protocol/isthmus/exec-engine.html#operator-fee
 */
import type { CaipNetworkId } from '@postern/protocol'
import { Failure } from '@postern/protocol/failure'
import * as z from 'zod/mini'
import { isRevert } from './erc20'

/** A predeploy address: only genesis can put code there. */
export const gasPriceOracle = '0x420000000000000000000000000000000000000f'

export type RollupChain = {
  readonly networkId: CaipNetworkId
  /** The cache lives as long as this object. */
  readonly cacheKey: object
  /** Epoch ms. */
  now(): number
  /** Rejects with the node's own error. */
  ask(method: string, params: readonly unknown[]): Promise<unknown>
}

/** `size`: max bytes of the unsigned transaction. */
export type Weight = { readonly unsigned: string } | { readonly size: number }

const selectors = {
  'getL1Fee(bytes)': '0x49948e0e',
  'getL1FeeUpperBound(uint256)': '0xf1c7a58b',
  'getOperatorFee(uint256)': '0x275aedd2',
} as const

/** The oracle adds these for the signature. */
const signatureBytes = 68n
/** Wei. Four orders of magnitude above any L1 price: a rollup's currency may be worth a thousandth of ether. */
const maxGasPrice = 10_000_000n * 10n ** 9n
/** A byte costs 16 L1 gas (EIP-2028). */
const maxFeePerByte = 16n * maxGasPrice

/** Max size: EIP-170. */
const Code = z.string().check(z.regex(/^0x([0-9a-fA-F]{2})*$/), z.maxLength(2 + 2 * 24_576))
const Word = z.pipe(
  z.string().check(z.regex(/^0x[0-9a-fA-F]{64}$/)),
  z.transform((text) => BigInt(text)),
)

/** Short: a wrong node must not make every fee too low until the page closes. */
const noOracleCacheMs = 60_000

/** Epoch ms; a found oracle never expires. */
type CachedOracle = { readonly exists: boolean; readonly until: number }
const oracles = new WeakMap<object, Map<CaipNetworkId, CachedOracle>>()

/**
 * The rollup fee in wei at the newest block's prices.
 *
 * 1. A network without the oracle's code costs nothing, so new rollups need no list. Checked once per network, or once
 *    a minute without an oracle.
 * 2. The oracle weighs the bytes, or returns the upper bound if they are too many for one call. Oracles before Fjord
 *    lack the bound: they get non-zero bytes, which cost most.
 * 3. The operator fee is added; zero for oracles before Isthmus.
 * 4. A malformed result, or a fee above the max for that size, is INTERNAL.
 * 5. If the node does not respond, its error is rethrown.
 */
export async function rollupFee(chain: RollupChain, weight: Weight, gas: bigint): Promise<bigint> {
  // Rule 1.
  if (!(await hasOracle(chain))) return 0n
  const [data, operator] = await Promise.all([dataFee(chain, weight), operatorFee(chain, gas)])
  // Rule 4.
  if (data > maxFeePerByte * (BigInt(sizeOf(weight)) + signatureBytes) || operator > maxGasPrice * gas)
    throw implausibleFee()
  return data + operator
}

async function hasOracle({ networkId, cacheKey, now, ask }: RollupChain): Promise<boolean> {
  const known = oracles.get(cacheKey) ?? new Map<CaipNetworkId, CachedOracle>()
  const cached = known.get(networkId)
  if (cached !== undefined && now() < cached.until) return cached.exists
  const exists = read(Code, await ask('eth_getCode', [gasPriceOracle, 'latest'])) !== '0x'
  known.set(networkId, { exists, until: exists ? Number.POSITIVE_INFINITY : now() + noOracleCacheMs })
  oracles.set(cacheKey, known)
  return exists
}

/** Rule 2. */
async function dataFee(chain: RollupChain, weight: Weight): Promise<bigint> {
  const bound = () => call(chain, 'getL1FeeUpperBound(uint256)', word(BigInt(sizeOf(weight))))
  const exact = () => call(chain, 'getL1Fee(bytes)', bytesArgument(bytesOf(weight)))
  const [first, second] = 'unsigned' in weight ? [exact, bound] : [bound, exact]
  try {
    return await first()
  } catch (thrown) {
    if (!isMissingMethod(thrown)) throw thrown
    return second()
  }
}

/** Rule 3. */
async function operatorFee(chain: RollupChain, gas: bigint): Promise<bigint> {
  try {
    return await call(chain, 'getOperatorFee(uint256)', word(gas))
  } catch (thrown) {
    if (isMissingMethod(thrown)) return 0n
    throw thrown
  }
}

async function call({ ask }: RollupChain, name: keyof typeof selectors, argument: string): Promise<bigint> {
  const data = `${selectors[name]}${argument}`
  return read(Word, await ask('eth_call', [{ to: gasPriceOracle, data }, 'latest']))
}

function read<T>(schema: z.ZodMiniType<T>, answer: unknown): T {
  const parsed = schema.safeParse(answer)
  if (!parsed.success) throw implausibleFee(parsed.error)
  return parsed.data
}

function implausibleFee(cause?: unknown): Failure {
  return new Failure('INTERNAL', { message: 'The network names no credible fee for its data', cause })
}

/** The oracle lacks the function, as opposed to no response. */
function isMissingMethod(thrown: unknown): boolean {
  return isRevert(thrown) || (thrown instanceof Failure && /out of gas|gas required/i.test(thrown.message))
}

function sizeOf(weight: Weight): number {
  return 'unsigned' in weight ? (weight.unsigned.length - 2) / 2 : weight.size
}

/** Unknown bytes count as non-zero. */
function bytesOf(weight: Weight): string {
  return 'unsigned' in weight ? weight.unsigned.slice(2) : 'ff'.repeat(weight.size)
}

function bytesArgument(digits: string): string {
  const padded = digits.padEnd(Math.ceil(digits.length / 64) * 64, '0')
  return `${word(32n)}${word(BigInt(digits.length / 2))}${padded}`
}

function word(value: bigint): string {
  return value.toString(16).padStart(64, '0')
}
