/**
 * What a rollup of the OP stack takes beside gas × price: for a transaction's data on the layer below, and for whoever runs it. Its gas says nothing of either.
 * Sources: https://specs.optimism.io/protocol/exec-engine.html#fees and …/protocol/isthmus/exec-engine.html#operator-fee; the predeploy GasPriceOracle.
 *
 * Arbitrum's estimate of gas has the data in it already, and so has the `preVerificationGas` that a bundler names: neither is asked for here.
 */
import type { CaipNetworkId } from '@postern/protocol'
import { Failure } from '@postern/protocol/failure'
import * as z from 'zod/mini'
import { isRevert } from './erc20'

/** Nobody can put code there: where there is some, the network was born with it. */
export const gasPriceOracle = '0x420000000000000000000000000000000000000f'

export type RollupChain = {
  readonly networkId: CaipNetworkId
  /** What is known of the network's oracle is kept no longer than this is there: the node's client, the frame's page. */
  readonly keptBy: object
  /** Epoch milliseconds. */
  now(): number
  /** Rejects with the node's own error. */
  ask(method: string, params: readonly unknown[]): Promise<unknown>
}

/** What it would weigh: the serialised transaction without its signature, or where nobody can know that yet how many bytes it has at most. */
export type Weight = { readonly unsigned: string } | { readonly size: number }

/** keccak256 of each signature, its first four bytes. */
const selectors = {
  'getL1Fee(bytes)': '0x49948e0e',
  'getL1FeeUpperBound(uint256)': '0xf1c7a58b',
  'getOperatorFee(uint256)': '0x275aedd2',
} as const

/** Bytes beside those of the unsigned transaction: its signature, as the oracle counts it. */
const signatureBytes = 68n
/**
 * The most that gas can cost, in wei: four orders above what the layer below ever asked for, since a rollup's own currency may be worth a thousandth of ether. Only a
 * mistake or an attack is above it.
 */
const mostForGas = 10_000_000n * 10n ** 9n
/** A byte takes 16 gas of the layer below. Source: EIP-2028. */
const mostForByte = 16n * mostForGas

/** A proxy's code is short; what is longer than any contract is no code. Source: EIP-170. */
const Code = z.string().check(z.regex(/^0x([0-9a-fA-F]{2})*$/), z.maxLength(2 + 2 * 24_576))
const Word = z.pipe(
  z.string().check(z.regex(/^0x[0-9a-fA-F]{64}$/)),
  z.transform((text) => BigInt(text)),
)

/** How long a node is believed that there is no oracle, in ms. One that is wrong about it, or behind, would make every fee too low for as long as the page is open. */
const noneFor = 60_000

/** Until when it is known, in epoch milliseconds; one that is there is never gone again. */
type Known = { readonly isThere: boolean; readonly until: number }
const oracles = new WeakMap<object, Map<CaipNetworkId, Known>>()

/**
 * Wei, at the prices of the newest block; they move with every block of the layer below.
 *
 * 1. A network without the oracle takes nothing. Whether it has one is what decides, not a list of networks: new rollups and a gateway's own are known at once. It is asked
 *    once a network; where there is none, once in a minute.
 * 2. The oracle weighs the bytes themselves; where it cannot (too many to compress in one call), it is asked for the most that so many bytes may cost. Oracles from before
 *    Fjord know no such bound: there every byte counts by itself, and bytes that are not zero count most.
 * 3. The operator's fee is added. Oracles from before Isthmus do not know it, and there is none.
 * 4. An answer of another shape, or of more than such bytes can ever cost, is no fee: INTERNAL, in words. Nothing is shown or held back that an oracle made up.
 * 5. A node that does not answer rejects as it does: without its word the cost is not known.
 */
export async function rollupFee(chain: RollupChain, weight: Weight, gas: bigint): Promise<bigint> {
  // 1.
  if (!(await hasOracle(chain))) return 0n
  const [data, operator] = await Promise.all([dataFee(chain, weight), operatorFee(chain, gas)])
  // 4.
  if (data > mostForByte * (BigInt(sizeOf(weight)) + signatureBytes) || operator > mostForGas * gas) throw incredible()
  return data + operator
}

async function hasOracle({ networkId, keptBy, now, ask }: RollupChain): Promise<boolean> {
  const known = oracles.get(keptBy) ?? new Map<CaipNetworkId, Known>()
  const kept = known.get(networkId)
  if (kept !== undefined && now() < kept.until) return kept.isThere
  const isThere = read(Code, await ask('eth_getCode', [gasPriceOracle, 'latest'])) !== '0x'
  known.set(networkId, { isThere, until: isThere ? Number.POSITIVE_INFINITY : now() + noneFor })
  oracles.set(keptBy, known)
  return isThere
}

/** 2. */
async function dataFee(chain: RollupChain, weight: Weight): Promise<bigint> {
  const bound = () => call(chain, 'getL1FeeUpperBound(uint256)', word(BigInt(sizeOf(weight))))
  const exact = () => call(chain, 'getL1Fee(bytes)', bytesArgument(bytesOf(weight)))
  const [first, second] = 'unsigned' in weight ? [exact, bound] : [bound, exact]
  try {
    return await first()
  } catch (thrown) {
    if (!isNo(thrown)) throw thrown
    return second()
  }
}

/** 3. */
async function operatorFee(chain: RollupChain, gas: bigint): Promise<bigint> {
  try {
    return await call(chain, 'getOperatorFee(uint256)', word(gas))
  } catch (thrown) {
    if (isNo(thrown)) return 0n
    throw thrown
  }
}

async function call({ ask }: RollupChain, name: keyof typeof selectors, argument: string): Promise<bigint> {
  const data = `${selectors[name]}${argument}`
  return read(Word, await ask('eth_call', [{ to: gasPriceOracle, data }, 'latest']))
}

function read<T>(schema: z.ZodMiniType<T>, answer: unknown): T {
  const parsed = schema.safeParse(answer)
  if (!parsed.success) throw incredible(parsed.error)
  return parsed.data
}

function incredible(cause?: unknown): Failure {
  return new Failure('INTERNAL', { message: 'The network names no credible fee for its data', cause })
}

/** The node's word that the oracle does not answer that, as against a node that does not answer. */
function isNo(thrown: unknown): boolean {
  return isRevert(thrown) || (thrown instanceof Failure && /out of gas|gas required/i.test(thrown.message))
}

function sizeOf(weight: Weight): number {
  return 'unsigned' in weight ? (weight.unsigned.length - 2) / 2 : weight.size
}

/** Of a transaction that is not there yet: as many bytes, none of them zero. */
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
