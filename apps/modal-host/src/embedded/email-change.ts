import { Email } from '@postern/protocol'
import { Failure } from '@postern/protocol/failure'
import { asFailure } from '@postern/protocol/wallet-errors'
import type { AskWallet } from '../connectors/embedded/wallet-frame/wallet-frame'
import type { EmailChangeAttempt } from '../snapshot/contract'
import type { SnapshotStore } from '../snapshot/store'
import type { AskCode } from './ask-code'

export type EmailChange = { begin(email: string): void; retry(): void; cancel(): void }

type CodeStep = 'primary' | 'secondary'

/**
 * A code to the current address (if any), then one to the new address (spec §4); the wallet's frame takes both. `retry`
 * continues from the failed step; a later change, or a cancel, ends an earlier one.
 */
export function createEmailChange(options: {
  readonly store: SnapshotStore
  readonly ask: AskWallet
  readonly askCode: AskCode
  readonly onChanged: (email: string) => void
}): EmailChange {
  const { store, ask, askCode } = options
  let controller = new AbortController()

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
    const { signal } = controller
    const attempt = { email, step: 'sending' as const }
    show(signal, { ...attempt, error: null })
    try {
      if (!Email.safeParse(email).success) throw new Failure('INVALID_EMAIL')
      const { action } = await ask('UPDATE_EMAIL', { email }, { signal })
      void takeCodes(signal, email, action === 'VERIFY_PRIMARY_OTP' ? 'primary' : 'secondary')
    } catch (thrown) {
      show(signal, { ...attempt, error: errorOf(thrown) })
    }
  }

  async function takeCodes(signal: AbortSignal, email: string, from: CodeStep): Promise<void> {
    let step = from
    try {
      show(signal, { email, step, error: null })
      if (step === 'primary') {
        await askCode('UPDATE_EMAIL_PRIMARY_OTP', undefined, signal)
        step = 'secondary'
        show(signal, { email, step, error: null })
      }
      const { newEmail } = await askCode('UPDATE_EMAIL_SECONDARY_OTP', undefined, signal)
      show(signal, null)
      if (!signal.aborted) options.onChanged(newEmail)
    } catch (thrown) {
      show(signal, { email, step, error: errorOf(thrown) })
    }
  }

  return {
    begin: (email) => void begin(email.trim()),
    retry() {
      const { emailChange } = store.getState()
      if (emailChange === null || emailChange.step === 'sending' || emailChange.error === null) return
      void takeCodes(controller.signal, emailChange.email, emailChange.step)
    },
    cancel() {
      controller.abort(new Failure('ABORTED'))
      if (store.getState().emailChange !== null) store.setState({ emailChange: null })
    },
  }
}
