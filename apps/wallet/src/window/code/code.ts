/** These actions need a new code besides a session. */
import { Failure } from '@postern/protocol/failure'
import type { FlowGiven } from '../flow'
import type { FrameLink } from '../frame-link'

export type CodePurpose = 'export' | 'recovery' | 'move' | 'deletePrevious' | 'delete'
/** Empty if the account has no address for a code. */
export type Otp = { readonly otp?: string }

export type CodeState = {
  readonly isBusy: boolean
  readonly complaint: string
  /** A new object for each refusal; it empties the field. */
  readonly refusal: object | null
  readonly email: 'sent' | 'resent' | 'earlier'
}

export type CodeEvent =
  | { readonly type: 'submitted' }
  | { readonly type: 'refused'; readonly complaint: string }
  | { readonly type: 'complained'; readonly complaint: string }
  | { readonly type: 'resent' }

export const emptyCode: CodeState = { isBusy: false, complaint: '', refusal: null, email: 'sent' }

export function reduceCode(state: CodeState, event: CodeEvent): CodeState {
  switch (event.type) {
    case 'submitted':
      return { ...state, isBusy: true, complaint: '' }
    case 'refused':
      return { ...state, isBusy: false, complaint: event.complaint, refusal: {} }
    case 'complained':
      return { ...state, complaint: event.complaint }
    case 'resent':
      return { ...state, complaint: '', email: 'resent' }
  }
}

export type CodeActions = {
  readonly submit: (otp: string) => void
  readonly submitIncomplete: () => void
  readonly resend: () => void
}

const codeFailures: ReadonlySet<string> = new Set(['WRONG_CODE', 'CODE_EXPIRED', 'CODE_SPENT', 'TOO_MANY_ATTEMPTS'])

/**
 * Takes a fresh code, if the account has an address.
 *
 * 1. The user can correct a wrong, spent or expired code, with the reason beside the field.
 * 2. If an email was sent a moment ago, the user is told to use its code, or to wait.
 * @param send emails another code
 * @param use receives the code, and rejects if the gateway refuses it
 */
export function createCodeActions(
  { link, say, fail }: Pick<FlowGiven, 'link' | 'say' | 'fail'>,
  send: () => Promise<unknown>,
  use: (code: Otp) => Promise<void>,
  dispatch: (event: CodeEvent) => void,
): CodeActions {
  return {
    submit(otp) {
      dispatch({ type: 'submitted' })
      use({ otp }).catch((cause: unknown) => {
        if (!(cause instanceof Failure) || !codeFailures.has(cause.code) || link.context.user === null) fail(cause)
        else dispatch({ type: 'refused', complaint: cause.message })
      })
    },
    submitIncomplete() {
      dispatch({ type: 'complained', complaint: say('code.format') })
    },
    resend() {
      send().then(
        () => dispatch({ type: 'resent' }),
        (cause: unknown) => {
          const complaint = cause instanceof Failure ? cause.message : say('failed.title')
          dispatch({ type: 'complained', complaint })
        },
      )
    },
  }
}

/** Null if the account has no address. */
export async function requestCode(link: FrameLink, purpose: CodePurpose): Promise<CodeState | null> {
  try {
    return (await link.ask('confirm', { purpose })).needsCode ? emptyCode : null
  } catch (cause) {
    if (cause instanceof Failure && cause.code === 'EMAIL_COOLDOWN') return { ...emptyCode, email: 'earlier' }
    throw cause
  }
}
