import type { EmailSolution, SignedIn, SocialProvider, WalletFrameNotice } from '@postern/protocol'
import { Failure } from '@postern/protocol/failure'
import type { Ladder } from '../storage/ladder'
import type { SessionKey, SocialTicket } from '../window-messages'
import { readCode } from './email'
import { type Gateway, GatewayError } from './gateway'
import type { Session } from './session'
import { type SolveChallenge, withChallenge } from './with-challenge'

export type SocialSignIn = {
  begin(provider: SocialProvider, signal: AbortSignal): Promise<{ readonly uri: string }>
  /** Can be aborted and called again. */
  connect(uri: string, signal: AbortSignal): Promise<void>
  /** @throws {Failure} STATE_MISMATCH if there is no current flow */
  flow(): { readonly provider: SocialProvider; takeCode(otp: string): Promise<void> }
  ticket(message: SocialTicket): boolean
  beginFarcaster(signal: AbortSignal): Promise<{ readonly url: string }>
  connectFarcaster(signal: AbortSignal): Promise<{ readonly userName: string }>
  /** Later results of the aborted flow sign no user in. */
  reset(): void
}

export type SocialOptions = {
  readonly ladder: Ladder
  readonly gateway: Gateway
  readonly session: Session
  readonly origin: () => string
  readonly randomSecret: () => string
  readonly notify: (notice: WalletFrameNotice) => void
  readonly solveChallenge: SolveChallenge
}

type Flow = {
  readonly provider: SocialProvider
  readonly flow: string
  readonly claim: string
  readonly uri: string
  readonly finished: PromiseWithSettle
  state: 'waiting' | 'codeWanted' | 'taken'
  taking: Promise<void> | null
}

/**
 * Signs in with a social account or Farcaster.
 *
 * 1. The claim is this frame's secret, so no other frame can claim the sign-in.
 * 2. A social sign-in is claimed with the page's ticket or its code, for the current flow only.
 * 3. A new flow aborts the previous one.
 * 4. The flow survives an aborted wait, and may finish while no request waits.
 * 5. Proof of work is done once, unseen by the user.
 */
export function createSocialSignIn(options: SocialOptions): SocialSignIn {
  const { gateway, session, origin, randomSecret, notify } = options
  let social: Flow | null = null
  let turn = 0
  const farcaster = createFarcaster(options, restart)

  function reset(): void {
    turn += 1
    social?.finished.reject(new Failure('ABORTED'))
    social = null
    farcaster.reset()
  }

  /** Rule 3. */
  async function restart<T>(ask: () => Promise<T>): Promise<T> {
    reset()
    const mine = turn
    const begun = await ask()
    if (mine !== turn) throw new Failure('ABORTED')
    return begun
  }

  function begunSocial(uri?: string): Flow {
    if (social === null || (uri !== undefined && social.uri !== uri)) throw new Failure('STATE_MISMATCH')
    return social
  }

  /** The gateway accepts the proof once, so an abort does not cancel the call: the next request finds its result. */
  function take(begun: Flow, proof: { ticket: string } | { code: string }): Promise<void> {
    const taking = claimWith(begun, proof)
    begun.taking = taking
    return taking
  }

  async function claimWith(begun: Flow, proof: { ticket: string } | { code: string }): Promise<void> {
    const { flow, claim } = begun
    const { answer, key } = await gateway.signIn('socialClaim', { flow, claim, ...proof })
    if (answer.status !== 'signedIn') throw new Failure('PROVIDER_FAILED')
    await finish(begun, answer, key)
  }

  async function finish(begun: Flow, signedIn: SignedIn, key: SessionKey): Promise<void> {
    begun.state = 'taken'
    await session.begin(signedIn, key, () => begun === social)
    begun.finished.resolve()
  }

  async function poll(begun: Flow, signal: AbortSignal): Promise<void> {
    const { flow, claim } = begun
    while (!signal.aborted && begun.state === 'waiting') {
      const claimed = await gateway
        .signIn('socialClaim', { flow, claim }, { signal })
        .catch(async (thrown: unknown) => {
          // The poll may learn that the code is spent before the ticket's response arrives.
          await begun.taking?.catch(() => {})
          if (isTaken(begun)) return null
          throw thrown
        })
      if (claimed === null || isTaken(begun)) return
      const { answer, key } = claimed
      if (answer.status === 'signedIn') return finish(begun, answer, key)
      if (answer.status === 'pending') continue
      begun.state = 'codeWanted'
      notify({ name: 'SOCIAL_CODE_WANTED' })
    }
  }

  return {
    async begin(provider, signal) {
      const claim = randomSecret()
      const { flow, uri } = await restart(async () => {
        const body = { provider, claim, deviceToken: await deviceToken(options), origin: origin() }
        return working(options, body, signal, (more) => gateway.call('social', { ...body, ...more }, { signal }))
      })
      social = { provider, flow, claim, uri, finished: settleable(), state: 'waiting', taking: null }
      return { uri }
    },

    async connect(uri, signal) {
      const begun = begunSocial(uri)
      if (begun.state === 'codeWanted') notify({ name: 'SOCIAL_CODE_WANTED' })
      const stop = new AbortController()
      const follow = () => stop.abort(signal.reason)
      signal.addEventListener('abort', follow, { once: true })
      try {
        await Promise.race([begun.finished.promise, rejecting(poll(begun, stop.signal)), aborted(signal)])
      } finally {
        signal.removeEventListener('abort', follow)
        stop.abort(new Failure('ABORTED'))
      }
    },

    flow() {
      const begun = begunSocial()
      return {
        provider: begun.provider,
        async takeCode(otp) {
          if (begun !== social) throw new Failure('STATE_MISMATCH')
          await take(begun, { code: readCode(otp) })
        },
      }
    },

    ticket(message) {
      const begun = social
      if (begun === null || begun.flow !== message.flow) return false
      const notTaken = (thrown: unknown) => {
        // The ticket was late; the page shows a code instead.
        if (!(thrown instanceof GatewayError) || thrown.failure !== 'STATE_MISMATCH') begun.finished.reject(thrown)
      }
      if (begun.state !== 'taken') take(begun, { ticket: message.ticket }).catch(notTaken)
      return true
    },

    beginFarcaster: farcaster.begin,
    connectFarcaster: farcaster.connect,
    reset,
  }
}

