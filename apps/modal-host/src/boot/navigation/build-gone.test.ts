// @vitest-environment happy-dom
import { setImmediate } from 'node:timers/promises'
import { fileGone } from '@postern/ui/preload'
import { describe, expect, test, vi } from 'vitest'
import { isCurrentBuild, viewFailure, watchBuild } from './build-gone'

/** A modal page; `type` as in its navigation's timing. */
function page({ isOpen = false, type = 'navigate', isCurrent = async () => false } = {}) {
  let open = isOpen
  const target = new EventTarget()
  const reload = vi.fn()
  const view = {
    addEventListener: target.addEventListener.bind(target),
    performance: Object.assign(Object.create(performance), { getEntriesByType: () => [{ type }] }),
    location: { reload },
  }
  return {
    reload,
    lose: () => target.dispatchEvent(new Event(fileGone)),
    viewFailed: () => target.dispatchEvent(new Event(viewFailure)),
    closed: watchBuild(view, () => open, isCurrent),
    setOpen(next: boolean) {
      open = next
    },
  }
}

describe('a modal whose build is gone', () => {
  test('1. does not reload for a view that fails while the build is there', () => {
    const { reload, viewFailed } = page({ isOpen: true })
    viewFailed()
    expect(reload).not.toHaveBeenCalled()
  })

  test('2. reloads at once while it is closed', async () => {
    const { reload, lose } = page()
    lose()
    await expect.poll(() => reload).toHaveBeenCalledOnce()
  })

  test.each(['viewFailed', 'closed'] as const)('2. while it is open, reloads when told: %s', async (event) => {
    const { reload, lose, setOpen, ...watch } = page({ isOpen: true })
    lose()
    expect(reload).not.toHaveBeenCalled()
    setOpen(event !== 'closed')
    watch[event]()
    await expect.poll(() => reload).toHaveBeenCalledOnce()
  })

  test.each([
    ['says no', async () => false],
    ['does not say', () => Promise.reject(new Error('offline'))],
  ])('2. takes nothing from a user who opens it while the gateway is asked, which %s', async (_, isCurrent) => {
    const { reload, lose, setOpen, closed } = page({ isCurrent })
    lose()
    setOpen(true)
    await setImmediate()
    expect(reload).not.toHaveBeenCalled()
    setOpen(false)
    closed()
    await expect.poll(() => reload).toHaveBeenCalledOnce()
  })

  test('3. keeps the view’s error while the gateway serves the same build, and reloads once it serves another', async () => {
    let isSame = true
    const { reload, lose, viewFailed } = page({ isOpen: true, isCurrent: async () => isSame })
    lose()
    viewFailed()
    await setImmediate()
    expect(reload).not.toHaveBeenCalled()
    isSame = false
    viewFailed()
    await expect.poll(() => reload).toHaveBeenCalledOnce()
  })

  test('3. reloads if the gateway does not say which build it serves', async () => {
    const { reload, lose } = page({ isCurrent: () => Promise.reject(new Error('offline')) })
    lose()
    await expect.poll(() => reload).toHaveBeenCalledOnce()
  })

  test('3. knows its build by the address of the entry', async () => {
    const entry = document.createElement('script')
    entry.type = 'module'
    entry.setAttribute('src', '/assets/main-a1.js')
    document.head.replaceChildren(entry)
    const served = (body: string, status = 200) => isCurrentBuild(document, async () => new Response(body, { status }))
    expect(await served('<script type="module" crossorigin src="/assets/main-a1.js"></script>')).toBe(true)
    expect(await served('<script type="module" crossorigin src="/assets/main-b2.js"></script>')).toBe(false)
    await expect(served('', 503)).rejects.toThrow()
  })

  test('4. reloads once', async () => {
    const { reload, lose, viewFailed } = page()
    lose()
    lose()
    viewFailed()
    await setImmediate()
    expect(reload).toHaveBeenCalledOnce()
    const reloaded = page({ type: 'reload' })
    reloaded.lose()
    reloaded.viewFailed()
    await setImmediate()
    expect(reloaded.reload).not.toHaveBeenCalled()
  })
})
