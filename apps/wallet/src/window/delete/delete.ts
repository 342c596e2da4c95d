/**
 * Deletes the account, or the wallet that the user moved from.
 *
 * 1. Nothing is deleted before the user has read what is lost and entered a new code.
 * 2. Without an email address for a code, the user types a phrase instead.
 * 3. A previous wallet is deleted only if the user saw its address.
 */
import {
  type CodeActions,
  type CodeEvent,
  type CodePurpose,
  type CodeState,
  createCodeActions,
  type Otp,
  reduceCode,
  requestCode,
} from '../code/code'
import { type Flow, FlowEnd, runEffect } from '../flow'

export type Deletion = 'deleteAccount' | 'deletePrevious'

export type DeleteState =
  | { readonly step: 'warning' }
  | { readonly step: 'working'; readonly title: 'code.title' | `${Deletion}.title` }
  | { readonly step: 'code'; readonly code: CodeState }
  | { readonly step: 'phrase' }

export type DeleteEvent =
  | { readonly type: 'agreed' }
  | { readonly type: 'codeNeeded'; readonly code: CodeState }
  | { readonly type: 'code'; readonly event: CodeEvent }
  | { readonly type: 'phraseNeeded' }
  | { readonly type: 'deleting' }

export type DeleteActions = {
  readonly start: () => void
  readonly agree: () => void
  readonly code: CodeActions
  readonly confirm: () => void
}

type DeleteFlow = Flow<DeleteState, DeleteEvent, DeleteActions>

const codePurposes: Readonly<Record<Deletion, CodePurpose>> = {
  deleteAccount: 'delete',
  deletePrevious: 'deletePrevious',
}

export const deleteFlows: Readonly<Record<Deletion, DeleteFlow>> = {
  deleteAccount: createFlow('deleteAccount'),
  deletePrevious: createFlow('deletePrevious'),
}

function createFlow(deletion: Deletion): DeleteFlow {
  const purpose = codePurposes[deletion]
  return {
    begin: () => ({ step: 'warning' }),
    reduce(state, event) {
      switch (event.type) {
        case 'agreed':
          return { step: 'working', title: 'code.title' }
        case 'codeNeeded':
          return { step: 'code', code: event.code }
        case 'code':
          return state.step === 'code' ? { step: 'code', code: reduceCode(state.code, event.event) } : state
        case 'phraseNeeded':
          return { step: 'phrase' }
        case 'deleting':
          return { step: 'working', title: `${deletion}.title` }
      }
    },
    createActions(given, dispatch) {
      const { link, say, finish, fail } = given
      const { addresses } = link.context
      return {
        start() {
          // Rule 3.
          if (deletion === 'deletePrevious' && addresses === null) fail(nothingToDelete())
        },
        agree: () =>
          runEffect(given, async () => {
            dispatch({ type: 'agreed' })
            const code = await requestCode(link, purpose)
            if (code !== null) dispatch({ type: 'codeNeeded', code })
            else if (deletion === 'deleteAccount') dispatch({ type: 'phraseNeeded' })
            else await removeWithoutCode()
          }),
        code: createCodeActions(
          given,
          () => link.ask('confirm', { purpose }),
          remove,
          (event) => dispatch({ type: 'code', event }),
        ),
        confirm: () => runEffect(given, removeWithoutCode),
      }

      async function removeWithoutCode(): Promise<void> {
        dispatch({ type: 'deleting' })
        await remove({})
      }

      async function remove(code: Otp): Promise<void> {
        if (deletion === 'deleteAccount') await link.ask('deleteAccount', code)
        else if (addresses === null) throw nothingToDelete()
        else await link.ask('deletePrevious', { addresses, ...code })
        finish(say(`${deletion}.done`))
      }
    },
  }
}

const nothingToDelete = () => new FlowEnd('deletePrevious.title', 'deletePrevious.none')
