/**
 * Stores the wallet in this window, which is first-party and may store what the frame may not.
 *
 * 1. Signed in: the record is stored and read back here before the frame relies on it.
 * 2. Signed out: the frame gets the stored record once the user has allowed it for this page. A page that opens the
 *    window on its own gets nothing.
 */
import type { WalletRecord } from '../../window-messages'
import { type Flow, FlowEnd, runEffect, type WindowStore } from '../flow'

export type KeepState =
  | { readonly step: 'working'; readonly title: 'keep.title' | 'open.title' }
  | { readonly step: 'keep'; readonly store: WindowStore }
  | { readonly step: 'open'; readonly record: WalletRecord }

export type KeepEvent =
  | { readonly type: 'keepAsked'; readonly store: WindowStore }
  | { readonly type: 'openAsked'; readonly record: WalletRecord }
  | { readonly type: 'agreed' }

function reduceKeep(state: KeepState, event: KeepEvent): KeepState {
  switch (event.type) {
    case 'keepAsked':
      return { step: 'keep', store: event.store }
    case 'openAsked':
      return { step: 'open', record: event.record }
    case 'agreed':
      return { step: 'working', title: state.step === 'open' ? 'open.title' : 'keep.title' }
  }
}

export type KeepActions = {
  readonly start: () => void
  readonly keep: (store: WindowStore) => void
  readonly open: (record: WalletRecord) => void
}

export const keepFlow: Flow<KeepState, KeepEvent, KeepActions> = {
  begin: () => ({ step: 'working', title: 'keep.title' }),
  reduce: reduceKeep,
  createActions(given, dispatch) {
    const { link, say, openStore, finish } = given
    return {
      start: () =>
        runEffect(given, async () => {
          const store = await openStore()
          if (store === null) throw storageDenied()
          if (link.context.user !== null) return dispatch({ type: 'keepAsked', store })
          const record = await store.readRecord()
          if (record === null || record.session === null) throw nothingKept()
          dispatch({ type: 'openAsked', record })
        }),
      keep: (store) =>
        runEffect(given, async () => {
          dispatch({ type: 'agreed' })
          const record = await link.ask('takeRecord', null)
          await store.writeRecord(record)
          const kept = await store.readRecord()
          if (kept?.deviceToken !== record.deviceToken) throw storageDenied()
          await link.ask('kept', null)
          finish(say('keep.done'))
        }),
      open: (record) =>
        runEffect(given, async () => {
          dispatch({ type: 'agreed' })
          const { signedIn } = await link.ask('giveRecord', record)
          if (!signedIn) throw nothingKept()
          finish(say('open.done'))
        }),
    }
  },
}

const storageDenied = () => new FlowEnd('keep.denied.title', 'keep.denied.text')
const nothingKept = () => new FlowEnd('keep.none.title', 'keep.none.text')
