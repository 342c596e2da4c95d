import { expect, it } from 'vitest'
import { createModal } from '../../snapshot/modal'
import { createSnapshotStore } from '../../snapshot/store'
import { createConnectRequest } from './connect-request'

function setUp() {
  const store = createSnapshotStore({ themeMode: 'light', locale: 'en', walletCount: null, isTopLevel: false })
  const modal = createModal(store)
  const opened: string[] = []
  const connect = createConnectRequest({
    store,
    modal,
    sessions: { connection: () => ({ status: 'disconnected' }) },
    namespaces: ['eip155'],
    openConnect() {
      opened.push(store.getState().opening.view)
      modal.open('Connect')
    },
  })
  // They wait for the user.
  const request = () => void connect({}, new AbortController().signal).catch(() => {})
  return { modal, opened, request, view: () => store.getState().opening.view }
}

it.each([
  'Connect',
  'AllWallets',
  'ConnectingExternal',
  'ConnectingWalletConnect',
  'ConnectingWalletConnectBasic',
] as const)('a second request leaves a user alone who is in %s', (chosen) => {
  const { modal, opened, request, view } = setUp()
  request()
  modal.open(chosen)
  request()
  expect(opened).toHaveLength(1)
  expect(view()).toBe(chosen)
})

it('a request leads to Connect from a view that is not about connecting', () => {
  const { modal, opened, request, view } = setUp()
  modal.open('Networks')
  request()
  expect(opened).toEqual(['Networks'])
  expect(view()).toBe('Connect')
})
