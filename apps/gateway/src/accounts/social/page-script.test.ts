import { readFile } from 'node:fs/promises'
import { createContext, runInContext } from 'node:vm'
import { beforeAll, expect, test } from 'vitest'

let script: string
beforeAll(async () => {
  script = await readFile(new URL('../../../static/social.js', import.meta.url), 'utf8')
})

const own = 'https://wallet.example.com'
const [flow, ticket] = ['f'.repeat(43), 't'.repeat(43)]

type Message = { readonly data: unknown; readonly origin: string }

/** Runs the page with fakes. `frames` is the opener's frame count; null: no opener. */
function openPage(options: { frames?: number | null; dataset?: object; answer?: () => Promise<unknown> } = {}) {
  const { frames = 1, dataset = { flow, ticket }, answer = async () => ({ code: '012345' }) } = options
  const posted: unknown[][] = []
  const listeners = new Set<(message: Message) => void>()
  const timers = new Map<number, () => void>()
  const parts = new Map(
    ['opening', 'arrived', 'ask', 'digits', 'failed', 'code'].map((id) => [
      id,
      { hidden: id !== 'arrived', textContent: '' },
    ]),
  )
  const pressed = new Set<() => void>()
  const button = { disabled: true, addEventListener: (_: string, press: () => void) => pressed.add(press) }
  const requests: unknown[] = []
  let closed = 0
  const opened = Array.from({ length: frames ?? 0 }, (_, index) => ({
    postMessage: (...message: unknown[]) => posted.push([index, ...message]),
  }))
  const window = {
    opener: frames === null ? null : { frames: Object.assign(opened, {}) },
    addEventListener: (_: string, listener: (message: Message) => void) => listeners.add(listener),
    removeEventListener: (_: string, listener: (message: Message) => void) => listeners.delete(listener),
    close: () => {
      closed++
    },
  }
  runInContext(
    script,
    createContext({
      window,
      location: { origin: own },
      document: {
        documentElement: { dataset },
        getElementById: (id: string) => (id === 'show' ? button : parts.get(id)),
      },
      setTimeout: (work: () => void, ms: number) => {
        timers.set(ms, work)
        return ms
      },
      clearTimeout: (ms: number) => timers.delete(ms),
      fetch: async (url: string, init: { body: string }) => {
        requests.push([url, JSON.parse(init.body)])
        return { json: answer }
      },
    }),
  )
  return {
    posted,
    parts,
    timers,
    requests,
    listeners,
    closed: () => closed,
    button,
    /** As a browser: a button that is off is not pressed. */
    press: () => {
      if (!button.disabled) for (const work of pressed) work()
    },
    say: (message: Partial<Message>) => {
      for (const listener of [...listeners]) listener({ origin: own, data: null, ...message })
    },
  }
}
const takenMessage = { type: 'postern:social-taken', v: 1, flow }

test('1. sends the ticket to every frame of its opener, only for its own origin', () => {
  expect(openPage({ frames: 2 }).posted).toEqual([
    [0, { type: 'postern:social-ticket', v: 1, flow, ticket }, own],
    [1, { type: 'postern:social-ticket', v: 1, flow, ticket }, own],
  ])
})

test('2. closes when a frame of its own origin confirms this ticket', () => {
  const page = openPage()
  page.say({ data: takenMessage, origin: 'https://evil.test' })
  page.say({ data: { ...takenMessage, flow: 'g'.repeat(43) } })
  page.say({ data: null })
  page.say({ data: { type: 'postern:social-ticket', flow } })
  expect(page.closed()).toBe(0)
  page.say({ data: takenMessage })
  expect(page.closed()).toBe(1)
  expect(page.timers.size).toBe(0)
  expect(page.listeners.size).toBe(0)
})

test.each([null, 0, 1])('3. shows six digits after a press, if no frame confirms: %s frames', async (frames) => {
  const page = openPage({ frames })
  page.timers.get(1_500)?.()
  expect(page.parts.get('ask')?.hidden).toBe(false)
  // Too soon: it may have been meant for something else.
  page.press()
  page.timers.get(1_000)?.()
  expect(page.requests).toEqual([])
  page.press()
  await expect.poll(() => page.parts.get('digits')?.hidden).toBe(false)
  expect(page.requests).toEqual([['/auth/social/code', { flow, ticket }]])
  expect(page.parts.get('code')?.textContent).toBe('012345')
  expect(page.parts.get('arrived')?.hidden).toBe(true)
  page.say({ data: takenMessage })
  expect(page.closed()).toBe(0)
})

test.each([
  ['the gateway does not answer', () => Promise.reject(new Error('gone'))],
  ['it gives no code', async () => ({ status: 'error' })],
  ['it gives something else', async () => ({ code: '<b>1</b>' })],
])('3. reports a failure if %s', async (_, answer) => {
  const page = openPage({ answer })
  page.timers.get(1_500)?.()
  page.timers.get(1_000)?.()
  page.press()
  await expect.poll(() => page.parts.get('failed')?.hidden).toBe(false)
  expect(page.parts.get('code')?.textContent).toBe('')
})

test('3. closes while it asks, if a frame confirms late', () => {
  const page = openPage()
  page.timers.get(1_500)?.()
  page.say({ data: takenMessage })
  expect(page.closed()).toBe(1)
  expect(page.requests).toEqual([])
})

test('4. closes after the user declined, if it is a popup', () => {
  expect(openPage({ dataset: { close: 'yes' } }).closed()).toBe(1)
  expect(openPage({ dataset: { close: 'yes' }, frames: null }).closed()).toBe(0)
  const opening = openPage({ dataset: {} })
  expect(opening.closed()).toBe(0)
  expect(opening.posted).toEqual([])
})

test('5. closes at the start without an opener, and says that sign-in continues elsewhere', () => {
  const dataset = { opening: 'yes' }
  const cutOff = openPage({ frames: null, dataset })
  expect([cutOff.closed(), cutOff.parts.get('opening')?.textContent]).toEqual([
    1,
    'This continues in another window. Close this one.',
  ])
  expect(openPage({ dataset }).closed()).toBe(0)
})
