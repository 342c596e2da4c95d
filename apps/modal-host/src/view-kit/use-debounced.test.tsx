// @vitest-environment happy-dom
import { act } from 'react'
import { createRoot } from 'react-dom/client'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { useDebounced } from './use-debounced'

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

function Rested({ value }: { readonly value: string }) {
  return <p>{useDebounced(value)}</p>
}

describe('useDebounced', () => {
  it('returns the text once it has not changed for 500 ms (spec §9)', async () => {
    const place = document.createElement('div')
    const root = createRoot(place)
    const type = (value: string) => act(async () => root.render(<Rested value={value} />))
    const wait = (milliseconds: number) => act(async () => vi.advanceTimersByTime(milliseconds))
    await type('a')
    await type('ad')
    await wait(499)
    await type('ada')
    await wait(499)
    expect(place.textContent).toBe('a')
    await wait(1)
    expect(place.textContent).toBe('ada')
    await act(async () => root.unmount())
    expect(vi.getTimerCount()).toBe(0)
  })
})
