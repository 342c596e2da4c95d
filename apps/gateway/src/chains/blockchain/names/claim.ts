/**
 * Verifies that a claim to a name, or its release, is recent and comes from the address.
 *
 * 1. The signed message is only the claim: JSON that round-trips (no duplicate members), on one line or indented by two
 *    spaces.
 * 2. It names its address, so a reader cannot use it for another.
 * 3. It is within ten minutes of now.
 * 4. The address's key (EIP-191), or its contract (ERC-1271, ERC-6492) on the named network, signed. A test network
 *    counts only if the operator added it: anyone can deploy any contract there.
 * 5. Neither claim nor release may have the other's members.
 * 6. Reserved addresses are rejected: `ecrecover` returns zero for an invalid signature.
 */
import { type CaipNetworkId, NameClaim, NameRelease, type RegisterName } from '@postern/protocol'
import { eip155Verifier, UnverifiableError } from '@postern/siwx/verifiers'
import { type Address, getAddress, isAddress, isHex, recoverMessageAddress } from 'viem'
import type * as z from 'zod/mini'
import { parseJson } from '../../../platform/parse-json'
import { asNode } from '../../../platform/upstreams/as-node'
import { UpstreamsFailedError } from '../../../platform/upstreams/attempt'
import type { Upstreams } from '../../../platform/upstreams/rpc'
import type { KnownNetwork } from '../account'

export type ReadClaim<T> =
  | { readonly ok: true; readonly claim: T; readonly address: Address }
  | { readonly ok: false; readonly name: 'message' | 'address' | 'timestamp'; readonly description: string }

/** In ms. */
const freshness = 10 * 60_000
/** Precompiles (EIP-7587). */
const lastPrecompile = 0xffffn

type Sent = Pick<RegisterName, 'message' | 'address'>

/** Does not check the signature. @param now epoch ms */
export const readClaim = (sent: Sent, now: number) => readSigned(NameClaim, sent, now)
export const readRelease = (sent: Sent, now: number) => readSigned(NameRelease, sent, now)

function readSigned<T extends { readonly address: string; readonly timestamp: number }>(
  schema: z.ZodMiniType<T>,
  { message, address: text }: Sent,
  now: number,
): ReadClaim<T> {
  const refuse = (name: 'message' | 'address' | 'timestamp', description: string): ReadClaim<T> => ({
    ok: false,
    name,
    description,
  })
  const value = parseJson(message)
  const parsed = schema.safeParse(value)
  if (!parsed.success || isBoth(value) || ![0, 2].some((indent) => JSON.stringify(value, null, indent) === message)) {
    return refuse('message', 'This is no claim to a name')
  }
  const claim = parsed.data
  if (!isAddress(text, { strict: false }) || BigInt(text) <= lastPrecompile) {
    return refuse('address', 'This is no address that can own a name')
  }
  if (claim.address.toLowerCase() !== text.toLowerCase()) return refuse('address', 'The claim is for another address')
  if (Math.abs(now - claim.timestamp * 1000) > freshness) return refuse('timestamp', 'The claim is not of now')
  return { ok: true, claim, address: getAddress(text) }
}

export type Verifier = {
  readonly upstreams: Pick<Upstreams, 'exchange'>
  readonly networks: ReadonlyMap<CaipNetworkId, KnownNetwork>
}

type Signed = Pick<RegisterName, 'message' | 'signature'>

export async function isSignedByKey(address: Address, { message, signature }: Signed): Promise<boolean> {
  if (!isHex(signature)) return false
  try {
    return (await recoverMessageAddress({ message, signature })) === address
  } catch {
    return false
  }
}

/** ERC-1271 and ERC-6492. @throws {UpstreamsFailedError} also if inconclusive */
export async function isSignedByContract(
  address: Address,
  { message, signature }: Signed,
  chainId: CaipNetworkId | undefined,
  { upstreams, networks }: Verifier,
): Promise<boolean> {
  const network = chainId === undefined ? undefined : networks.get(chainId)
  if (chainId === undefined || network?.namespace !== 'eip155' || !network.isCommon) return false
  const { verify } = eip155Verifier(asNode(upstreams, (id) => (id === chainId ? network.urls : undefined)))
  try {
    return await verify({ message, signature, address, chainId })
  } catch (error) {
    if (error instanceof UnverifiableError) throw new UpstreamsFailedError(error.message)
    throw error
  }
}

/** Ambiguous between signer and gateway. */
function isBoth(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'name' in value && 'release' in value
}
