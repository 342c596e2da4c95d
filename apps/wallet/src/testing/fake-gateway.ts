/** The wallet API in memory, without database, email and limits. */
import {
  type Recovery,
  type RecoveryProof,
  type WalletAddresses,
  type WalletApiBody,
  type WalletApiCall,
  type WalletApiFailure,
  type WalletApiUser,
  walletApi,
} from '@postern/protocol'
import type * as z from 'zod/mini'
import { randomSecret } from '../random'

type Row = { id: string; name: string; authShare: string; recoveryShare: string | null }
type Wallet = {
  addresses: WalletAddresses
  recovery: Recovery
  recoveryProof: RecoveryProof | null
  rows: Map<string, Row>
}
type User = WalletApiUser & { wallet: Wallet | null }
type EmailFlow = { email: string; deviceToken: string; code: string; isApproved: boolean }
type SocialFlow = {
  claim: string
  ticket: string
  code: string
  deviceToken: string
  shown: 'nothing' | 'ticket' | 'code'
}
type Caller = { user: User; deviceToken: string; token: string }

class Refused extends Error {
  readonly failure: WalletApiFailure
  constructor(failure: WalletApiFailure) {
    super(failure)
    this.failure = failure
  }
}

type Served = { readonly name: WalletApiCall; readonly body: unknown }
/** A returned response replaces the real one. */
type Interruption = (served: Served) => Promise<Response | undefined> | Response | undefined

export type FakeGateway = {
  readonly fetch: typeof fetch
  readonly calls: readonly Served[]
  codeFor(email: string): string
  approve(email: string): void
  /** Returns what the provider's return page then has. */
  returnFromProvider(flow: string, how: 'ticket' | 'code'): { ticket: string; code: string }
  interrupt(name: WalletApiCall, interruption: Interruption): () => void
  user(email: string): User
  endSessions(): void
  /** Resolves after the call was made `times` times. */
  called(name: WalletApiCall, times?: number): Promise<void>
}

const json = (body: unknown, status = 200) =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } })

export function fakeGateway(): FakeGateway {
  const users = new Map<string, User>()
  const sessions = new Map<string, { userId: string; deviceToken: string }>()
  const known = new Set<string>()
  const mails = new Map<string, EmailFlow>()
  const flows = new Map<string, EmailFlow>()
  const socials = new Map<string, SocialFlow>()
  const interruptions = new Map<WalletApiCall, Interruption>()
  const calls: Served[] = []
  const arrivals = new Set<() => void>()
  let wake = () => {}
  const change = () =>
    new Promise<void>((resolve) => {
      const before = wake
      wake = () => {
        before()
        resolve()
      }
    })

  function find(email: string, provider: WalletApiUser['provider']): User {
    const id = `${provider}-${email}`
    const user = users.get(id) ?? { id, email, userName: null, provider, wallet: null }
    users.set(id, user)
    return user
  }

  function signIn(user: User, deviceToken: string) {
    const token = randomSecret()
    sessions.set(token, { userId: user.id, deviceToken })
    known.add(`${user.email}/${deviceToken}`)
    return signedIn({ user, deviceToken, token })
  }

  function signedIn({ user, token }: Caller) {
    const { wallet: _, ...who } = user
    const claims = btoa(JSON.stringify({ sub: user.id, iat: 1_000 }))
    return { status: 'signedIn', sessionToken: token, expiresAt: 9e12, identityToken: `e30.${claims}.s`, user: who }
  }

  function rowOf({ user, deviceToken }: Caller): Row {
    const row = user.wallet?.rows.get(deviceToken)
    if (row === undefined) throw new Refused('DEVICE_REVOKED')
    return row
  }

  function put(wallet: Wallet, deviceToken: string, shares: WalletApiBody<'putDevice'>): void {
    const id = wallet.rows.get(deviceToken)?.id ?? `device-${wallet.rows.size + 1}`
    const { authShare, recoveryShare, deviceName } = shares
    wallet.rows.set(deviceToken, { id, name: deviceName, authShare, recoveryShare })
  }

  function walletOf({ user }: Caller): Wallet {
    if (user.wallet === null) throw new Refused('WALLET_NOT_FOUND')
    return user.wallet
  }

  const open: { [C in WalletApiCall]?: (body: WalletApiBody<C>, signal: AbortSignal | null) => unknown } = {
    email({ email, deviceToken }) {
      const isKnown = known.has(`${email}/${deviceToken}`)
      const flow = { email, deviceToken, code: String(100_000 + mails.size), isApproved: isKnown }
      const id = randomSecret()
      flows.set(id, flow)
      mails.set(email, flow)
      return { flow: id, action: isKnown ? 'VERIFY_OTP' : 'VERIFY_DEVICE' }
    },
    async emailDevice({ flow }) {
      const found = flows.get(flow)
      if (found === undefined) throw new Refused('CODE_EXPIRED')
      if (!found.isApproved) await change()
      return { status: found.isApproved ? 'approved' : 'pending' }
    },
    emailVerify({ flow, otp, deviceToken }) {
      const found = flows.get(flow)
      if (found === undefined) throw new Refused('CODE_EXPIRED')
      if (!found.isApproved || found.code !== otp || found.deviceToken !== deviceToken) throw new Refused('WRONG_CODE')
      flows.delete(flow)
      return signIn(find(found.email, 'email'), deviceToken)
    },
    social({ claim, deviceToken }) {
      const flow = randomSecret()
      socials.set(flow, { claim, deviceToken, ticket: randomSecret(), code: '424242', shown: 'nothing' })
      return { flow, uri: `https://wallet.test/auth/social/start?flow=${flow}` }
    },
    async socialClaim({ flow, claim, ticket, code }) {
      const found = socials.get(flow)
      if (found === undefined || found.claim !== claim) throw new Refused('STATE_MISMATCH')
      if (ticket === undefined && code === undefined) {
        if (found.shown !== 'code') await change()
        return { status: found.shown === 'code' ? 'code' : 'pending' }
      }
      if (ticket !== undefined && ticket !== found.ticket) throw new Refused('STATE_MISMATCH')
      if (code !== undefined && code !== found.code) throw new Refused('WRONG_CODE')
      socials.delete(flow)
      return signIn(find('social@example.com', 'google'), found.deviceToken)
    },
  }

  const withSession: { [C in WalletApiCall]?: (body: WalletApiBody<C>, caller: Caller) => unknown } = {
    session: (_, caller) => signedIn(caller),
    signOut(_, { token }) {
      sessions.delete(token)
      return {}
    },
    confirm: () => ({ needsCode: true }),
    wallet(_, caller) {
      const { wallet } = caller.user
      if (wallet === null) return { wallet: null }
      const devices = [...wallet.rows].map(([token, { id, name }]) => ({
        id,
        name,
        createdAt: 1,
        usedAt: 1,
        isThis: token === caller.deviceToken,
      }))
      const stale = wallet.rows.get(caller.deviceToken)?.recoveryShare === null
      const { addresses, recovery, recoveryProof } = wallet
      return { wallet: { addresses, recovery, recoveryProof, devices, stale } }
    },
    createWallet({ addresses, shares }, { user, deviceToken }) {
      if (user.wallet !== null) throw new Refused('WALLET_EXISTS')
      user.wallet = { addresses, recovery: { method: 'gateway' }, recoveryProof: null, rows: new Map() }
      put(user.wallet, deviceToken, shares)
      return {}
    },
    putDevice(shares, caller) {
      put(walletOf(caller), caller.deviceToken, shares)
      return {}
    },
    deviceShare: (_, caller) => ({ authShare: rowOf(caller).authShare }),
    recover(_, caller) {
      const { rows, recovery, recoveryProof } = walletOf(caller)
      const row = [...rows.values()].find(({ recoveryShare }) => recoveryShare !== null)
      if (row === undefined) throw new Refused('WALLET_NOT_FOUND')
      return { authShare: row.authShare, recoveryShare: row.recoveryShare, recovery, recoveryProof }
    },
    setRecovery({ recovery, recoveryProof, shares, otp }, caller) {
      if (otp !== '123456') throw new Refused('WRONG_CODE')
      const wallet = walletOf(caller)
      if (recoveryProof.generation <= (wallet.recoveryProof?.generation ?? 0)) throw new Refused('BAD_PROOF')
      for (const row of wallet.rows.values()) row.recoveryShare = null
      put(wallet, caller.deviceToken, shares)
      wallet.recovery = recovery
      wallet.recoveryProof = recoveryProof
      return {}
    },
    confirmExport({ otp }) {
      if (otp !== '123456') throw new Refused('WRONG_CODE')
      return {}
    },
    revokeDevice({ id }, caller) {
      const { rows } = walletOf(caller)
      const found = [...rows].find(([, row]) => row.id === id)
      const others = [...rows.values()].filter((row) => row.id !== id && row.recoveryShare !== null)
      if (found !== undefined && others.length === 0) throw new Refused('LAST_DEVICE')
      if (found !== undefined) rows.delete(found[0])
      return {}
    },
    deleteAccount(_, { user }) {
      users.delete(user.id)
      return {}
    },
  }

  async function serve(name: WalletApiCall, body: unknown, bearer: string | null, signal: AbortSignal | null) {
    const session = sessions.get(bearer ?? '')
    if (!walletApi[name].session) return call(name, open, body, signal)
    const user = session && users.get(session.userId)
    if (session === undefined || user === undefined || bearer === null) throw new Refused('SESSION_EXPIRED')
    return call(name, withSession, body, { user, deviceToken: session.deviceToken, token: bearer })
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
      const { pathname } = new URL(String(input), 'https://wallet.test')
      const name = callNames.get(pathname)
      if (name === undefined) return json({ status: 'error', reasons: [] }, 404)
      const signal = init?.signal ?? null
      const body: unknown = JSON.parse(String(init?.body))
      calls.push({ name, body })
      for (const arrived of arrivals) arrived()
      const authorization = new Headers(init?.headers).get('authorization')
      const answered = (async () => {
        const interrupted = await interruptions.get(name)?.({ name, body })
        if (interrupted !== undefined) return interrupted
        try {
          return json(await serve(name, body, authorization?.slice('Bearer '.length) ?? null, signal))
        } catch (thrown) {
          if (!(thrown instanceof Refused)) throw thrown
          return json({ status: 'error', reasons: [{ name: thrown.failure, description: '' }] }, 400)
        }
      })()
      return Promise.race([answered, endOf(signal)])
    },
    codeFor: (email) => mails.get(email)?.code ?? '',
    approve(email) {
      const flow = mails.get(email)
      if (flow !== undefined) flow.isApproved = true
      wake()
    },
    returnFromProvider(id, how) {
      const flow = socials.get(id)
      if (flow === undefined) throw new Error('no such flow')
      flow.shown = how
      wake()
      return flow
    },
    interrupt(name, interruption) {
      interruptions.set(name, interruption)
      return () => interruptions.delete(name)
    },
    user: (email) => find(email, 'email'),
    endSessions: () => sessions.clear(),
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
