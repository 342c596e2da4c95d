import type { Clock } from '@postern/base/clock'
import { Email, limits, type WalletApiAnswer, type WalletApiBody, type WalletFrameSuccess } from '@postern/protocol'
import { Failure } from '@postern/protocol/failure'
import type { Ladder } from '../storage/ladder'
import type { StoredEmailFlow } from '../window-messages'
import { type Gateway, GatewayError } from './gateway'
import type { Session } from './session'
import { type SolveChallenge, withChallenge } from './with-challenge'

export type EmailSignIn = {
  connect(email: string, signal: AbortSignal): Promise<WalletFrameSuccess<'CONNECT_EMAIL'>>
  /** Can be aborted and called again. */
  awaitDevice(signal: AbortSignal): Promise<void>
  /** @throws {Failure} CODE_EXPIRED if there is no flow */
  flow(): Promise<EmailFlow>
  waiting(): Promise<WalletFrameSuccess<'GET_EMAIL_SIGN_IN'>>
  change(email: string, signal: AbortSignal): Promise<WalletFrameSuccess<'UPDATE_EMAIL'>>
  /** @throws {Failure} CODE_EXPIRED if there is no change */
  changing(): EmailAddressChange
  reset(): void
}

type EmailFlow = {
  readonly email: string
  /** @throws {Failure} CODE_EXPIRED if a sign-in with another address has begun */
  verify(otp: string, signal: AbortSignal): Promise<void>
}

/** Its codes are for this address, even after another change began. */
export type EmailAddressChange = {
  readonly newEmail: string
  verifyPrimary(otp: string): Promise<void>
  verifySecondary(otp: string): Promise<WalletApiAnswer<'emailChangeSecondary'>>
}

export type EmailOptions = {
  readonly ladder: Ladder
  readonly gateway: Gateway
  readonly session: Session
  readonly clock: Pick<Clock, 'now'>
  readonly origin: () => string
  readonly solveChallenge: SolveChallenge
}

/** Six digits, also written "123 456". @throws {Failure} WRONG_CODE */
export function readCode(otp: string): string {
  const code = otp.replaceAll(/[\s-]/g, '')
  if (!/^\d{6}$/.test(code)) throw new Failure('WRONG_CODE')
  return code
}

/**
 * Signs in by email, and changes the email address.
 *
 * 1. An invalid address never reaches the gateway.
 * 2. If the gateway still has a session for the address: CONNECT, without an email.
 * 3. A flow is stored: the browser may discard the page while the user reads the email.
 * 4. The flow survives an aborted wait for the link.
 * 5. After a reset, an accepted code signs no user in.
 * 6. A code is for the address that the user saw when typing it.
 * 7. Proof of work is done once, unseen by the user.
 */
export function createEmailSignIn(options: EmailOptions): EmailSignIn {
  const { ladder, gateway, session, clock, origin, solveChallenge } = options
  let flow: StoredEmailFlow | null = null
  /** The flow whose code expired or has no tries left. */
  let usedUp: string | null = null
  let newAddress: string | null = null
  let resets = 0

  /** Rule 3. */
  async function current(): Promise<StoredEmailFlow | null> {
    if (flow !== null) return flow
    const before = resets
    const { store } = await ladder.current()
    const stored = await store.emailFlow()
    if (flow === null && before === resets && stored !== null && stored.expiresAt > clock.now()) flow = stored
    return flow
  }

  async function begun(): Promise<StoredEmailFlow> {
    const found = await current()
    if (found === null) throw new Failure('CODE_EXPIRED')
    return found
  }

  async function keep(id: string, email: string, step: StoredEmailFlow['step']): Promise<void> {
    const lifetimeMs = step === 'code' ? limits.emailCodeLifetimeMs : limits.emailFlowLifetimeMs
    flow = { id, email, step, expiresAt: clock.now() + lifetimeMs }
    const { store } = await ladder.current()
    // Without storage, the flow ends with the frame.
    await store.setEmailFlow(flow).catch(() => {})
  }

  async function forget(id: string): Promise<void> {
    const { store } = await ladder.current()
    await store.dropEmailFlow(id).catch(() => {})
  }

  function begin(body: WalletApiBody<'email'>, signal: AbortSignal) {
    return withChallenge(
      (more) => gateway.call('email', { ...body, ...more }, { signal }),
      () => gateway.call('emailChallenge', { email: body.email }, { signal }),
      solveChallenge,
      signal,
    )
  }

  return {
    async connect(typed, signal) {
      const email = readEmail(typed)
      const live = await session.current()
      const isSame = live?.user.provider === 'email' && live.user.email?.toLowerCase() === email.toLowerCase()
      if (isSame && (await session.isConnected())) return { action: 'CONNECT' }
      // If the next email is requested too soon, the previous code stays valid, unless the address changed.
      if (flow !== null && flow.email !== email) flow = null
      const { store } = await ladder.current()
      const deviceToken = await store.deviceToken()
      const answer = await begin({ email, deviceToken, origin: origin() }, signal)
      await keep(answer.flow, email, answer.action === 'VERIFY_OTP' ? 'code' : 'device')
      return { action: answer.action }
    },
    async awaitDevice(signal) {
      const { id, email } = await begun()
      for (;;) {
        const { status } = await gateway.call('emailDevice', { flow: id }, { signal })
        if (status === 'approved') {
          if (flow?.id === id) await keep(id, email, 'code')
          return
        }
        signal.throwIfAborted()
      }
    },
    async waiting() {
      const found = await current()
      return found === null || found.id === usedUp ? null : { email: found.email, step: found.step }
    },
    async flow() {
      const { email } = await begun()
      return {
        email,
        async verify(otp, signal) {
          const code = readCode(otp)
          // Rule 6.
          if (flow?.email !== email) throw new Failure('CODE_EXPIRED')
          const { id } = flow
          const before = resets
          const { store } = await ladder.current()
          const deviceToken = await store.deviceToken()
          const { answer, key } = await gateway
            .signIn('emailVerify', { flow: id, otp: code, deviceToken }, { signal })
            .catch(async (thrown: unknown) => {
              if (isUsedUp(thrown)) {
                usedUp = id
                await forget(id)
              }
              throw thrown
            })
          await session.begin(answer, key, () => before === resets && !signal.aborted)
          if (flow?.id === id) flow = null
          await forget(id)
        },
      }
    },
    async change(typed, signal) {
      const email = readEmail(typed)
      const answer = await gateway.call('emailChange', { email }, { signal })
      newAddress = email
      return answer
    },
    changing() {
      if (newAddress === null) throw new Failure('CODE_EXPIRED')
      const email = newAddress
      return {
        newEmail: email,
        async verifyPrimary(otp) {
          await gateway.call('emailChangePrimary', { otp: readCode(otp), email })
        },
        async verifySecondary(otp) {
          const changed = await gateway.call('emailChangeSecondary', { otp: readCode(otp), email })
          // If this fails, the next visit repeats it.
          await session.isConnected().catch(() => false)
          return changed
        },
      }
    },
    reset() {
      if (flow !== null) void forget(flow.id)
      flow = null
      newAddress = null
      resets += 1
    },
  }
}

function isUsedUp(thrown: unknown): boolean {
  if (!(thrown instanceof GatewayError)) return false
  return thrown.triesLeft === 0 || thrown.failure === 'CODE_EXPIRED' || thrown.failure === 'TOO_MANY_ATTEMPTS'
}

function readEmail(typed: string): string {
  const email = Email.safeParse(typed.trim())
  if (!email.success) throw new Failure('INVALID_EMAIL')
  return email.data
}
