// @vitest-environment jsdom
import { setImmediate } from 'node:timers/promises'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { createApp, createSSRApp, defineComponent, h, nextTick, type VNodeChild } from 'vue'
import { renderToString } from 'vue/server-renderer'
import { cookieOf, type InitialState, initialStateFrom } from './server/initial-state'
import { emptySnapshot } from './state/state'
import type { Account, Connections, Postern, Siwx } from './types/index'
import {
  ConnectButton,
  posternPlugin,
  useAccount,
  useBalance,
  useConnect,
  useModal,
  useNetwork,
  usePostern,
  usePosternEvent,
  usePosternState,
  useSignIn,
} from './vue'

const address = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const account: Account<'eip155'> = { namespace: 'eip155', address, type: 'eoa' }
const options = { projectId: 'vue', host: 'https://modal.example', networks: ['ethereum'] }
const connector = { id: 'w', name: 'Rabbit', type: 'ANNOUNCED' } as const
const storedOn = (activeNetworkId: string, connections: object = {}) =>
  JSON.stringify({ themeMode: 'light', networks: [], activeNetworkId, connections })
const connections: Connections = {
  eip155: { status: 'connected', connector, accounts: [account], networkId: 'eip155:1' },
}
const key = '@postern/vue/state'
let postern: Postern | undefined

afterEach(() => {
  postern?.destroy()
  document.body.replaceChildren()
  localStorage.clear()
  vi.unstubAllGlobals()
})

function place(html = ''): HTMLElement {
  const root = document.createElement('div')
  // The server's HTML as a browser parses it, for hydration; written by this file's own components.
  root.innerHTML = html
  document.body.append(root)
  return root
}

function mount(setup: () => () => VNodeChild, plugin: { siwx?: Siwx } = {}) {
  const app = createApp(
    defineComponent(() => {
      postern = usePostern().postern
      return setup()
    }),
  )
  app.use(posternPlugin, { options: { ...options, ...plugin } })
  const root = place()
  app.mount(root)
  return { app, root }
}

async function switchInOtherTab(id: string): Promise<void> {
  localStorage.setItem(key, storedOn(id, connections))
  window.dispatchEvent(new StorageEvent('storage', { key }))
  await nextTick()
}

