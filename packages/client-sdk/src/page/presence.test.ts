// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createPostern } from '../index'
import type { PosternOptions } from '../types/index'
import { awaitPresence } from './presence'

/** Callbacks that wait for the browser to be idle. */
let idleCallbacks: Map<number, () => void>
let posterns: ReturnType<typeof createPostern>[]

beforeEach(() => {
  idleCallbacks = new Map()
  posterns = []
  let lastId = 0
  vi.stubGlobal('__POSTERN_VERSION__', '0.0.0')
  vi.stubGlobal('__POSTERN_HOST__', 'https://modal.example')
  vi.stubGlobal('requestIdleCallback', (callback: () => void) => {
    idleCallbacks.set(++lastId, callback)
    return lastId
  })
  vi.stubGlobal('cancelIdleCallback', (id: number) => idleCallbacks.delete(id))
})
afterEach(async () => {
  for (const postern of posterns) postern.destroy()
  await vi.dynamicImportSettled()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

function start(options: Partial<PosternOptions> = {}) {
  const postern = createPostern({ projectId: 'demo', networks: ['ethereum'], ...options })
  posterns.push(postern)
  return postern
}

/** Until the code of the modal has loaded. */
async function becomeIdle(): Promise<void> {
  for (const callback of idleCallbacks.values()) callback()
  idleCallbacks.clear()
  await vi.dynamicImportSettled()
}

const act = (event = 'pointermove') => document.body.dispatchEvent(new Event(event, { bubbles: true }))
const frames = () => document.querySelectorAll('postern-frame')

describe('by default', () => {
  test('without an event there is no frame', async () => {
    start()
    await becomeIdle()
    expect(frames()).toHaveLength(0)
  })

  test.each(['pointermove', 'pointerdown', 'keydown', 'scroll'])(
    '%s prepares one frame, once the page is idle',
    async (event) => {
      start()
      act(event)
      await vi.dynamicImportSettled()
      expect(frames()).toHaveLength(0)
      await becomeIdle()
      expect(frames()).toHaveLength(1)
      expect(frames()[0]?.shadowRoot?.querySelector('dialog')?.open).toBe(false)
    },
  )

  test('a scroll inside an element counts, although it does not bubble', async () => {
    start()
    document.body.dispatchEvent(new Event('scroll'))
    await becomeIdle()
    expect(frames()).toHaveLength(1)
  })

  test('further events prepare nothing more', async () => {
    const postern = start()
    act()
    act('keydown')
    expect(idleCallbacks.size).toBe(1)
    await becomeIdle()
    act('scroll')
    expect(idleCallbacks.size).toBe(0)
    await becomeIdle()
    expect(frames()).toHaveLength(1)
    expect(postern.getSnapshot().phase).toBe('loading')
  })

  test('events before the page has loaded do not count', async () => {
    const readyState = vi.spyOn(document, 'readyState', 'get').mockReturnValue('interactive')
    start()
    act()
    await becomeIdle()
    expect(frames()).toHaveLength(0)
    readyState.mockReturnValue('complete')
    act()
    await becomeIdle()
    expect(frames()).toHaveLength(1)
  })

  test('a browser that saves data prepares no frame, but a button’s intent does', async () => {
    vi.stubGlobal('navigator', Object.create(navigator, { connection: { value: { saveData: true } } }))
    const postern = start()
    act()
    await becomeIdle()
    expect(frames()).toHaveLength(0)
    postern.prewarm()
    await vi.dynamicImportSettled()
    expect(frames()).toHaveLength(1)
  })

  test('of several instances only the first has a frame', async () => {
    start()
    const second = start({ projectId: 'other' })
    act()
    await becomeIdle()
    expect(frames()).toHaveLength(1)
    expect(second.getSnapshot().phase).toBe('idle')
  })

  test('destroy before the page is idle leaves nothing that waits, and no frame', async () => {
    const postern = start()
    act()
    postern.destroy()
    expect(idleCallbacks.size).toBe(0)
    await becomeIdle()
    expect(frames()).toHaveLength(0)
  })

  test('destroy before an event leaves no listener', async () => {
    start().destroy()
    act()
    expect(idleCallbacks.size).toBe(0)
  })
})

test('`intent` prepares the frame with `prewarm()`, not with the user’s presence', async () => {
  const postern = start({ prewarm: 'intent' })
  act()
  await becomeIdle()
  expect(frames()).toHaveLength(0)
  postern.prewarm()
  await vi.dynamicImportSettled()
  expect(frames()).toHaveLength(1)
})

test('`off` prepares nothing before a call', async () => {
  const postern = start({ prewarm: 'off' })
  act()
  postern.prewarm()
  await becomeIdle()
  expect(frames()).toHaveLength(0)
  const switched = postern.switchNetwork('base').catch(({ code }) => code)
  await expect.poll(() => frames()).toHaveLength(1)
  postern.destroy()
  expect(await switched).toBe('DESTROYED')
})

test('without idle callbacks a timer follows the event', () => {
  vi.useFakeTimers()
  vi.stubGlobal('requestIdleCallback', undefined)
  vi.stubGlobal('cancelIdleCallback', undefined)
  const onPresent = vi.fn()
  const cancel = awaitPresence(window, onPresent)
  act()
  expect(onPresent).not.toHaveBeenCalled()
  vi.runAllTimers()
  expect(onPresent).toHaveBeenCalledOnce()
  cancel()
  awaitPresence(window, onPresent)()
  act()
  expect(vi.getTimerCount()).toBe(0)
  vi.useRealTimers()
})
