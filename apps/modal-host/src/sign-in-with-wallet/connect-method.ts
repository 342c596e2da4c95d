import type { Clock } from '@postern/base/clock'
import { parseUrl } from '@postern/base/parse-url'
import type { ConfiguredNetworks } from '@postern/chains/networks'
import { type Connection, errors, type HostParams } from '@postern/protocol'
import { Failure } from '@postern/protocol/failure'
import { formatMessage, InvalidMessageError } from '@postern/siwx'
import * as z from 'zod/mini'
import type { Sessions } from '../connections/sessions/sessions'
import type { createRequestRouter } from '../requests/request-router'
import { restoredConnection } from '../requests/restored-connection'
import { requestOf, signatureIn } from './account'

export type ConnectMethodOptions = {
  readonly sessions: Pick<Sessions, 'connection' | 'restored'>
  readonly rpc: ReturnType<typeof createRequestRouter>
  readonly networks: Pick<ConfiguredNetworks, 'get'>
  /** As the browser reports it. */
  readonly origin: string
  readonly clock: Pick<Clock, 'now'>
}

const Text = z.string().check(z.maxLength(4_096))

/** EIP-4361's fields, in mixed case. */
const SignInWithEthereum = z.object({
  nonce: Text,
  /** EIP-155, without leading zeros. */
  chainId: z.string().check(z.regex(/^0x[1-9a-f][\da-f]{0,12}$/i)),
  version: z.optional(Text),
  scheme: z.optional(Text),
  domain: z.optional(Text),
  uri: z.optional(Text),
  statement: z.optional(Text),
  issuedAt: z.optional(Text),
  expirationTime: z.optional(Text),
  notBefore: z.optional(Text),
  requestId: z.optional(Text),
  resources: z.optional(z.array(Text).check(z.maxLength(128))),
})
type SignInWithEthereum = z.infer<typeof SignInWithEthereum>

const Connect = z.object({
  capabilities: z.optional(z.object({ signInWithEthereum: z.optional(SignInWithEthereum) })),
})
const Params = z.optional(z.array(Connect).check(z.maxLength(1)))

/**
 * `wallet_connect` (ERC-7846) once the page has connected: the accounts, and with `signInWithEthereum` the first
 * account's signature of an EIP-4361 message.
 *
 * 1. The domain, and a given scheme, are the page's own, and the URI is at its origin. Otherwise, and for malformed
 *    parameters: INVALID_PARAMS, and nothing is signed.
 * 2. The message has exactly the given fields. Default: version 1, the page's domain and origin, the current time.
 * 3. `chainId` is a configured network, else NETWORK_NOT_FOUND. A smart account signs for its current network only,
 *    else CHAIN_DISCONNECTED.
 * 4. The connected wallet signs by `personal_sign`, with its approval.
 * 5. Other capabilities are ignored.
 */
export async function connectMethod(
  { params }: Pick<HostParams<'rpc'>, 'params'>,
  signal: AbortSignal,
  options: ConnectMethodOptions,
) {
  const parsed = Params.safeParse(params)
  if (!parsed.success) throw new Failure('INVALID_PARAMS', { cause: parsed.error })
  const signInRequest = parsed.data?.[0]?.capabilities?.signInWithEthereum
  const connection = await restoredConnection(options.sessions, 'eip155')
  if (connection === null) throw new Failure('UNAUTHORIZED')
  const signInWithEthereum = signInRequest && (await signIn(signInRequest, connection, signal, options))
  return {
    accounts: connection.accounts.map(({ address }, at) => ({
      address,
      capabilities: { ...(at === 0 && signInWithEthereum && { signInWithEthereum }) },
    })),
  }
}

async function signIn(
  signInRequest: SignInWithEthereum,
  { accounts, networkId }: Extract<Connection, { status: 'connected' }>,
  signal: AbortSignal,
  { rpc, networks, origin, clock }: ConnectMethodOptions,
) {
  const [account] = accounts
  if (account === undefined) throw new Failure('UNAUTHORIZED')
  const chainId = `eip155:${Number(signInRequest.chainId)}` as const
  if (networks.get(chainId) === undefined) throw new Failure('NETWORK_NOT_FOUND')
  if (account.type === 'smartAccount' && chainId !== networkId) throw new Failure('CHAIN_DISCONNECTED')
  const { address } = account
  const message = messageOf(signInRequest, { address, chainId, origin, now: clock.now() })
  const request = requestOf({ namespace: 'eip155', chainId, address }, message)
  return { message, signature: signatureIn(await rpc({ namespace: 'eip155', networkId, ...request }, signal)) }
}

/** @throws INVALID_PARAMS, naming the field. */
function messageOf(
  { scheme, ...requested }: SignInWithEthereum,
  { address, chainId, origin, now }: { address: string; chainId: `eip155:${number}`; origin: string; now: number },
): string {
  const { host, protocol } = new URL(origin)
  const { domain = host, uri = origin, version = '1', issuedAt = new Date(now).toISOString() } = requested
  if (domain.toLowerCase() !== host) throw invalid(`\`domain\` must be ${host}`)
  if (scheme !== undefined && `${scheme.toLowerCase()}:` !== protocol) throw invalid(`\`scheme\` must be the page’s`)
  if (parseUrl(uri)?.origin !== origin) throw invalid(`\`uri\` must be at ${origin}`)
  const fields = { ...requested, chainId, accountAddress: address, domain, uri, version, issuedAt }
  try {
    const text = formatMessage(fields)
    return scheme === undefined ? text : `${scheme}://${text}`
  } catch (thrown) {
    throw thrown instanceof InvalidMessageError ? invalid(thrown.message, thrown) : thrown
  }
}

function invalid(problem: string, cause?: Error): Failure {
  return new Failure('INVALID_PARAMS', { message: `${errors.INVALID_PARAMS.message}: ${problem}`, cause })
}
