/**
 * Shows the user's recovery phrase and keys, on this screen only.
 *
 * 1. Nothing is rebuilt before the user has read the warning and entered a new code.
 * 2. Each secret is hidden until the user asks for it, and again when the window loses focus.
 * 3. This window's own worker rebuilds the key and then ends. Nothing of it goes back to the frame.
 */
import type { ExportedKeys } from '../../contract'
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

export type SecretKind = keyof ExportedKeys
export type CopyResult = 'copied' | 'copyFailed'

export type ExportState =
  | { readonly step: 'warning' }
  | { readonly step: 'working'; readonly title: 'code.title' | 'export.shown.title' }
  | { readonly step: 'code'; readonly code: CodeState }
  | {
      readonly step: 'keys'
      readonly keys: ExportedKeys
      readonly shown: readonly SecretKind[]
      readonly copies: Readonly<Partial<Record<SecretKind, CopyResult>>>
    }

export type ExportEvent =
  | { readonly type: 'agreed' }
  | { readonly type: 'codeNeeded'; readonly code: CodeState }
  | { readonly type: 'code'; readonly event: CodeEvent }
  | { readonly type: 'rebuilding' }
  | { readonly type: 'rebuilt'; readonly keys: ExportedKeys }
  | { readonly type: 'toggled'; readonly kind: SecretKind }
  | { readonly type: 'hidden' }
  | { readonly type: 'copied'; readonly kind: SecretKind; readonly result: CopyResult }
  | { readonly type: 'closed' }

export function reduceExport(state: ExportState, event: ExportEvent): ExportState {
  switch (event.type) {
    case 'agreed':
      return { step: 'working', title: 'code.title' }
    case 'codeNeeded':
      return { step: 'code', code: event.code }
    case 'code':
      return state.step === 'code' ? { step: 'code', code: reduceCode(state.code, event.event) } : state
    case 'rebuilding':
    case 'closed':
      return { step: 'working', title: 'export.shown.title' }
    case 'rebuilt':
      return { step: 'keys', keys: event.keys, shown: [], copies: {} }
    default:
      return state.step === 'keys' ? reduceKeys(state, event) : state
  }
}

type KeysState = Extract<ExportState, { step: 'keys' }>
type KeysEvent = Extract<ExportEvent, { type: 'toggled' | 'hidden' | 'copied' }>

function reduceKeys(state: KeysState, event: KeysEvent): KeysState {
  switch (event.type) {
    case 'toggled': {
      const others = state.shown.filter((kind) => kind !== event.kind)
      return { ...state, shown: others.length < state.shown.length ? others : [...others, event.kind] }
    }
    case 'hidden':
      return { ...state, shown: [] }
    case 'copied':
      return { ...state, copies: { ...state.copies, [event.kind]: event.result } }
  }
}

export type ExportActions = {
  readonly start: () => void
  readonly agree: () => void
  readonly code: CodeActions
  readonly toggle: (kind: SecretKind) => void
  readonly hideAll: () => void
  readonly copy: (kind: SecretKind, secret: string) => void
  readonly close: () => void
}

export const exportFlow: Flow<ExportState, ExportEvent, ExportActions> = {
  begin: () => ({ step: 'warning' }),
  reduce: reduceExport,
  createActions(given, dispatch) {
    const { link, say, startSigner, copy, finish, fail } = given
    return {
      start() {
        if (link.context.addresses === null) fail(new FlowEnd('export.title', 'export.none'))
      },
      agree: () =>
        runEffect(given, async () => {
          dispatch({ type: 'agreed' })
          const code = await requestCode(link, 'export')
          if (code === null) await rebuild({})
          else dispatch({ type: 'codeNeeded', code })
        }),
      code: createCodeActions(
        given,
        () => link.ask('confirm', { purpose: 'export' }),
        rebuild,
        (event) => dispatch({ type: 'code', event }),
      ),
      toggle: (kind) => dispatch({ type: 'toggled', kind }),
      hideAll: () => dispatch({ type: 'hidden' }),
      copy(kind, secret) {
        copy(secret).then(
          () => dispatch({ type: 'copied', kind, result: 'copied' }),
          () => dispatch({ type: 'copied', kind, result: 'copyFailed' }),
        )
      },
      close() {
        dispatch({ type: 'closed' })
        finish(say('done'))
      },
    }

    async function rebuild(code: Otp): Promise<void> {
      const source = await link.ask('exportSource', code)
      dispatch({ type: 'rebuilding' })
      const signer = await startSigner()
      dispatch({ type: 'rebuilt', keys: await signer.worker.exportKeys(source).finally(signer.end) })
    }
  },
}
