import type { WalletFrameSuccess } from '@postern/protocol'
import { Failure } from '@postern/protocol/failure'
import type { EmailAddressChange, EmailSignIn } from '../../account/email'
import type { Session } from '../../account/session'
import type { RequestContext } from '../../contract'
import { newStep, type OwnWindow, type Step } from '../window/own-window'
import type { WindowEmailChange } from '../window/window-service'
import type { CodeScreen } from './code-screen'

type Changed = WalletFrameSuccess<'UPDATE_EMAIL_SECONDARY_OTP'>

export type EmailWindow = {
  /** UPDATE_EMAIL */
  begin(email: string, signal: AbortSignal): Promise<WalletFrameSuccess<'UPDATE_EMAIL'>>
  /** UPDATE_EMAIL_PRIMARY_OTP */
  primary(context: RequestContext): Promise<void>
  /** UPDATE_EMAIL_SECONDARY_OTP */
  secondary(context: RequestContext): Promise<Changed>
  readonly service: WindowEmailChange
}

type Running = { readonly change: EmailAddressChange; readonly first: Step<void>; readonly second: Step<Changed> }

/**
 * Changes the email address, and so the account's owner, in the wallet's own window. The frame takes no code for it.
 *
 * 1. Each step draws a card with the new address. A press on the card opens the window.
 * 2. The next step continues in an open window without a press.
 * 3. A window serves the change that it was opened for. A later change ends it.
 * 4. If the window is closed early, the card stays.
 */
export function createEmailWindow({
  email,
  session,
  codes,
  window,
}: {
  readonly email: Pick<EmailSignIn, 'change' | 'changing'>
  readonly session: Pick<Session, 'current'>
  readonly codes: Pick<CodeScreen, 'ask'>
  readonly window: OwnWindow
}): EmailWindow {
  let running: Running | null = null

  function current(): Running {
    // Throws after a sign-out.
    email.changing()
    if (running === null) throw new Failure('CODE_EXPIRED')
    return running
  }

  const ownEmail = async () => (await session.current())?.user.email ?? ''

  async function follow<T>(of: (running: Running) => Step<T>, context: RequestContext): Promise<T> {
    const mine = current()
    const step = of(mine)
    const purpose = { kind: 'changeEmail', email: await ownEmail(), newEmail: mine.change.newEmail } as const
    const inWindow = async (_: string | null, signal: AbortSignal): Promise<T> => {
      // Rule 3.
      if (!step.isDone() && running !== mine) throw new Failure('ABORTED')
      return window.follow(step, signal)
    }
    return codes.ask(purpose, context, inWindow, step.isDone() || window.state() === 'open')
  }

  return {
    async begin(address, signal) {
      const answer = await email.change(address, signal)
      window.close()
      running = { change: email.changing(), first: newStep(), second: newStep() }
      if (answer.action === 'VERIFY_SECONDARY_OTP') running.first.finish(undefined)
      return answer
    },
    primary: (context) => follow(({ first }) => first, context),
    secondary: (context) => follow(({ second }) => second, context),
    service: {
      async describe() {
        const { change, first } = current()
        return { email: await ownEmail(), newEmail: change.newEmail, step: first.isDone() ? 'secondary' : 'primary' }
      },
      async again() {
        await email.change(current().change.newEmail, new AbortController().signal)
      },
      async primary(otp) {
        const { change, first } = current()
        await change.verifyPrimary(otp)
        first.finish(undefined)
      },
      async secondary(otp) {
        const { change, second } = current()
        const { newEmail, ...dates } = await change.verifySecondary(otp)
        second.finish({ newEmail })
        return dates
      },
    },
  }
}
