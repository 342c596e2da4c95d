/** The wallet API in memory, without database, email and limits. */
import {
  signInCalls,
  type WalletApiBody,
  type WalletApiCall,
  type WalletApiFailure,
  type WalletEnd,
  walletApi,
} from '@postern/protocol'
import type * as z from 'zod/mini'
import { fakeProofs } from './fake-proofs'
import { fakeSignIn, Refused, type User } from './fake-sign-in'
import { fakeWalletCalls } from './fake-wallet-calls'

type Served = { readonly name: WalletApiCall; readonly body: unknown }
/** A returned response replaces the real one. */
type Interruption = (served: Served) => Promise<Response | undefined> | Response | undefined

export type FakeGateway = {
  readonly fetch: typeof fetch
  /** Without those refused for their proof. */
  readonly calls: readonly Served[]
  codeFor(email: string): string
  approve(email: string): void
  /** Returns what the provider's return page then has. */
  returnFromProvider(flow: string, how: 'ticket' | 'code'): { ticket: string; code: string }
  interrupt(name: WalletApiCall, interruption: Interruption): () => void
  user(email: string): User
  endSessions(): void
  /** That the user's wallet ended, without its end. */
  keepEnd(email: string, end: WalletEnd): void
  /** Proofs with the nonces given so far are refused. */
  renewNonce(): void
  /** Resolves after the call was made `times` times. */
  called(name: WalletApiCall, times?: number): Promise<void>
}

const origin = 'https://wallet.test'
const opensSession: ReadonlySet<WalletApiCall> = new Set(signInCalls)

export function fakeGateway(): FakeGateway {
  const signIn = fakeSignIn()
  const withSession = fakeWalletCalls(signIn)
  const proofs = fakeProofs(origin)
  const json = (body: unknown, status = 200, more: Record<string, string> = {}) =>
    new Response(JSON.stringify(body), {
      status,
      headers: { 'content-type': 'application/json', 'dpop-nonce': proofs.nonce(), ...more },
    })
  const interruptions = new Map<WalletApiCall, Interruption>()
  const calls: Served[] = []
  const arrivals = new Set<() => void>()

  /** The key is empty if the call needs no proof. */
  async function proverOf(name: WalletApiCall, headers: Headers) {
    const { path, session } = walletApi[name]
    const token = session ? (headers.get('authorization')?.replace(/^DPoP /, '') ?? '') : null
    if (!session && !opensSession.has(name)) return { token, keyId: '' }
    return { token, keyId: await proofs.check(headers.get('dpop') ?? '', path, token) }
  }

  async function serve(name: WalletApiCall, body: unknown, { token, keyId }: Awaited<ReturnType<typeof proverOf>>) {
    if (token === null) return call(name, signIn.calls, body, keyId)
    const session = signIn.sessions.get(token)
    const user = session && signIn.users.get(session.userId)
    if (session?.keyId !== keyId || user === undefined) throw new Refused('SESSION_EXPIRED')
    return call(name, withSession, body, { user, deviceToken: session.deviceToken, token })
  }

  function asResponse(thrown: unknown): Response {
    if (!(thrown instanceof Refused)) throw thrown
    const problem = { status: 'error', reasons: [{ name: thrown.failure, description: '' }] }
    if (thrown.failure !== 'DPOP_REFUSED') return json(problem, 400)
    return json(problem, 401, { 'www-authenticate': 'DPoP error="use_dpop_nonce"' })
  }

  async function call<C extends WalletApiCall, A>(
    name: C,
    table: { readonly [D in C]?: (body: WalletApiBody<D>, rest: A) => unknown },
    body: unknown,
    rest: A,
  ): Promise<unknown> {
    const bodies: { readonly [D in WalletApiCall]: { readonly body: z.ZodMiniType<WalletApiBody<D>> } } = walletApi
    const serveOne = table[name]
    if (serveOne === undefined) throw new Error(`The stand-in does not serve ${name}`)
    return serveOne(bodies[name].body.parse(body), rest)
  }

  return {
    calls,
    async fetch(input, init) {
      const { pathname } = new URL(String(input), origin)
      const name = callNames.get(pathname)
      if (name === undefined) return json({ status: 'error', reasons: [] }, 404)
      const signal = init?.signal ?? null
      const body: unknown = JSON.parse(String(init?.body))
      const prover = await proverOf(name, new Headers(init?.headers)).catch(asResponse)
      if (prover instanceof Response) return prover
      calls.push({ name, body })
      for (const arrived of arrivals) arrived()
      const answered = (async () => {
        const interrupted = await interruptions.get(name)?.({ name, body })
        if (interrupted !== undefined) return interrupted
        try {
          return json(await serve(name, body, prover))
        } catch (thrown) {
          return asResponse(thrown)
        }
      })()
      return Promise.race([answered, endOf(signal)])
    },
    codeFor: signIn.codeFor,
    approve: signIn.approve,
    returnFromProvider: signIn.returnFromProvider,
    interrupt(name, interruption) {
      interruptions.set(name, interruption)
      return () => interruptions.delete(name)
    },
    user: (email) => signIn.find(email, 'email'),
    keepEnd: (email, end) => signIn.keepEnd(signIn.find(email, 'email'), end),
    endSessions: () => signIn.sessions.clear(),
    renewNonce: proofs.renew,
    called: (name, times = 1) =>
      new Promise((resolve) => {
        const check = () => {
          if (calls.filter((call) => call.name === name).length < times) return
          arrivals.delete(check)
          resolve()
        }
        arrivals.add(check)
        check()
      }),
  }
}

const callNames: ReadonlyMap<string, WalletApiCall> = new Map(
  Object.keys(walletApi)
    .filter((name): name is WalletApiCall => name in walletApi)
    .map((name) => [walletApi[name].path, name]),
)

function endOf(signal: AbortSignal | null): Promise<never> {
  return new Promise((_, reject) => {
    if (signal?.aborted) reject(signal.reason)
    signal?.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
}

export function refusal(failure: WalletApiFailure, retryAfter?: number): Response {
  return new Response(JSON.stringify({ status: 'error', reasons: [{ name: failure, description: '' }] }), {
    status: 400,
    headers: {
      'content-type': 'application/json',
      ...(retryAfter !== undefined && { 'retry-after': String(retryAfter) }),
    },
  })
}
