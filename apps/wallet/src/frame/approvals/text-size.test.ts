import { describe, expect, it, vi } from 'vitest'
import { createTextSize } from './text-size'

function browser(devicePixelRatio: number) {
  const query = new EventTarget()
  const asked: string[] = []
  const matchMedia = (text: string) => {
    asked.push(text)
    return Object.assign(query, { matches: false, media: text, onchange: null, addListener() {}, removeListener() {} })
  }
  return { window: { devicePixelRatio, matchMedia }, query, asked }
}

describe('the size of the frame’s text', () => {
  it.each([
    [2, false],
    [1, false],
    [0.75, false],
    [0.74, true],
    [0.2, true],
  ])('at a ratio of %s is too small: %s', (ratio, expected) => {
    expect(createTextSize(browser(ratio).window).isTooSmall()).toBe(expected)
  })

  it('is followed until the unsubscribe', () => {
    const { window, query, asked } = browser(1)
    const listener = vi.fn()
    const stop = createTextSize(window).subscribe(listener)
    expect(asked).toEqual(['(max-resolution: 0.75dppx)'])
    query.dispatchEvent(new Event('change'))
    stop()
    query.dispatchEvent(new Event('change'))
    expect(listener).toHaveBeenCalledTimes(1)
  })
})