/** `restart`: rule 3 of {@link createSocialSignIn}. */
function createFarcaster(
  options: SocialOptions,
  restart: <T>(ask: () => Promise<T>) => Promise<T>,
): {
  begin: SocialSignIn['beginFarcaster']
  connect: SocialSignIn['connectFarcaster']
  reset(): void
} {
  const { gateway, session, origin, randomSecret } = options
  let current: { readonly flow: string; readonly claim: string; userName: string | null } | null = null
  return {
    async begin(signal) {
      const claim = randomSecret()
      const { flow, url } = await restart(async () => {
        const body = { claim, deviceToken: await deviceToken(options), origin: origin() }
        return working(options, body, signal, (more) => gateway.call('farcaster', { ...body, ...more }, { signal }))
      })
      current = { flow, claim, userName: null }
      return { url }
    },

    async connect(signal) {
      const begun = current
      if (begun === null) throw new Failure('STATE_MISMATCH')
      const { flow, claim } = begun
      while (begun.userName === null) {
        const { answer, key } = await gateway.signIn('farcasterClaim', { flow, claim }, { signal })
        if (answer.status === 'signedIn') {
          begun.userName = answer.user.userName ?? ''
          await session.begin(answer, key, () => begun === current)
        } else signal.throwIfAborted()
      }
      return { userName: begun.userName }
    },

    reset() {
      current = null
    },
  }
}

async function deviceToken({ ladder }: SocialOptions): Promise<string> {
  return (await ladder.current()).store.deviceToken()
}

/** Rule 5. */
function working<T>(
  { gateway, solveChallenge }: SocialOptions,
  body: { readonly deviceToken: string },
  signal: AbortSignal,
  send: (more: { readonly solution?: EmailSolution }) => Promise<T>,
): Promise<T> {
  const ask = () => gateway.call('providerChallenge', { deviceToken: body.deviceToken }, { signal })
  return withChallenge(send, ask, solveChallenge, signal)
}

/** A function: TypeScript would keep the narrowing across an await. */
function isTaken({ state }: Flow): boolean {
  return state === 'taken'
}

type PromiseWithSettle = {
  readonly promise: Promise<void>
  resolve(): void
  reject(reason: unknown): void
}

function settleable(): PromiseWithSettle {
  let resolve = () => {}
  let reject = (_reason: unknown) => {}
  const promise = new Promise<void>((onResolve, onReject) => {
    resolve = onResolve
    reject = onReject
  })
  // No request may be waiting for it.
  promise.catch(() => {})
  return { promise, resolve, reject }
}

function rejecting(work: Promise<void>): Promise<never> {
  return new Promise((_, reject) => {
    work.catch(reject)
  })
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason)
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
}
