/**
 * Deletes the wallet that the user moved from.
 *
 * 1. Nothing is deleted before the user has read what is lost and entered a new code.
 * 2. Only the wallet whose address the user was shown is deleted.
 */
import {
  type CodeActions,
  type CodeEvent,
  type CodeState,
  createCodeActions,
  type Otp,
  reduceCode,
  requestCode,
} from '../code/code'
import { type Flow, FlowEnd, runEffect } from '../flow'

export type DeletePreviousState =
  | { readonly step: 'warning' }
  | { readonly step: 'working'; readonly title: 'code.title' | 'deletePrevious.title' }
  | { readonly step: 'code'; readonly code: CodeState }

export type DeletePreviousEvent =
  | { readonly type: 'agreed' }
  | { readonly type: 'codeNeeded'; readonly code: CodeState }
  | { readonly type: 'code'; readonly event: CodeEvent }
  | { readonly type: 'deleting' }

export type DeletePreviousActions = {
  readonly start: () => void
  readonly agree: () => void
  readonly code: CodeActions
}

export const deletePreviousFlow: Flow<DeletePreviousState, DeletePreviousEvent, DeletePreviousActions> = {
  begin: () => ({ step: 'warning' }),
  reduce(state, event) {
    switch (event.type) {
      case 'agreed':
        return { step: 'working', title: 'code.title' }
      case 'codeNeeded':
        return { step: 'code', code: event.code }
      case 'code':
        return state.step === 'code' ? { step: 'code', code: reduceCode(state.code, event.event) } : state
      case 'deleting':
        return { step: 'working', title: 'deletePrevious.title' }
    }
  },
  createActions(given, dispatch) {
    const { link, say, finish, fail } = given
    const { addresses } = link.context
    return {
      start() {
        if (addresses === null) fail(new FlowEnd('deletePrevious.title', 'deletePrevious.none'))
      },
      agree: () =>
        runEffect(given, async () => {
          dispatch({ type: 'agreed' })
          const code = await requestCode(link, 'deletePrevious')
          if (code !== null) return dispatch({ type: 'codeNeeded', code })
          dispatch({ type: 'deleting' })
          await remove({})
        }),
      code: createCodeActions(
        given,
        () => link.ask('confirm', { purpose: 'deletePrevious' }),
        remove,
        (event) => dispatch({ type: 'code', event }),
      ),
    }

    async function remove(code: Otp): Promise<void> {
      if (addresses === null) throw new FlowEnd('deletePrevious.title', 'deletePrevious.none')
      await link.ask('deletePrevious', { addresses, ...code })
      finish(say('deletePrevious.done'))
    }
  },
}
