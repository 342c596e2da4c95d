import { manualClock } from '@postern/base/testing/manual-clock'
import { expect, it, vi } from 'vitest'
import { createHttpClient } from '../../services/http'
import { createSnapshotStore } from '../../snapshot/store'
import { createAnalyticsAccess } from './analytics-access'

function visit({ isAnalyticsOn = true } = {}) {
  const store = createSnapshotStore({ themeMode: 'light', locale: 'en', walletCount: null, isTopLevel: false })
  const fetch = vi.fn(async (url: string | URL | Request, _init?: RequestInit) =>
    Response.json(String(url).includes('/getAnalyticsConfig') ? { isAnalyticsEnabled: true } : {}),
  )
  const clock = manualClock(1_000)
  const page = { baseUrl: 'https://modal.example', identity: () => ({ projectId: 'p' }) }
  const access = createAnalyticsAccess({
    isAnalyticsOn,
    store,
    clock,
    http: createHttpClient({ ...page, fetch, clock, randomId: () => 'page' }),
    storage: { place: 'frame', get: () => null, set: () => {}, reload: () => {}, owns: () => false },
    modal: { alert: () => {} },
    randomId: () => 'e',
    origin: 'https://dapp.example',
  })
  const sentEvents = () =>
    fetch.mock.calls.flatMap(([requests, init]) => {
      if (new URL(String(requests)).pathname !== '/e') return []
      const { timestamp, props } = JSON.parse(String(init?.body))
      return [[props.event, timestamp]]
    })
  return { access, store, clock, fetch, sentEvents }
}

it('counts what happened before its code loaded, with the original times', async () => {
  const { store, clock, sentEvents } = visit()
  store.setState({ open: true })
  clock.advance(40)
  store.setState({ open: false })
  clock.advance(60)
  await expect.poll(() => sentEvents()).toHaveLength(2)
  expect(sentEvents()).toEqual([
    ['MODAL_OPEN', 1_000],
    ['MODAL_CLOSE', 1_040],
  ])
})

it('loads nothing if it is off or the page is gone', async () => {
  const off = visit({ isAnalyticsOn: false })
  const gone = visit()
  for (const { store } of [off, gone]) store.setState({ open: true })
  gone.access.end()
  const visitor = visit()
  visitor.store.setState({ open: true })
  await expect.poll(() => visitor.sentEvents()).toHaveLength(1)
  expect([off.fetch, gone.fetch].map(({ mock }) => mock.calls.length)).toEqual([0, 0])
})
