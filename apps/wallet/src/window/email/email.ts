/**
 * Changes the account's email address.
 *
 * 1. The user sees the new address before the first code, and beside each one.
 * 2. The old address's code comes first, then the new address's.
 * 3. Then the user reads what the old address can still do, and until when.
 */
import { limits } from '@postern/protocol'
import type { WindowAskAnswer } from '../../window-messages'
import {
  type CodeActions,
  type CodeEvent,
  type CodeState,
  createCodeActions,
  emptyCode,
  reduceCode,
} from '../code/code'
import { type Flow, runEffect } from '../flow'

type Change = WindowAskAnswer<'emailChange'>

/** `until`, `end`: epoch ms. */
export type Changed = {
  readonly newEmail: string
  readonly until: number
  readonly end: number
  readonly isProven: boolean
}

export type EmailState =
  | { readonly step: 'working' }
  | { readonly step: 'code'; readonly change: Change; readonly code: CodeState }
  | { readonly step: 'changed'; readonly changed: Changed }

export type EmailEvent =
  | { readonly type: 'asked'; readonly change: Change }
  | { readonly type: 'code'; readonly event: CodeEvent }
  | { readonly type: 'changed'; readonly changed: Changed }

export type EmailActions = {
  readonly start: () => void
  readonly code: CodeActions
  readonly done: () => void
}

function reduceEmail(state: EmailState, event: EmailEvent): EmailState {
  switch (event.type) {
    case 'asked':
      return { step: 'code', change: event.change, code: emptyCode }
    case 'code':
      return state.step === 'code' ? { ...state, code: reduceCode(state.code, event.event) } : state
    case 'changed':
      return { step: 'changed', changed: event.changed }
  }
}

export const emailFlow: Flow<EmailState, EmailEvent, EmailActions> = {
  begin: () => ({ step: 'working' }),
  reduce: reduceEmail,
  createActions(given, dispatch) {
    const { link, say, finish } = given
    return {
      start: () => runEffect(given, next),
      code: createCodeActions(
        given,
        () => link.ask('emailAgain', null),
        ({ otp = '' }) => take(otp),
        (event) => dispatch({ type: 'code', event }),
      ),
      done: () => finish(say('email.changed')),
    }

    async function next(): Promise<void> {
      dispatch({ type: 'asked', change: await link.ask('emailChange', null) })
    }

    async function take(otp: string): Promise<void> {
      const { step, newEmail } = await link.ask('emailChange', null)
      if (step === 'primary') {
        await link.ask('emailPrimary', { otp })
        return next()
      }
      const { undoUntil: until, isProven = false } = await link.ask('emailSecondary', { otp })
      // Older gateways send no date.
      if (until === undefined) return finish(say('email.changed'))
      const end = until + limits.addressChangeUndoMs
      dispatch({ type: 'changed', changed: { newEmail, until, end, isProven } })
    }
  },
}
