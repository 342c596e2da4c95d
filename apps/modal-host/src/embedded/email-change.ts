import { Email } from '@postern/protocol'
import { Failure } from '@postern/protocol/failure'
import { asFailure } from '@postern/protocol/wallet-errors'
import type { AskWallet } from '../connectors/embedded/wallet-frame/wallet-frame'
import type { EmailChangeAttempt } from '../snapshot/contract'
import type { SnapshotStore } from '../snapshot/store'

export type EmailChange = { begin(email: string): void; submitCode(otp: string): void; cancel(): void }

/**
 * A code to the current address (if any), then one to the new address (spec §4). A wrong code keeps the step; a later
 * change, or a cancel, ends an earlier one.
 */
export function createEmailChange(options: {
  readonly store: SnapshotStore
  readonly ask: AskWallet
  readonly onChanged: (email: string) => void
}): EmailChange {
  const { store, ask } = options
  let controller = new AbortController()
  let waits: 'primary' | 'secondary' | null = null

  function show(signal: AbortSignal, emailChange: EmailChangeAttempt | null): void {
    if (!signal.aborted) store.setState({ emailChange })
  }

  function errorOf(thrown: unknown) {
    const { code, message } = asFailure(thrown)
    return { code, message }
  }

  async function begin(email: string): Promise<void> {
    controller.abort(new Failure('ABORTED'))
    controller = new AbortController()
    waits = null
    const { signal } = controller
    const attempt = { email, step: 'sending' as const }
    show(signal, { ...attempt, error: null })
    try {
      if (!Email.safeParse(email).success) throw new Failure('INVALID_EMAIL')
      const { action } = await ask('UPDATE_EMAIL', { email }, { signal })
      await settleAt(signal, email, action === 'VERIFY_PRIMARY_OTP' ? 'primary' : 'secondary')
    } catch (thrown) {
      show(signal, { ...attempt, error: errorOf(thrown) })
    }
  }

  async function settleAt(signal: AbortSignal, email: string, step: 'primary' | 'secondary'): Promise<void> {
    signal.throwIfAborted()
    waits = step
    show(signal, { email, step, error: null })
  }

  async function submitCode(otp: string): Promise<void> {
    const { emailChange } = store.getState()
    const step = waits
    if (emailChange === null || step === null || emailChange.step === 'verifying') return
    const { signal } = controller
    const { email } = emailChange
    show(signal, { email, step: 'verifying', error: null })
    try {
      if (step === 'primary') {
        await ask('UPDATE_EMAIL_PRIMARY_OTP', { otp }, { signal })
        return await settleAt(signal, email, 'secondary')
      }
      const { newEmail } = await ask('UPDATE_EMAIL_SECONDARY_OTP', { otp }, { signal })
      waits = null
      show(signal, null)
      if (!signal.aborted) options.onChanged(newEmail)
    } catch (thrown) {
      show(signal, { email, step, error: errorOf(thrown) })
    }
  }

  return {
    begin: (email) => void begin(email.trim()),
    submitCode: (otp) => void submitCode(otp),
    cancel() {
      controller.abort(new Failure('ABORTED'))
      waits = null
      if (store.getState().emailChange !== null) store.setState({ emailChange: null })
    },
  }
}
