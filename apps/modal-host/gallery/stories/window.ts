/** The wallet's own window. */
import type { ErrorCode, Recovery, RecoveryRule } from '@postern/protocol'
import type { TextKey } from '../../../wallet/src/window/say'
import type { WindowPurpose } from '../../../wallet/src/window-messages'
import { type DrawnFixture, send } from '../fixtures/approvals'

export type WindowStep =
  /** By catalogue key. `what` names the secret. */
  | { readonly press: TextKey; readonly what?: TextKey }
  | { readonly type: TextKey; readonly text: string }
  | { readonly choose: Recovery['method'] }

export type WindowStory = {
  readonly purpose?: WindowPurpose
  /** Null if nothing waits any more. */
  readonly approval?: DrawnFixture | null
  /** `looking` never ends. */
  readonly found?: 'severed' | 'lost' | 'looking'
  readonly signedIn?: false
  readonly recovery?: Recovery['method']
  /** Default: `any`. */
  readonly rule?: RecoveryRule
  /** In this window's storage; `denied` by the browser. */
  readonly kept?: 'record' | 'denied'
  readonly refuses?: { readonly ask: 'confirm' | 'exportSource' | 'unlock' | 'emailPrimary'; readonly code: ErrorCode }
  /** Of a passphrase: never ends, or yields a wrong key. */
  readonly stretch?: 'running' | 'wrong'
  /** For a change of the email address. Default: `primary`. */
  readonly emailStep?: 'secondary'
  /** Without an address to send a code to. */
  readonly needsNoCode?: true
  readonly isNewDevice?: true
  readonly steps?: readonly WindowStep[]
  readonly awaits: TextKey
}

const toCode: readonly WindowStep[] = [{ press: 'export.button' }]
const code: WindowStep = { type: 'code.label', text: '481920' }
const toPassphrase: readonly WindowStep[] = [{ choose: 'passphrase' }, { press: 'continue' }]

