import { parseUrl } from '@postern/base/parse-url'
import { errors, type HostParams, SolanaAddress } from '@postern/protocol'
import { Failure } from '@postern/protocol/failure'
import { base58 } from '@scure/base'
import * as z from 'zod/mini'
import type { Sessions } from '../connections/sessions/sessions'
import type { createRequestRouter } from '../requests/request-router'
import { restoredConnection } from '../requests/restored-connection'
import { requestOf, signatureIn } from './account'

export type SolanaSignInOptions = {
  readonly sessions: Pick<Sessions, 'connection' | 'restored'>
  readonly rpc: ReturnType<typeof createRequestRouter>
  /** As the browser reports it. */
  readonly origin: string
}

/** A field is one line, so that it cannot add another field. */
const Line = z.string().check(z.maxLength(4_096), z.regex(/^[\x20-\x7e]+$/))

/** Empty counts as absent, as in the standard's own helper. */
const OptionalLine = z.optional(
  z.pipe(
    z.union([z.literal(''), Line]),
    z.transform((text) => (text === '' ? undefined : text)),
  ),
)

/** The standard's `SolanaSignInInput`, in the order of the message. `pubkey` is the page's default. */
const SignInInput = z.object({
  pubkey: z.optional(SolanaAddress),
  address: z.optional(SolanaAddress),
  domain: z.optional(Line),
  statement: OptionalLine,
  uri: OptionalLine,
  version: OptionalLine,
  chainId: OptionalLine,
  nonce: OptionalLine,
  issuedAt: OptionalLine,
  expirationTime: OptionalLine,
  notBefore: OptionalLine,
  requestId: OptionalLine,
  resources: z.optional(z.array(Line).check(z.maxLength(128))),
})
type SignInInput = z.infer<typeof SignInInput>

/**
 * `solana_signIn`: as Wallet Standard's `solana:signIn`, with every wallet that signs messages.
 *
 * 1. The domain is the page's own, and a URI is at its origin. Otherwise, and for malformed fields: INVALID_PARAMS, and
 *    nothing is signed.
 * 2. The message has exactly the domain, the address and the given fields. Default address: the first account; one that
 *    is not connected is UNAUTHORIZED.
 * 3. The connected wallet signs by `solana_signMessage`, with its approval. Message and signature are base58.
 */
export async function solanaSignIn(
  { params, networkId }: Pick<HostParams<'rpc'>, 'params' | 'networkId'>,
  signal: AbortSignal,
  { sessions, rpc, origin }: SolanaSignInOptions,
) {
  const parsed = SignInInput.safeParse(params ?? {})
  if (!parsed.success) throw new Failure('INVALID_PARAMS', { cause: parsed.error })
  const connection = await restoredConnection(sessions, 'solana')
  const accounts = connection?.accounts ?? []
  const wanted = parsed.data.address ?? parsed.data.pubkey
  const account = wanted === undefined ? accounts[0] : accounts.find(({ address }) => address === wanted)
  if (connection === null || account === undefined) throw new Failure('UNAUTHORIZED')
  const { address } = account
  const message = messageOf(parsed.data, address, origin)
  const request = requestOf({ namespace: 'solana', chainId: connection.networkId, address }, message)
  const signature = signatureIn(await rpc({ namespace: 'solana', networkId, ...request }, signal))
  return { address, message: base58.encode(new TextEncoder().encode(message)), signature }
}

/** Source: https://github.com/anza-xyz/wallet-standard, `signIn.ts` of its util package. */
function messageOf(input: SignInInput, address: string, origin: string): string {
  const { host } = new URL(origin)
  const { domain = host, statement, uri, resources } = input
  if (domain.toLowerCase() !== host) throw invalid(`\`domain\` must be ${host}`)
  if (uri !== undefined && parseUrl(uri)?.origin !== origin) throw invalid(`\`uri\` must be at ${origin}`)
  const fields = [
    ['URI', uri],
    ['Version', input.version],
    ['Chain ID', input.chainId],
    ['Nonce', input.nonce],
    ['Issued At', input.issuedAt],
    ['Expiration Time', input.expirationTime],
    ['Not Before', input.notBefore],
    ['Request ID', input.requestId],
  ].flatMap(([name, value]) => (value === undefined ? [] : [`${name}: ${value}`]))
  const lines = [...fields, ...(resources === undefined ? [] : ['Resources:', ...resources.map((one) => `- ${one}`)])]
  return [
    `${domain} wants you to sign in with your Solana account:\n${address}`,
    ...(statement === undefined ? [] : [statement]),
    ...(lines.length === 0 ? [] : [lines.join('\n')]),
  ].join('\n\n')
}

function invalid(problem: string): Failure {
  return new Failure('INVALID_PARAMS', { message: `${errors.INVALID_PARAMS.message}: ${problem}` })
}
