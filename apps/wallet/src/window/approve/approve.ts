import { Failure } from '@postern/protocol/failure'
import type { Intent } from '../../intent/intent'
import type { WaitingApproval } from '../../window-messages'
import { type Flow, type FlowGiven, runEffect } from '../flow'

export type ApproveState =
  | { readonly step: 'working' }
  | {
      readonly step: 'asking'
      readonly approval: WaitingApproval
      readonly intent: Intent | null
      readonly isDecided: boolean
    }
  | { readonly step: 'withdrawn' }

export type ApproveEvent =
  | { readonly type: 'asked'; readonly approval: WaitingApproval }
  | { readonly type: 'described'; readonly id: string; readonly intent: Intent }
  | { readonly type: 'decided' }
  | { readonly type: 'withdrawn' }

function reduceApprove(state: ApproveState, event: ApproveEvent): ApproveState {
  switch (event.type) {
    case 'asked': {
      const { approval } = event
      const isSame = state.step === 'asking' && state.approval.request.id === approval.request.id
      return isSame ? { ...state, approval } : { step: 'asking', approval, intent: null, isDecided: false }
    }
    case 'described':
      return state.step === 'asking' && state.approval.request.id === event.id
        ? { ...state, intent: event.intent }
        : state
    case 'decided':
      return state.step === 'asking' ? { ...state, isDecided: true } : state
    case 'withdrawn':
      return { step: 'withdrawn' }
  }
}

export type ApproveActions = {
  readonly start: () => void
  readonly approve: (approval: WaitingApproval) => void
  readonly reject: (approval: WaitingApproval) => void
}

/**
 * Runs the approvals of the window.
 *
 * 1. The window shows the first request that waits, then the next. A decision names the shown id; an approval also its
 *    digest.
 * 2. The window decodes what it shows, from the bytes that the digest covers.
 * 3. A request that ends elsewhere gives way to the next one, or to a sentence that says so.
 * 4. After the last decision the window closes: after an approval with a sentence, after a rejection at once.
 * 5. A window closed without a decision tells the frame nothing: the request still waits.
 */
export const approveFlow: Flow<ApproveState, ApproveEvent, ApproveActions> = {
  begin: () => ({ step: 'working' }),
  reduce: reduceApprove,
  createActions(given, dispatch) {
    const { link, describe } = given
    let latest: WaitingApproval | null = null
    let decoding: { readonly id: string; readonly ending: AbortController } | null = null
    let isDeciding = false

    function show(): void {
      if (latest === null) {
        dispatch({ type: 'withdrawn' })
        return
      }
      const approval = latest
      const { id } = approval.request
      dispatch({ type: 'asked', approval })
      if (decoding?.id === id) return
      decoding?.ending.abort()
      const ending = new AbortController()
      decoding = { id, ending }
      runEffect(given, () => explain(approval, ending.signal))
    }

    async function explain({ request }: WaitingApproval, signal: AbortSignal): Promise<void> {
      const { id } = request
      const facts = await link.ask('approvalFacts', { id }).catch((thrown: unknown) => {
        if (isLate(thrown)) return null
        throw thrown
      })
      if (facts === null || signal.aborted) return
      await describe(request, facts, signal, (intent) => dispatch({ type: 'described', id, intent }))
    }

    async function decide(tell: () => Promise<unknown>, end: () => void): Promise<void> {
      if (isDeciding) return
      isDeciding = true
      dispatch({ type: 'decided' })
      const isDone = await tell().then(
        () => true,
        (thrown: unknown) => {
          if (isLate(thrown)) return false
          throw thrown
        },
      )
      isDeciding = false
      if (isDone && latest === null) end()
      else show()
    }

    return {
      start() {
        link.onApproval((approval) => {
          latest = approval
          // Shown after the response to this decision.
          if (!isDeciding) show()
        })
      },
      approve: ({ request: { id, digest } }) =>
        runEffect(given, () =>
          decide(
            () => link.ask('approve', { id, digest }),
            () => finish(given),
          ),
        ),
      reject: ({ request: { id } }) => runEffect(given, () => decide(() => link.ask('reject', { id }), given.cancel)),
    }
  },
}

/** Rule 3. */
function isLate(thrown: unknown): boolean {
  return thrown instanceof Failure && thrown.code === 'INVALID_REQUEST'
}

function finish({ finish: end, say }: FlowGiven): void {
  end(say('approve.done'))
}
