import type { Recovery, RecoveryMethod, WalletAddresses } from '@postern/protocol'
import {
  type CodeActions,
  type CodeEvent,
  type CodeState,
  createCodeActions,
  type Otp,
  reduceCode,
  requestCode,
} from '../code/code'
import { type Flow, FlowEnd, type FlowGiven, runEffect } from '../flow'
import type { FrameLink } from '../frame-link'
import { askPasskey, createPasskey, type NewPasskey, PasskeyError, recoveryByPasskey } from '../passkey'
import { newPassphrase } from '../passphrase/passphrase'

type WorkTitle = 'code.title' | 'recovery.title' | 'create.title' | 'move.title'

export type RecoverState =
  | { readonly step: 'choice'; readonly chosen: RecoveryMethod | null; readonly complaint: string }
  /** `made`: if the passkey returns its secret only on use. */
  | { readonly step: 'passkey'; readonly made: NewPasskey | null; readonly isBusy: boolean }
  | { readonly step: 'passkeyRefused' }
  | { readonly step: 'passphrase' }
  /** `part`: 0 to 1. */
  | { readonly step: 'stretching'; readonly part: number }
  | { readonly step: 'working'; readonly title: WorkTitle }
  | { readonly step: 'code'; readonly recovery: Recovery; readonly code: CodeState }
  | { readonly step: 'moved' }

export type RecoverEvent =
  | { readonly type: 'chosen'; readonly method: RecoveryMethod }
  /** `title`: if the method needs no further step. */
  | { readonly type: 'wentOn'; readonly complaint: string; readonly title: WorkTitle }
  | { readonly type: 'wentBack'; readonly complaint: string }
  | { readonly type: 'passkeyAsked' }
  | { readonly type: 'passkeyMade'; readonly made: NewPasskey }
  | { readonly type: 'passkeyRefused' }
  | { readonly type: 'passphraseTaken' }
  | { readonly type: 'progressed'; readonly part: number }
  | { readonly type: 'workBegan'; readonly title: WorkTitle }
  | { readonly type: 'codeNeeded'; readonly recovery: Recovery; readonly code: CodeState }
  | { readonly type: 'code'; readonly event: CodeEvent }
  | { readonly type: 'moved' }

const choice = { step: 'choice', chosen: null, complaint: '' } as const

export function reduceRecover(state: RecoverState, event: RecoverEvent): RecoverState {
  switch (event.type) {
    case 'chosen':
      return { step: 'choice', chosen: event.method, complaint: '' }
    case 'wentOn':
      return state.step === 'choice' ? stepOf(state.chosen, event) : state
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
    case 'workBegan':
      return { step: 'working', title: event.title }
    case 'codeNeeded':
      return { step: 'code', recovery: event.recovery, code: event.code }
    case 'moved':
      return { step: 'moved' }
    case 'code':
      return state.step === 'code' ? { ...state, code: reduceCode(state.code, event.event) } : state
  }
}

function stepOf(
  method: RecoveryMethod | null,
  { complaint, title }: { readonly complaint: string; readonly title: WorkTitle },
): RecoverState {
  switch (method) {
    case null:
      return { ...choice, complaint }
    case 'gateway':
      return { step: 'working', title }
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
  readonly leavePasskey: (made: NewPasskey | null) => void
  readonly takePassphrase: (passphrase: string) => void
  readonly code: (recovery: Recovery) => CodeActions
  readonly endMove: () => void
}

export function methodsOf(
  { hasPasskey, rule }: Pick<FlowGiven, 'hasPasskey' | 'rule'>,
  words?: RecoverWords,
): readonly RecoveryMethod[] {
  const hardened = hasPasskey ? (['passkey', 'passphrase'] as const) : (['passphrase', 'passkey'] as const)
  return rule === 'hardened' || words === 'move' ? hardened : [...hardened, 'gateway']
}

/**
 * Runs the change of the recovery method, or the choice for a new wallet.
 *
 * 1. Nothing changes before the code.
 * 2. Leaving the passkey or passphrase step returns to the choice, with the reason.
 * 3. After a move away from the gateway the user reads that earlier copies may exist, and what to do.
 * 4. A first wallet needs no code: there is nothing to take over.
 * 5. A wallet that replaces another needs a passkey or passphrase, and a code.
 */
export const recoverFlow: Flow<RecoverState, RecoverEvent, RecoverActions> = {
  begin(given) {
    const words = wordsOf(given)
    return words === 'recovery' ? choice : { ...choice, chosen: methodsOf(given, words)[0] ?? null }
  },
  reduce: reduceRecover,
  createActions(given, dispatch) {
    const { link, say, credentials, host, stretch, finish, fail } = given
    const words = wordsOf(given)
    const isNew = words === 'create'
    const purpose = words === 'move' ? 'move' : 'recovery'
    return {
      start() {
        const { recovery, addresses } = link.context
        if (isNew && recovery !== null) finish(say('create.exists'))
        else if ((!isNew && recovery === null) || addresses === null)
          fail(new FlowEnd('recovery.title', 'recovery.noWallet'))
      },
      choose: (method) => dispatch({ type: 'chosen', method }),
      goOn(chosen) {
        const title = isNew ? 'create.title' : 'code.title'
        dispatch({ type: 'wentOn', complaint: say('recovery.choose'), title })
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
      endMove: () => finish(say('recovery.done')),
      code: (recovery) =>
        createCodeActions(
          given,
          () => link.ask('confirm', { purpose }),
          (code) => change(recovery, code),
          (event) => dispatch({ type: 'code', event }),
        ),
    }

    async function confirm(recovery: Recovery): Promise<void> {
      if (isNew) return create(recovery)
      dispatch({ type: 'workBegan', title: 'code.title' })
      const code = await requestCode(link, purpose)
      if (code !== null) return dispatch({ type: 'codeNeeded', recovery, code })
      dispatch({ type: 'workBegan', title: `${words}.title` })
      await change(recovery, {})
    }

    async function create(recovery: Recovery): Promise<void> {
      dispatch({ type: 'workBegan', title: 'create.title' })
      await link.ask('createWallet', { recovery, addresses: addressesOf(link) })
      finish(say('create.done'))
    }

    async function change(recovery: Recovery, code: Otp): Promise<void> {
      if (words === 'move') {
        await link.ask('replaceWallet', { recovery, addresses: addressesOf(link), ...code })
        return finish(say('move.done'))
      }
      await link.ask('setRecovery', { recovery, addresses: addressesOf(link), ...code })
      if (link.context.recovery?.method === 'gateway' && recovery.method !== 'gateway') dispatch({ type: 'moved' })
      else finish(say('recovery.done'))
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

export type RecoverWords = 'create' | 'recovery' | 'move'

export function wordsOf({ link }: Pick<FlowGiven, 'link'>): RecoverWords {
  const { purpose } = link.context
  return purpose === 'create' || purpose === 'move' ? purpose : 'recovery'
}

/** The browser shows it beside the passkey. */
function userNameOf({ context: { user } }: FrameLink): string | undefined {
  return user?.email ?? user?.userName ?? undefined
}
