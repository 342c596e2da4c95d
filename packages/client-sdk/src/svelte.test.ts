// @vitest-environment jsdom
import { setImmediate } from 'node:timers/promises'
import { flushSync, mount, unmount } from 'svelte'
import { afterEach, expect, test, vi } from 'vitest'
import type { InitialState } from './server/initial-state'
import type { balanceStore, connectStore, signInStore } from './svelte'
import Account from './testing/svelte/Account.svelte'
import Page from './testing/svelte/Page.svelte'
import type { Postern, Account as PosternAccount, Siwx } from './types/index'

const address = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const account: PosternAccount<'eip155'> = { namespace: 'eip155', address, type: 'eoa' }
const connector = { id: 'w', name: 'Rabbit', type: 'ANNOUNCED' } as const
const connections = { eip155: { status: 'connected', connector, accounts: [account], networkId: 'eip155:1' } } as const
const key = '@postern/svelte/state'
const storedOn = (activeNetworkId: string) =>
  JSON.stringify({ themeMode: 'light', networks: [], activeNetworkId, connections })

type Stores = {
  readonly postern: Postern
  readonly connect: ReturnType<typeof connectStore>
  readonly balance: ReturnType<typeof balanceStore>
  readonly signIn: ReturnType<typeof signInStore>
  readonly heard: string[]
}
let postern: Postern | undefined

afterEach(() => {
  postern?.destroy()
  document.body.replaceChildren()
  localStorage.clear()
})

function open({ siwx, initialState }: { siwx?: Siwx; initialState?: InitialState } = {}) {
  const found: Stores[] = []
  const options = { projectId: 'svelte', host: 'https://modal.example', networks: ['ethereum'], siwx }
  const props = { options, initialState, onStores: (stores: Stores) => found.push(stores) }
  const page = mount(Page, { target: document.body, props })
  const first = document.querySelector('b')?.textContent
  flushSync()
  const [stores] = found
  if (stores === undefined) throw new Error('The component did not render')
  postern = stores.postern
  const text = (selector: string) => {
    flushSync()
    return document.querySelector(selector)?.textContent
  }
  return { ...stores, page, text, first }
}

function switchInOtherTab(id: string): void {
  localStorage.setItem(key, storedOn(id))
  window.dispatchEvent(new StorageEvent('storage', { key }))
}

test('stores show the account of an earlier visit, and follow changes', () => {
  localStorage.setItem(key, storedOn('eip155:1'))
  const { text, postern } = open()
  expect(text('b')).toBe(`connecting ${address} Rabbit 0 false`)
  postern.destroy()
  expect(text('b')).toContain('disconnected')
})

test('with the state of a server the first render is the server’s', () => {
  localStorage.setItem(key, storedOn('eip155:1'))
  const { first, text } = open({ initialState: {} })
  expect(first).toContain('disconnected')
  expect(text('b')).toContain(address)
  return expect.poll(() => document.cookie).toContain('postern.svelte=')
})

test('events reach the component while it is mounted', async () => {
  localStorage.setItem(key, storedOn('eip155:1'))
  const { heard, page } = open()
  switchInOtherTab('eip155:10')
  await unmount(page)
  switchInOtherTab('eip155:1')
  expect(heard).toEqual(['eip155:10'])
})

test('a call tells its state, and a failure rejects', async () => {
  const { connect, postern, text } = open()
  expect(text('i')).toBe('idle idle unknown')
  postern.destroy()
  const call = connect.run()
  expect(text('i')).toMatch(/^pending/)
  await expect(call).rejects.toMatchObject({ code: 'DESTROYED' })
  expect(text('i')).toMatch(/^error/)
})

test('the sign-in state is the plugin’s, and signing out revokes its session', async () => {
  localStorage.setItem(key, storedOn('eip155:1'))
  let sessions: string[] = ['a session']
  const never = () => Promise.reject(new Error('Not in this test'))
  const siwx: Siwx = {
    ...{ createMessage: never, addSession: never, setSessions: never },
    getSessions: async () => JSON.parse(JSON.stringify(sessions)),
    async revokeSession(...which) {
      expect(which).toEqual(['eip155:1', address])
      sessions = []
    },
  }
  const { signIn, text } = open({ siwx })
  await expect.poll(() => text('i')).toContain('signedIn')
  await signIn.signOut()
  await expect.poll(() => text('i')).toContain('signedOut')
})

test('a slow answer from before the sign-in does not replace the newer one', async () => {
  localStorage.setItem(key, storedOn('eip155:1'))
  // The modal, once it has loaded, subscribes too.
  const listeners = new Set<() => void>()
  const changed = () => {
    for (const listener of listeners) listener()
  }
  const answers: ((sessions: string[]) => void)[] = []
  const never = () => Promise.reject(new Error('Not in this test'))
  const siwx: Siwx = {
    ...{ createMessage: never, addSession: never, setSessions: never, revokeSession: never },
    getSessions: () =>
      new Promise((resolve) => answers.push((sessions) => resolve(JSON.parse(JSON.stringify(sessions))))),
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
  const { text } = open({ siwx })
  await expect.poll(() => answers).toHaveLength(1)
  changed()
  await expect.poll(() => answers).toHaveLength(2)
  answers[1]?.(['a session'])
  await expect.poll(() => text('i')).toContain('signedIn')
  answers[0]?.([])
  await setImmediate()
  expect(text('i')).toContain('signedIn')
})

test('the action opens the modal on a click, until the component is gone', async () => {
  const { postern, page } = open()
  const opened = vi.spyOn(postern, 'open').mockResolvedValue()
  const button = document.querySelector('button')
  button?.click()
  expect(opened.mock.calls).toEqual([[{ view: 'Networks' }]])
  await unmount(page)
  button?.click()
  expect(opened).toHaveBeenCalledTimes(1)
})

test('a store without setPostern says what is missing', () => {
  expect(() => mount(Account, { target: document.body, props: { onStores: () => {} } })).toThrow('setPostern')
})