export const windowStories: Readonly<Record<string, WindowStory>> = {
  'window-looking': { found: 'looking', awaits: 'waiting.text' },
  'window-severed': { found: 'severed', awaits: 'severed.text' },
  'window-lost': { found: 'lost', awaits: 'lost.text' },
  'window-signed-out': {
    steps: toCode,
    refuses: { ask: 'confirm', code: 'UNAUTHORIZED' },
    awaits: 'signedOut.text',
  },
  'window-failed': {
    steps: [...toCode, code],
    refuses: { ask: 'exportSource', code: 'WALLET_KEY_MISMATCH' },
    awaits: 'failed.title',
  },

  'window-approve': { purpose: 'approve', approval: send, awaits: 'approve.title' },
  'window-approve-withdrawn': { purpose: 'approve', approval: null, awaits: 'approve.withdrawn.text' },

  'window-email': { purpose: 'email', awaits: 'email.title' },
  'window-email-wrong': {
    purpose: 'email',
    steps: [code],
    refuses: { ask: 'emailPrimary', code: 'WRONG_CODE' },
    awaits: 'code.again',
  },
  'window-email-changed': { purpose: 'email', emailStep: 'secondary', steps: [code], awaits: 'email.changed' },
  'window-email-changed-new-device': {
    purpose: 'email',
    emailStep: 'secondary',
    isNewDevice: true,
    steps: [code],
    awaits: 'email.changed',
  },

  'window-keep': { purpose: 'keep', awaits: 'keep.button' },
  'window-kept': { purpose: 'keep', steps: [{ press: 'keep.button' }], awaits: 'keep.done' },
  'window-keep-denied': { purpose: 'keep', kept: 'denied', awaits: 'keep.denied.text' },
  'window-keep-nothing': { purpose: 'keep', signedIn: false, awaits: 'keep.none.text' },
  'window-open': { purpose: 'keep', signedIn: false, kept: 'record', awaits: 'open.button' },

  'window-moved': {
    purpose: 'recovery',
    steps: [
      ...toPassphrase,
      { type: 'passphrase.label', text: 'violet harbor Tuesday magnet' },
      { type: 'passphrase.repeat', text: 'violet harbor Tuesday magnet' },
      { press: 'continue' },
      code,
    ],
    awaits: 'moved.copies',
  },
  'window-delete-account': { purpose: 'deleteAccount', awaits: 'deleteAccount.button' },
  'window-delete-account-code': {
    purpose: 'deleteAccount',
    steps: [{ press: 'deleteAccount.button' }],
    awaits: 'code.title',
  },
  'window-delete-account-phrase': {
    purpose: 'deleteAccount',
    needsNoCode: true,
    steps: [{ press: 'deleteAccount.button' }],
    awaits: 'cancel',
  },
  'window-delete-previous': { purpose: 'deletePrevious', awaits: 'deletePrevious.button' },
  'window-delete-previous-code': {
    purpose: 'deletePrevious',
    steps: [{ press: 'deletePrevious.button' }],
    awaits: 'code.title',
  },
  'window-code-earlier': {
    purpose: 'deletePrevious',
    steps: [{ press: 'deletePrevious.button' }],
    refuses: { ask: 'confirm', code: 'EMAIL_COOLDOWN' },
    awaits: 'code.again',
  },
  'window-create': { purpose: 'create', awaits: 'create.text' },
  'window-create-hardened': { purpose: 'create', rule: 'hardened', awaits: 'create.text' },

  'window-unlock-passkey': { purpose: 'unlock', recovery: 'passkey', awaits: 'unlock.passkey.text' },
  'window-unlock-passkey-none': {
    purpose: 'unlock',
    recovery: 'passkey',
    steps: [{ press: 'unlock.passkey.button' }],
    awaits: 'passkey.none',
  },
  'window-unlock-passphrase': { purpose: 'unlock', recovery: 'passphrase', awaits: 'unlock.passphrase.text' },
  'window-unlock-stretching': {
    purpose: 'unlock',
    recovery: 'passphrase',
    stretch: 'running',
    steps: [{ type: 'passphrase.label', text: 'violet harbor Tuesday magnet' }, { press: 'unlock.button' }],
    awaits: 'stretching.text',
  },
  'window-unlock-wrong': {
    purpose: 'unlock',
    recovery: 'passphrase',
    stretch: 'wrong',
    steps: [{ type: 'passphrase.label', text: 'violet harbour' }, { press: 'unlock.button' }],
    awaits: 'unlock.wrong',
  },

  'window-recovery': { purpose: 'recovery', awaits: 'recovery.text' },
  'window-recovery-chosen': { purpose: 'recovery', steps: [{ choose: 'passkey' }], awaits: 'recovery.text' },
  'window-recovery-none-chosen': { purpose: 'recovery', steps: [{ press: 'continue' }], awaits: 'recovery.choose' },
  'window-passkey': {
    purpose: 'recovery',
    steps: [{ choose: 'passkey' }, { press: 'continue' }],
    awaits: 'passkey.text',
  },
  'window-passphrase': { purpose: 'recovery', steps: toPassphrase, awaits: 'passphrase.warning' },
  'window-passphrase-strong': {
    purpose: 'recovery',
    steps: [...toPassphrase, { type: 'passphrase.label', text: 'violet harbor Tuesday magnet' }],
    awaits: 'passphrase.strong',
  },
  'window-passphrase-differs': {
    purpose: 'recovery',
    steps: [
      ...toPassphrase,
      { type: 'passphrase.label', text: 'violet harbor Tuesday magnet' },
      { type: 'passphrase.repeat', text: 'violet harbour Tuesday magnet' },
      { press: 'continue' },
    ],
    awaits: 'passphrase.differ',
  },

  'window-export': { awaits: 'export.warning' },
  'window-code': { steps: toCode, awaits: 'code.again' },
  'window-code-wrong': {
    steps: [...toCode, { type: 'code.label', text: '000000' }],
    refuses: { ask: 'exportSource', code: 'WRONG_CODE' },
    awaits: 'code.again',
  },
  'window-keys': { steps: [...toCode, code], awaits: 'export.shown.text' },
  'window-keys-shown': {
    steps: [...toCode, code, { press: 'export.show', what: 'export.mnemonic' }],
    awaits: 'export.shown.text',
  },
}
