/**
 * Whether a claim to a name, or that it is given up, is its owner's own, and of now.
 *
 * 1. What is signed is the claim and nothing else: JSON on one line, or indented by two spaces. Anything that reads differently from what it
 *    means (a member that is there twice) is none.
 * 2. It names the address that it is for: with another one in the body it is no claim, so whoever sees it cannot claim the name for themselves.
 * 3. It is at most ten minutes old, and at most so far ahead.
 * 4. The signature is of the address's key (EIP-191), or one that the contract there takes (ERC-1271), also one that is not deployed yet (ERC-6492), on the
 *    network that the claim names. A test network counts only where whoever runs the gateway added it: there everybody can be anybody's contract.
 * 5. What gives a name up is no claim to it, and no claim gives one up: neither has the other's members.
 * 6. Addresses that are nobody's have no signature: `ecrecover` answers zero for what is no signature at all.
 */
import { type CaipNetworkId, NameClaim, NameRelease, type RegisterName } from '@postern/protocol'
import { eip155Verifier, UnverifiableError } from '@postern/siwx/verifiers'
import { type Address, getAddress, isAddress, isHex, recoverMessageAddress } from 'viem'
import type * as z from 'zod/mini'
import { parseJson } from '../../parse-json'
import { asNode } from '../../rpc/as-node'
import type { Upstreams } from '../../rpc/upstream'
import { UpstreamsFailedError } from '../../upstreams/attempt'
import type { KnownNetwork } from '../account'

export type ReadClaim<T> =
  | { readonly ok: true; readonly claim: T; readonly address: Address }
  | { readonly ok: false; readonly name: 'message' | 'address' | 'timestamp'; readonly description: string }

/** Milliseconds. */
const freshness = 10 * 60_000
/** Precompiled contracts, and what is kept for them (EIP-7587). */
const lastOfNobody = 0xffffn

type Sent = Pick<RegisterName, 'message' | 'address'>

/** Everything but the signature. @param now epoch milliseconds */
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
  if (!isAddress(text, { strict: false }) || BigInt(text) <= lastOfNobody) {
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

/** EIP-191, by the key of the address. */
export async function isSignedByKey(address: Address, { message, signature }: Signed): Promise<boolean> {
  if (!isHex(signature)) return false
  try {
    return (await recoverMessageAddress({ message, signature })) === address
  } catch {
    // Not the signature of a key: a contract's may look like anything.
    return false
  }
}

/** ERC-1271 and ERC-6492. @throws {UpstreamsFailedError} also where the answer is none that says it */
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

/** It would be one thing to whoever signs it, and another here. */
function isBoth(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'name' in value && 'release' in value
}
