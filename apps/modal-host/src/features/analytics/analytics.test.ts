import { manualClock } from '@postern/base/testing/manual-clock'
import type { AnalyticsConfig, AnalyticsEvent } from '@postern/protocol'
import { describe, expect, it, vi } from 'vitest'
import { createHttpClient } from '../../services/http'
import { createSnapshotStore } from '../../snapshot/store'
import { createAnalytics } from './analytics'

const address = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045'

type Answers = { readonly config?: AnalyticsConfig | number; readonly event?: number }

function visit(
  { config = { isAnalyticsEnabled: true }, event = 202 }: Answers = {},
  stored = new Map<string, string>(),
) {
  const store = createSnapshotStore({ themeMode: 'light', locale: 'en', walletCount: null, isTopLevel: false })
  const fetch = vi.fn(async (url: string | URL | Request, _init?: RequestInit) => {
    const answer = String(url).includes('/getAnalyticsConfig') ? config : event
    return typeof answer === 'number' ? Response.json({}, { status: answer }) : Response.json(answer)
  })
  const clock = manualClock()
  const alert = vi.fn()
  let ids = 0
  const analytics = createAnalytics({
    store,
    http: createHttpClient({ ...page, fetch, clock, randomId: () => 'page' }),
    storage: {
      place: 'frame',
      get: (name) => stored.get(name) ?? null,
      set: (name, value) => void (value === null ? stored.delete(name) : stored.set(name, value)),
      reload: () => undefined,
      owns: () => false,
    },
    modal: { alert },
    clock,
    randomId: () => `e${++ids}`,
    origin: 'https://dapp.example',
  })
  const requests = () => fetch.mock.calls.map(([url]) => new URL(String(url)).pathname)
  const sent = (): AnalyticsEvent[] =>
    fetch.mock.calls.flatMap(([url, init]) =>
      new URL(String(url)).pathname === '/e' ? [JSON.parse(String(init?.body))] : [],
    )
  const connect = () =>
    store.setState({
      connections: {
        eip155: {
          status: 'connected',
          connector: { id: 'l', name: 'Lantern', type: 'ANNOUNCED' },
          accounts: [{ namespace: 'eip155', address, type: 'eoa' }],
          networkId: 'eip155:1',
        },
      },
    })
  return { store, analytics, alert, requests, sent, stored, connect, open: (open = true) => store.setState({ open }) }
}

const page = { baseUrl: 'https://modal.example', identity: () => ({ projectId: 'p' }) }

/** Responses are ready, so only ticks need to pass. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 10; turn += 1) await new Promise((resolve) => setImmediate(resolve))
}

describe('createAnalytics', () => {
  it('1. asks the gateway only once there is something to count, and once (spec §7)', async () => {
    const { requests, open } = visit()
    await settled()
    expect(requests()).toEqual([])
    open()
    open(false)
    open()
    await settled()
    expect(requests()).toEqual(['/getAnalyticsConfig', '/e', '/e', '/e'])
  })

  it.each([{ isAnalyticsEnabled: false }, 500, 404])('1. sends nothing if the gateway responds %j', async (config) => {
    const { requests, open, alert } = visit({ config })
    open()
    await settled()
    open(false)
    await settled()
    expect(requests()).toEqual(['/getAnalyticsConfig'])
    expect(alert).not.toHaveBeenCalled()
  })

  it('2. asks the visitor first if the project requires it, and drops earlier events', async () => {
    const { store, analytics, requests, sent, open, stored } = visit({
      config: { isAnalyticsEnabled: true, isConsentNeeded: true },
    })
    open()
    await settled()
    open(false)
    await settled()
    expect(store.getState().consentAsked).toBe(true)
    expect(requests()).toEqual(['/getAnalyticsConfig'])
    analytics.consent(true)
    open()
    await settled()
    expect(store.getState().consentAsked).toBe(false)
    expect(sent().map(({ props }) => props.event)).toEqual(['MODAL_OPEN'])
    expect([...stored.values()]).toEqual(['yes'])
  })

  it('2. stores a refusal permanently', async () => {
    const config = { isAnalyticsEnabled: true, isConsentNeeded: true }
    const first = visit({ config })
    first.open()
    await settled()
    first.analytics.consent(false)
    first.open(false)
    await settled()
    const second = visit({ config }, first.stored)
    second.open()
    await settled()
    expect([...first.sent(), ...second.sent()]).toEqual([])
    expect(second.store.getState().consentAsked).toBe(false)
  })

  it('3. sends an address only if allowed', async () => {
    for (const isAddressAllowed of [true, false, undefined]) {
      const { sent, open, connect } = visit({
        config: { isAnalyticsEnabled: true, ...(isAddressAllowed !== undefined && { isAddressAllowed }) },
      })
      connect()
      open()
      await settled()
      expect(sent().map(({ props }) => props.address)).toEqual([isAddressAllowed === true ? address : undefined])
    }
  })

  it('3. attributes a sign-in to the account that signed in, not to the one on show', async () => {
    const other = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
    for (const isAddressAllowed of [true, false]) {
      const { sent, analytics, connect } = visit({ config: { isAnalyticsEnabled: true, isAddressAllowed } })
      connect()
      analytics.signIn({ kind: 'signed', networkId: 'eip155:10', address: other })
      await settled()
      const props = { type: 'track', event: 'SIWX_AUTH_SUCCESS', properties: { network: 'eip155:10' } }
      expect(sent().map((event) => event.props)).toEqual([{ ...props, ...(isAddressAllowed && { address: other }) }])
    }
  })

  it.each([{ event: 403 }, { config: 403 }])('4. reports forbidden (%j) once, and stops (spec §8)', async (answers) => {
    const { requests, open, alert } = visit(answers)
    open()
    await settled()
    const before = requests().length
    open(false)
    open()
    await settled()
    expect(requests()).toHaveLength(before)
    expect(alert).toHaveBeenCalledExactlyOnceWith('ANALYTICS_FORBIDDEN', { origin: 'https://dapp.example' })
  })

  it('4. ignores any other failure of an event', async () => {
    const { requests, open, alert } = visit({ event: 503 })
    open()
    await settled()
    open(false)
    await settled()
    expect(requests()).toEqual(['/getAnalyticsConfig', '/e', '/e'])
    expect(alert).not.toHaveBeenCalled()
  })

  it('5. sends the dapp’s origin', async () => {
    const { sent, open } = visit()
    open()
    await settled()
    expect(sent()[0]).toMatchObject({ url: 'https://dapp.example', domain: 'dapp.example' })
  })

  it('sends nothing after the page is gone', async () => {
    const { analytics, requests, open } = visit()
    analytics.end()
    open()
    await settled()
    expect(requests()).toEqual([])
  })
})
