// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createFrame, type Frame } from './frame'

let frame: Frame

beforeEach(() => {
  vi.spyOn(HTMLIFrameElement.prototype, 'src', 'set').mockImplementation(() => {})
  frame = createFrame({ document, src: 'https://modal.example/', onDismiss() {}, onLoad() {}, onRemoved() {} })
})
afterEach(() => {
  frame.destroy()
  vi.restoreAllMocks()
})

const sheets = () => document.adoptedStyleSheets.flatMap(({ cssRules }) => [...cssRules].map(({ cssText }) => cssText))

describe('2. while open', () => {
  test.each([
    ['a page with a scroll bar keeps its space', 985, true],
    ['a page without one gets no space for it', 1_000, false],
  ])('%s', (_, clientWidth, keeps) => {
    vi.spyOn(window, 'innerWidth', 'get').mockReturnValue(1_000)
    vi.spyOn(document.documentElement, 'clientWidth', 'get').mockReturnValue(clientWidth)
    frame.show(false)
    expect(sheets().join()).toContain('overflow')
    expect(sheets().join().includes('scrollbar-gutter: stable')).toBe(keeps)
    frame.hide()
    expect(sheets()).toEqual([])
  })
})
