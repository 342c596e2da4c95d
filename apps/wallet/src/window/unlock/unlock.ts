import type { Recovery } from '@postern/protocol'
import { isKeyFailure } from '../../keys/failure'
import { type Flow, FlowEnd, type FlowGiven, runEffect } from '../flow'
import { openByPasskey, PasskeyError } from '../passkey'
import { openByPassphrase } from '../passphrase/passphrase'
import type { Say } from '../say'

type Of<M extends Recovery['method']> = Extract<Recovery, { method: M }>

export type UnlockState =
  | { readonly step: 'working' }
  | {
      readonly step: 'passkey'
      readonly recovery: Of<'passkey'>
      readonly isBusy: boolean
      readonly complaint: string
    }
  | { readonly step: 'passphrase'; readonly recovery: Of<'passphrase'>; readonly complaint: string }
  /** `part`: 0 to 1. */
  | { readonly step: 'stretching'; readonly recovery: Of<'passphrase'>; readonly part: number }

export type UnlockEvent =
  | { readonly type: 'submitted' }
  | { readonly type: 'progressed'; readonly part: number }
  | { readonly type: 'refused'; readonly complaint: string }
  | { readonly type: 'opened' }

function reduceUnlock(state: UnlockState, event: UnlockEvent): UnlockState {
  if (event.type === 'opened' || state.step === 'working') return { step: 'working' }
  switch (event.type) {
    case 'submitted':
      return state.step === 'passkey'
        ? { ...state, isBusy: true, complaint: '' }
        : { step: 'stretching', recovery: state.recovery, part: 0 }
    case 'progressed':
      return state.step === 'stretching' ? { ...state, part: event.part } : state
    case 'refused':
      return state.step === 'passkey'
        ? { ...state, isBusy: false, complaint: event.complaint }
        : { step: 'passphrase', recovery: state.recovery, complaint: event.complaint }
  }
}

export type UnlockActions = {
  readonly start: () => void
  readonly unlockByPasskey: (recovery: Of<'passkey'>) => void
  readonly unlockByPassphrase: (recovery: Of<'passphrase'>, passphrase: string) => void
}

/**
 * Opens the wallet on a new device, whose recovery share is sealed to the passkey or passphrase.
 *
 * 1. A wrong passphrase or passkey only costs a retry.
 * 2. The frame gets a non-extractable key. The passphrase and the passkey's secret stay here.
 * 3. The frame opens only the wallet with this window's addresses: the secret is bound to them.
 */
export const unlockFlow: Flow<UnlockState, UnlockEvent, UnlockActions> = {
  begin: ({ link }) => firstState(link.context.recovery),
  reduce: reduceUnlock,
  createActions(given, dispatch) {
    const { link, say, credentials, host, stretch, fail } = given
    return {
      start() {
        if (firstState(link.context.recovery).step === 'working') fail(new FlowEnd('unlock.title', 'unlock.none'))
      },
      unlockByPasskey: (recovery) =>
        open(
          () => openByPasskey(credentials, recovery, link.context.addresses, host),
          (cause) => passkeyComplaint(cause, say),
        ),
      unlockByPassphrase: (recovery, passphrase) =>
        open(
          () => {
            const onProgress = (part: number) => dispatch({ type: 'progressed', part })
            return openByPassphrase(recovery, link.context.addresses, passphrase, stretch, onProgress)
          },
          (cause) => (isKeyFailure(cause) ? say('unlock.wrong') : null),
        ),
    }

    function open(unwrap: () => Promise<CryptoKey>, complaintOf: (cause: unknown) => string | null): void {
      dispatch({ type: 'submitted' })
      unwrap().then(
        (recoveryKey) => runEffect(given, () => unlock(given, recoveryKey, () => dispatch({ type: 'opened' }))),
        (cause: unknown) => {
          const complaint = complaintOf(cause)
          if (complaint === null) fail(cause)
          else dispatch({ type: 'refused', complaint })
        },
      )
    }
  },
}

function firstState(recovery: Recovery | null): UnlockState {
  switch (recovery?.method) {
    case 'passkey':
      return { step: 'passkey', recovery, isBusy: false, complaint: '' }
    case 'passphrase':
      return { step: 'passphrase', recovery, complaint: '' }
    default:
      return { step: 'working' }
  }
}

async function unlock({ link, say, finish }: FlowGiven, recoveryKey: CryptoKey, opened: () => void): Promise<void> {
  opened()
  const { addresses } = link.context
  await link.ask('unlock', { recoveryKey, ...(addresses !== null && { addresses }) })
  finish(say('unlock.done'))
}

function passkeyComplaint(cause: unknown, say: Say): string | null {
  if (isKeyFailure(cause)) return say('unlock.passkey.wrong')
  if (!(cause instanceof PasskeyError)) return null
  const words = { NO_PASSKEYS: 'passkey.none', NO_PRF: 'unlock.passkey.wrong', CANCELLED: 'passkey.cancelled' } as const
  return say(words[cause.failure])
}
