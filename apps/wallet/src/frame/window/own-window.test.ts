import { Failure } from '@postern/protocol/failure'
import { describe, expect, it } from 'vitest'
import { createOwnWindow, type Popup } from './own-window'

function approvalWindow({ isBlocked = false } = {}) {
  const log: string[] = []
  const ends: { readonly done: () => void; readonly closed: () => void }[] = []
  const browser = { isBlocked }
  let opened = 0
  const popups: { closed: boolean; focused: number }[] = []
  const window = createOwnWindow({
    purpose: 'approve',
    windows: () => ({
      uri: (purpose) => `https://wallet.test/window?${purpose}&${++opened}`,
      finished: () =>
        new Promise<void>((resolve, reject) =>
          ends.push({ done: resolve, closed: () => reject(new Failure('WINDOW_CLOSED')) }),
        ),
      close: (purpose) => log.push(`close ${purpose}`),
    }),
    openPopup(url): Popup | null {
      log.push(url)
      if (browser.isBlocked) return null
      const popup = { closed: false, focused: 0 }
      popups.push(popup)
      return {
        get closed() {
          return popup.closed
        },
        focus: () => {
          popup.focused += 1
        },
      }
    },
    onChange: () => log.push(window.state()),
  })
  return { ...window, log, ends, popups, browser }
}

describe('the window for approvals', () => {
  it('1. opens once, and comes to the front on another press', () => {
    const { open, log, popups } = approvalWindow()
    open()
    open()
    expect(log).toEqual(['https://wallet.test/window?approve&1', 'open'])
    expect(popups).toEqual([{ closed: false, focused: 1 }])
  })

  it.each(['done', 'closed'] as const)('2. is closed when it ends (%s), and opens again', async (how) => {
    const { open, state, ends, popups } = approvalWindow()
    open()
    ends[0]?.[how]()
    await expect.poll(state).toBe('closed')
    open()
    expect(popups).toHaveLength(2)
    expect(state()).toBe('open')
  })

  it('2. opens again if the user closed it before it found the frame; the end of the first changes nothing', async () => {
    const { open, state, ends, popups } = approvalWindow()
    open()
    const [first] = popups
    if (first !== undefined) first.closed = true
    open()
    expect(popups).toHaveLength(2)
    ends[0]?.closed()
    await Promise.resolve()
    await Promise.resolve()
    expect(state()).toBe('open')
  })

  it('3. reports that it was blocked, leaves no ticket, and opens on the next press', () => {
    const { open, log, browser } = approvalWindow({ isBlocked: true })
    open()
    expect(log).toEqual(['https://wallet.test/window?approve&1', 'close approve', 'blocked'])
    browser.isBlocked = false
    open()
    expect(log.slice(3)).toEqual(['https://wallet.test/window?approve&2', 'open'])
  })
})
