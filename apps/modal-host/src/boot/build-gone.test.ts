// @vitest-environment happy-dom
import { fileGone } from '@postern/ui/preload'
import { describe, expect, test, vi } from 'vitest'
import { viewFailure, watchBuild } from './build-gone'

/** A modal page; `type` as in its navigation's timing. */
function page({ isOpen = false, type = 'navigate' } = {}) {
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
    closed: watchBuild(view, () => isOpen),
  }
}

describe('a modal whose build is gone', () => {
  test('1. does not reload for a view that fails while the build is there', () => {
    const { reload, viewFailed } = page({ isOpen: true })
    viewFailed()
    expect(reload).not.toHaveBeenCalled()
  })

  test('2. reloads at once while it is closed', () => {
    const { reload, lose } = page()
    lose()
    expect(reload).toHaveBeenCalledOnce()
  })

  test.each(['viewFailed', 'closed'] as const)('2. while it is open, reloads when told: %s', (event) => {
    const { reload, lose, ...watch } = page({ isOpen: true })
    lose()
    expect(reload).not.toHaveBeenCalled()
    watch[event]()
    expect(reload).toHaveBeenCalledOnce()
  })

  test('3. reloads once', () => {
    const { reload, lose, viewFailed } = page()
    lose()
    lose()
    viewFailed()
    expect(reload).toHaveBeenCalledOnce()
    const reloaded = page({ type: 'reload' })
    reloaded.lose()
    reloaded.viewFailed()
    expect(reloaded.reload).not.toHaveBeenCalled()
  })
})
