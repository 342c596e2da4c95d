// @vitest-environment jsdom
import { setImmediate } from 'node:timers/promises'
import { act, StrictMode } from 'react'
import { createRoot, hydrateRoot } from 'react-dom/client'
import { renderToString } from 'react-dom/server'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import {
  ConnectButton,
  PosternProvider,
  useAccount,
  usePostern,
  usePosternEvent,
  usePosternState,
  useSignIn,
} from '../react'
import { cookieOf, type InitialState, initialStateFrom } from '../server/initial-state'
import { emptySnapshot } from '../state/state'
import type { Account, Siwx } from '../types/index'

const address = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const account: Account<'eip155'> = { namespace: 'eip155', address, type: 'eoa' }
const options = { projectId: 'react', host: 'https://modal.example', networks: ['ethereum'] }
const connector = { id: 'w', name: 'Rabbit', type: 'ANNOUNCED' } as const
const stored = JSON.stringify({
  themeMode: 'light',
  networks: [],
  activeNetworkId: 'eip155:1',
  connections: { eip155: { status: 'connected', connector, accounts: [account], networkId: 'eip155:1' } },
})
let ends: (() => void)[]

beforeEach(() => {
  ends = []
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
})
afterEach(() => {
  for (const end of ends) end()
  document.body.replaceChildren()
  localStorage.clear()
  vi.unstubAllGlobals()
})

const Listener = ({ onNetwork }: { readonly onNetwork: (id: string) => void }) => {
  usePosternEvent('network', ({ networkId }) => onNetwork(networkId))
  ends.push(usePostern().postern.destroy)
  return null
}
const Address = () => <b>{useAccount().address ?? 'no account'}</b>
const Page = ({ initialState }: { readonly initialState: InitialState }) => (
  <PosternProvider options={options} initialState={initialState}>
    <Address />
    <ConnectButton label="Join" />
    <End />
  </PosternProvider>
)
const End = () => {
  ends.push(usePostern().postern.destroy)
  return null
}
let renders = 0
const ThemeMode = () => {
  renders++
  return <i>{usePosternState(({ themeMode }) => themeMode)}</i>
}

function place(html = ''): HTMLElement {
  const root = document.createElement('div')
  // The server's HTML as a browser parses it, for hydration; written by this file's own components.
  root.innerHTML = html
  document.body.append(root)
  return root
}

describe('on the page', () => {
  test('a button of your own shows the account of an earlier visit, and renders only for what it selects', async () => {
    localStorage.setItem('@postern/react/state', stored)
    const root = createRoot(place())
    await act(async () =>
      root.render(
        <PosternProvider options={options}>
          <ConnectButton.Custom>
            {({ address, status, connector }) => <b>{`${status} ${address} ${connector?.name}`}</b>}
          </ConnectButton.Custom>
          <ThemeMode />
          <End />
        </PosternProvider>,
      ),
    )
    expect(document.querySelector('b')?.textContent).toBe(`connecting ${address} Rabbit`)
    expect(document.querySelector('i')?.textContent).toBe('light')
    const before = renders
    await act(async () => ends[0]?.())
    // The theme did not change.
    expect(renders).toBe(before)
    await act(async () => root.unmount())
  })

  test('events reach the newest listener, also under StrictMode, once each', async () => {
    const heard: string[] = []
    const app = (name: string) => (
      <StrictMode>
        <PosternProvider options={options}>
          <Listener onNetwork={(id) => heard.push(`${name} ${id}`)} />
        </PosternProvider>
      </StrictMode>
    )
    const storedOn = (activeNetworkId: string) =>
      JSON.stringify({ themeMode: 'light', networks: [], activeNetworkId, connections: {} })
    localStorage.setItem('@postern/react/state', storedOn('eip155:1'))
    const root = createRoot(place())
    await act(async () => root.render(app('first')))
    await act(async () => root.render(app('second')))
    // Another tab switches.
    localStorage.setItem('@postern/react/state', storedOn('eip155:10'))
    await act(async () => void window.dispatchEvent(new StorageEvent('storage', { key: '@postern/react/state' })))
    expect(heard).toEqual(['second eip155:10'])
    await act(async () => root.unmount())
  })

  test('a hook without a provider says what is missing', () => {
    expect(() => renderToString(<Address />)).toThrow('PosternProvider')
  })
})

describe('on a server', () => {
  function serverHtml(initialState: InitialState): string {
    const { window } = globalThis
    vi.stubGlobal('window', undefined)
    try {
      return renderToString(<Page initialState={initialState} />)
    } finally {
      vi.stubGlobal('window', window)
    }
  }

  test('the account of the cookie is in the HTML, and hydrates without a warning', async () => {
    const cookie = cookieOf('react', {
      ...emptySnapshot,
      activeNetworkId: 'eip155:1',
      connections: { eip155: { status: 'connected', connector, accounts: [account], networkId: 'eip155:1' } },
    })
    const initialState = initialStateFrom('react', `a=b; ${cookie.split(';')[0]}`)
    const html = serverHtml(initialState)
    expect(html).toContain(address)
    expect(html).toContain('0x70…dc79C8')

    localStorage.setItem('@postern/react/state', stored)
    const complaints = vi.spyOn(console, 'error').mockImplementation(() => {})
    const root = place(html)
    const mounted = await act(async () => hydrateRoot(root, <Page initialState={initialState} />))
    expect(root.querySelector('b')?.textContent).toBe(address)
    expect(complaints.mock.calls).toEqual([])
    await expect.poll(() => document.cookie).toContain('postern.react=')
    await customElements.whenDefined('postern-button')
    await act(async () => mounted.unmount())
    complaints.mockRestore()
  })

  test('a new visitor is disconnected', () => {
    const html = serverHtml({})
    expect(html).toContain('no account')
    expect(html).toContain('Join')
  })
})

const SignInState = () => <i>{useSignIn().status}</i>

test('a slow answer from before the sign-in does not replace the newer one', async () => {
  localStorage.setItem('@postern/react/state', stored)
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
  const root = createRoot(place())
  const tree = (
    <PosternProvider options={{ ...options, siwx }}>
      <SignInState />
      <End />
    </PosternProvider>
  )
  await act(async () => root.render(tree))
  await expect.poll(() => answers).toHaveLength(1)
  await act(async () => changed())
  await expect.poll(() => answers).toHaveLength(2)
  await act(async () => {
    answers[1]?.(['a session'])
    await setImmediate()
  })
  expect(document.body.textContent).toBe('signedIn')
  await act(async () => {
    answers[0]?.([])
    await setImmediate()
  })
  expect(document.body.textContent).toBe('signedIn')
  await act(async () => root.unmount())
})