describe('on the page', () => {
  test('composables show the account of an earlier visit, and follow changes', async () => {
    localStorage.setItem(key, storedOn('eip155:1', connections))
    let renders = 0
    const { root, app } = mount(() => {
      const { status, address, connector } = useAccount()
      const theme = usePosternState(({ themeMode }) => themeMode)
      const { network } = useNetwork()
      const { isOpen } = useModal()
      return () => {
        renders++
        return `${status.value} ${address.value} ${connector.value?.name} ${theme.value} ${network.value} ${isOpen.value}`
      }
    })
    expect(root.textContent).toBe(`connecting ${address} Rabbit light undefined false`)
    const before = renders
    await switchInOtherTab('eip155:10')
    // Nothing that it shows changed.
    expect(renders).toBe(before)
    postern?.destroy()
    await nextTick()
    expect(root.textContent).toContain('disconnected undefined')
    app.unmount()
  })

  test('events reach the component while it is mounted', async () => {
    const heard: string[] = []
    localStorage.setItem(key, storedOn('eip155:1'))
    const { app } = mount(() => {
      usePosternEvent('network', ({ networkId }) => heard.push(networkId))
      return () => null
    })
    await switchInOtherTab('eip155:10')
    app.unmount()
    await switchInOtherTab('eip155:1')
    expect(heard).toEqual(['eip155:10'])
  })

  test('a call tells its state, and a failure rejects', async () => {
    let connect: ReturnType<typeof useConnect> | undefined
    mount(() => {
      connect = useConnect()
      return () => null
    })
    expect(connect?.status.value).toBe('idle')
    postern?.destroy()
    const call = connect?.connect()
    expect(connect?.status.value).toBe('pending')
    await expect(call).rejects.toMatchObject({ code: 'DESTROYED' })
    expect([connect?.status.value, connect?.error.value]).toEqual([
      'error',
      expect.objectContaining({ code: 'DESTROYED' }),
    ])
  })

  test('the balance is idle until an account is connected', async () => {
    let balance: ReturnType<typeof useBalance> | undefined
    mount(() => {
      balance = useBalance()
      return () => null
    })
    balance?.refetch()
    await nextTick()
    expect([balance?.status.value, balance?.value.value]).toEqual(['idle', undefined])
  })

  test('the sign-in state is the plugin’s, and signing out revokes its session', async () => {
    localStorage.setItem(key, storedOn('eip155:1', connections))
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
    let signIn: ReturnType<typeof useSignIn> | undefined
    mount(
      () => {
        signIn = useSignIn()
        return () => null
      },
      { siwx },
    )
    await expect.poll(() => signIn?.status.value).toBe('signedIn')
    await signIn?.signOut()
    await expect.poll(() => signIn?.status.value).toBe('signedOut')
  })

  test('a slow answer from before the sign-in does not replace the newer one', async () => {
    localStorage.setItem(key, storedOn('eip155:1', connections))
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
    let signIn: ReturnType<typeof useSignIn> | undefined
    mount(
      () => {
        signIn = useSignIn()
        return () => null
      },
      { siwx },
    )
    await expect.poll(() => answers).toHaveLength(1)
    changed()
    await expect.poll(() => answers).toHaveLength(2)
    answers[1]?.(['a session'])
    await expect.poll(() => signIn?.status.value).toBe('signedIn')
    answers[0]?.([])
    await setImmediate()
    expect(signIn?.status.value).toBe('signedIn')
    // Another account, here none: the last answer is not about it.
    postern?.destroy()
    await nextTick()
    expect(signIn?.status.value).not.toBe('signedIn')
  })

  test('a button of your own gets the state, and the SDK’s own is its element', async () => {
    localStorage.setItem(key, storedOn('eip155:1', connections))
    const { root } = mount(() => () => [
      h(ConnectButton, null, { default: (state: { address?: string }) => h('b', state.address) }),
      h(ConnectButton, { label: 'Join' }),
    ])
    expect(root.querySelector('b')?.textContent).toBe(address)
    expect(root.querySelector('postern-button')?.getAttribute('project-id')).toBe('vue')
    await customElements.whenDefined('postern-button')
  })

  test('a composable without the plugin says what is missing', () => {
    const app = createApp(
      defineComponent(() => {
        useAccount()
        return () => null
      }),
    )
    app.config.warnHandler = () => {}
    expect(() => app.mount(place())).toThrow('posternPlugin')
  })
})

test('the account of the cookie is in the HTML of a server, and hydrates without a warning', async () => {
  const cookie = cookieOf('vue', { ...emptySnapshot, activeNetworkId: 'eip155:1', connections })
  const initialState: InitialState = initialStateFrom('vue', cookie.split(';')[0])
  const page = () => {
    const app = createSSRApp(
      defineComponent(() => {
        postern = usePostern().postern
        const { address } = useAccount()
        return () => h('main', [h('b', address.value), h(ConnectButton)])
      }),
    )
    return app.use(posternPlugin, { options, initialState })
  }
  const { window, document: page_ } = globalThis
  vi.stubGlobal('window', undefined)
  vi.stubGlobal('document', undefined)
  const html = await renderToString(page())
  vi.stubGlobal('window', window)
  vi.stubGlobal('document', page_)
  expect(html).toContain(address)
  expect(html).toContain('0x70…dc79C8')

  localStorage.setItem(key, storedOn('eip155:1', connections))
  const warnings: string[] = []
  const root = place(html)
  const app = page()
  app.config.warnHandler = (text) => void warnings.push(text)
  app.mount(root)
  expect(root.querySelector('b')?.textContent).toBe(address)
  expect(warnings).toEqual([])
  await expect.poll(() => document.cookie).toContain('postern.vue=')
  app.unmount()
})
