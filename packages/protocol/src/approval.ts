/**
 * A request that the embedded wallet's frame shows for approval. The user signs exactly what they read.
 *
 * 1. `subject` has everything that is signed: fees, nonces, the whole PSBT. Nothing is added later.
 * 2. An approval names the `digest` of `subject` (`approvalDigest`); the frame signs only that subject.
 * 3. `origin` is what the browser reports, never what a page claims.
 */
import * as z from 'zod/mini'
import { bip122Subjects } from './approval/bip122'
import { eip155Subjects } from './approval/eip155'
import { solanaSubjects } from './approval/solana'
import { CaipNetworkId } from './caip'
import type { WalletNamespace } from './namespaces'
import { SharedUser } from './wallet-frame/entities'

export { EvmCall } from './approval/eip155'

const subjects = { eip155: eip155Subjects, solana: solanaSubjects, bip122: bip122Subjects } satisfies Record<
  WalletNamespace,
  readonly z.ZodMiniType[]
>

export const ApprovalSubject = z.discriminatedUnion('kind', [
  ...subjects.eip155,
  ...subjects.solana,
  ...subjects.bip122,
  /** SHARE_USER: signs nothing. */
  z.object({ kind: z.literal('user'), ...SharedUser.shape }),
  /** Signs nothing: a network did not respond. `sends`: the method sends. */
  z.object({ kind: z.literal('unprepared'), sends: z.boolean() }),
])
export type ApprovalSubject = z.infer<typeof ApprovalSubject>
export type ApprovalKind = ApprovalSubject['kind']

export const ApprovalRequest = z.object({
  id: z.string().check(z.minLength(1), z.maxLength(64)),
  /** JSON-RPC method, or `getIdentityToken`. */
  method: z.string().check(z.maxLength(128)),
  networkId: CaipNetworkId,
  origin: z.string().check(z.maxLength(512)),
  digest: z.string().check(z.regex(/^[0-9a-f]{64}$/)),
  /** DOMAIN_MISMATCH: a sign-in for another domain; the user can only reject. NETWORK_UNREACHABLE: `unprepared`. */
  blocked: z.optional(z.enum(['DOMAIN_MISMATCH', 'NETWORK_UNREACHABLE'])),
  subject: ApprovalSubject,
})
export type ApprovalRequest = z.infer<typeof ApprovalRequest>

/** Sorted keys: equal values give equal text. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  )
}

export const approvalDigest: (subject: ApprovalSubject) => Promise<string> = digestOf

/** SHA-256 of the canonical JSON, in hex. */
export async function digestOf(value: unknown): Promise<string> {
  const bytes = new TextEncoder().encode(canonicalJson(value))
  const digest = await crypto.subtle.digest('SHA-256', bytes)
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}
