// @vitest-environment happy-dom
import { act } from 'react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { DrawnCode } from './code/code-card'
import { createDrawing, type Drawing } from './drawing'

vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)

let drawing: Drawing
beforeEach(async () => {
  vi.useFakeTimers()
  drawing = createDrawing(document, {
    onApprove: vi.fn(),
    onReject: vi.fn(),
    onRetry: vi.fn(),
    onContinue: vi.fn(),
    onHeight: vi.fn(),
    onLeft: vi.fn(),
  })
  await drawing.setLook({ mode: 'light', theme: {}, locale: 'en' })
})
afterEach(async () => {
  await act(async () => drawing.end())
  vi.useRealTimers()
  vi.restoreAllMocks()
})

/** As in Firefox, which focuses nothing in a frame that the modal still hides. */
async function drawnWhileHidden(purpose: DrawnCode['purpose']): Promise<void> {
  const code: DrawnCode = {
    id: 'c1',
    purpose,
    isBusy: false,
    failure: null,
    onSubmit: vi.fn(),
    onEdit: vi.fn(),
    onCancel: vi.fn(),
  }
  await act(async () => drawing.draw(code))
  const { activeElement: focused } = document
  if (focused instanceof HTMLElement) await act(async () => focused.blur())
  expect(document.activeElement).toBe(document.body)
}

const settled = () => act(async () => vi.runAllTimers())
const focusFrame = () => window.dispatchEvent(new Event('focus'))
const signIn = { kind: 'signIn', email: 'ada@example.org' } as const

describe('the focus of the frame', () => {
  it('goes to the field of a code', async () => {
    await drawnWhileHidden(signIn)
    focusFrame()
    await settled()
    expect(document.activeElement).toBe(document.querySelector('input'))
  })

  it('goes to the field with the first key, if the frame cannot move it earlier', async () => {
    await drawnWhileHidden(signIn)
    await act(async () => document.dispatchEvent(new KeyboardEvent('keydown', { key: '1' })))
    expect(document.activeElement).toBe(document.querySelector('input'))
  })

  it('goes to the frame where a field would open a keyboard on the screen', async () => {
    const { matchMedia } = window
    vi.spyOn(window, 'matchMedia').mockImplementation((query) => {
      const list = matchMedia.call(window, query)
      return query === '(pointer: coarse)' ? Object.defineProperty(list, 'matches', { value: true }) : list
    })
    await drawnWhileHidden(signIn)
    focusFrame()
    await settled()
    expect(document.activeElement).toBe(document.querySelector('main'))
  })

  it('goes to the frame if it has no field', async () => {
    await drawnWhileHidden({ kind: 'removeDevice', device: 'Firefox on Linux', usedAt: 0 })
    focusFrame()
    await settled()
    expect(document.activeElement).toBe(document.querySelector('main'))
  })

  it('does not move during the event, and stays where a press takes it', async () => {
    await drawnWhileHidden({ kind: 'removeDevice', device: 'Firefox on Linux', usedAt: 0 })
    focusFrame()
    expect(document.activeElement).toBe(document.body)
    const button = document.querySelector('button')
    button?.focus()
    await settled()
    expect(document.activeElement).toBe(button)
  })
})
