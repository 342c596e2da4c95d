/** Three options with what each protects from and costs, then a new code. */
import type { Recovery, RecoveryMethod, WalletAddresses } from '@postern/protocol'
import {
  type CodeActions,
  type CodeEvent,
  type CodeState,
  createCodeActions,
  emptyCode,
  type Otp,
  reduceCode,
  requestCode,
} from '../code/code'
import { type Flow, FlowEnd, runEffect } from '../flow'
import type { FrameLink } from '../frame-link'
import { askPasskey, createPasskey, type NewPasskey, PasskeyError, recoveryByPasskey } from '../passkey'
import { newPassphrase } from '../passphrase'

export type RecoverState =
  | { readonly step: 'choice'; readonly chosen: RecoveryMethod | null; readonly complaint: string }
  /** `made`: the new passkey, if it gives its secret only when it is used. */
  | { readonly step: 'passkey'; readonly made: NewPasskey | null; readonly isBusy: boolean }
  | { readonly step: 'passkeyRefused' }
  | { readonly step: 'passphrase' }
  /** `part` of the work that is done: 0 to 1. */
  | { readonly step: 'stretching'; readonly part: number }
  | { readonly step: 'working'; readonly title: 'code.title' | 'recovery.title' }
  | { readonly step: 'code'; readonly recovery: Recovery; readonly code: CodeState }

export type RecoverEvent =
  | { readonly type: 'chosen'; readonly method: RecoveryMethod }
  | { readonly type: 'wentOn'; readonly complaint: string }
  | { readonly type: 'wentBack'; readonly complaint: string }
  | { readonly type: 'passkeyAsked' }
  | { readonly type: 'passkeyMade'; readonly made: NewPasskey }
  | { readonly type: 'passkeyRefused' }
  | { readonly type: 'passphraseTaken' }
  | { readonly type: 'progressed'; readonly part: number }
  | { readonly type: 'codeAsked' }
  | { readonly type: 'codeNeeded'; readonly recovery: Recovery }
  | { readonly type: 'codeNotNeeded' }
  | { readonly type: 'code'; readonly event: CodeEvent }

const choice = { step: 'choice', chosen: null, complaint: '' } as const

export function reduceRecover(state: RecoverState, event: RecoverEvent): RecoverState {
  switch (event.type) {
    case 'chosen':
      return { step: 'choice', chosen: event.method, complaint: '' }
    case 'wentOn':
      return state.step === 'choice' ? stepOf(state.chosen, event.complaint) : state
    case 'wentBack':
      return { ...choice, complaint: event.complaint }
    case 'passkeyAsked':
      return state.step === 'passkey' ? { ...state, isBusy: true } : state
    case 'passkeyMade':
      return { step: 'passkey', made: event.made, isBusy: false }
    case 'passkeyRefused':
      return { step: 'passkeyRefused' }
    case 'passphraseTaken':
      return { step: 'stretching', part: 0 }
    case 'progressed':
      // The worker's last report may arrive after its result.
      return state.step === 'stretching' ? { step: 'stretching', part: event.part } : state
    case 'codeAsked':
      return { step: 'working', title: 'code.title' }
    case 'codeNeeded':
      return { step: 'code', recovery: event.recovery, code: emptyCode }
    case 'codeNotNeeded':
      return { step: 'working', title: 'recovery.title' }
    case 'code':
      return state.step === 'code' ? { ...state, code: reduceCode(state.code, event.event) } : state
  }
}

/** The step after the choice. The gateway's own method needs none before the code. */
function stepOf(method: RecoveryMethod | null, complaint: string): RecoverState {
  switch (method) {
    case null:
      return { ...choice, complaint }
    case 'gateway':
      return { step: 'working', title: 'code.title' }
    case 'passkey':
      return { step: 'passkey', made: null, isBusy: false }
    case 'passphrase':
      return { step: 'passphrase' }
  }
}

export type RecoverActions = {
  readonly start: () => void
  readonly choose: (method: RecoveryMethod) => void
  readonly goOn: (chosen: RecoveryMethod | null) => void
  readonly goBack: () => void
  readonly createPasskey: () => void
  /** Many authenticators return the secret only on use, which needs another click. */
  readonly confirmPasskey: (made: NewPasskey) => void
  /** The user was told that the passkey cannot protect a wallet, or gave up on the second click. */
  readonly leavePasskey: (made: NewPasskey | null) => void
  readonly takePassphrase: (passphrase: string) => void
  readonly code: (recovery: Recovery) => CodeActions
}

/**
 * Runs the change of the recovery method.
 *
 * 1. Nothing changes before the code: after a cancel or a failure the old method remains.
 * 2. Leaving the passkey or passphrase step returns to the choice, with the reason.
 */
export const recoverFlow: Flow<RecoverState, RecoverEvent, RecoverActions> = {
  begin: () => choice,
  reduce: reduceRecover,
  createActions(given, dispatch) {
    const { link, say, credentials, host, stretch, finish, fail } = given
    return {
      start() {
        const { recovery, addresses } = link.context
        if (recovery === null || addresses === null) fail(new FlowEnd('recovery.title', 'recovery.noWallet'))
      },
      choose: (method) => dispatch({ type: 'chosen', method }),
      goOn(chosen) {
        dispatch({ type: 'wentOn', complaint: say('recovery.choose') })
        if (chosen === 'gateway') runEffect(given, () => confirm({ method: 'gateway' }))
      },
      goBack: () => dispatch({ type: 'wentBack', complaint: '' }),
      createPasskey: () =>
        runPasskey(async () => {
          const user = userNameOf(link) ?? say('brand')
          const made = await createPasskey(credentials, { host, site: say('brand'), user })
          if (made.secret === null) dispatch({ type: 'passkeyMade', made })
          else await confirm(await recoveryByPasskey(made, made.secret, addressesOf(link)))
        }),
      confirmPasskey: (made) =>
        runPasskey(async () => {
          const { credentialId, salt } = made
          const secret = await askPasskey(credentials, { host, credentialId, salt })
          await confirm(await recoveryByPasskey(made, secret, addressesOf(link)))
        }),
      leavePasskey: (made) => dispatch({ type: 'wentBack', complaint: made === null ? '' : say('passkey.cancelled') }),
      takePassphrase: (passphrase) =>
        runEffect(given, async () => {
          dispatch({ type: 'passphraseTaken' })
          const onProgress = (part: number) => dispatch({ type: 'progressed', part })
          await confirm(await newPassphrase(passphrase, addressesOf(link), stretch, onProgress))
        }),
      code: (recovery) =>
        createCodeActions(
          given,
          'recovery',
          (code) => change(recovery, code),
          (event) => dispatch({ type: 'code', event }),
        ),
    }

    async function confirm(recovery: Recovery): Promise<void> {
      dispatch({ type: 'codeAsked' })
      if (await requestCode(link, 'recovery')) return dispatch({ type: 'codeNeeded', recovery })
      dispatch({ type: 'codeNotNeeded' })
      await change(recovery, {})
    }

    async function change(recovery: Recovery, code: Otp): Promise<void> {
      await link.ask('setRecovery', { recovery, addresses: addressesOf(link), ...code })
      finish(say('recovery.done'))
    }

    function runPasskey(effect: () => Promise<void>): void {
      dispatch({ type: 'passkeyAsked' })
      effect().catch((cause: unknown) => {
        if (!(cause instanceof PasskeyError)) fail(cause)
        else if (cause.failure === 'NO_PRF') dispatch({ type: 'passkeyRefused' })
        else {
          const key = cause.failure === 'NO_PASSKEYS' ? 'passkey.none' : 'passkey.cancelled'
          dispatch({ type: 'wentBack', complaint: say(key) })
        }
      })
    }
  },
}

function addressesOf({ context: { addresses } }: FrameLink): WalletAddresses {
  if (addresses === null) throw new FlowEnd('recovery.title', 'recovery.noWallet')
  return addresses
}

/** The name that the browser shows beside the passkey; undefined if no user is signed in or the account has no name. */
function userNameOf({ context: { user } }: FrameLink): string | undefined {
  return user?.email ?? user?.userName ?? undefined
}
