// @vitest-environment happy-dom
import { act } from 'react'
import { createRoot } from 'react-dom/client'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { preloadTimeoutMs, WalletPicture } from './picture'

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })

beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  vi.useRealTimers()
  document.body.replaceChildren()
})

async function drawn() {
  const place = document.body.appendChild(document.createElement('div'))
  // As in a browser while it loads.
  vi.spyOn(HTMLImageElement.prototype, 'complete', 'get').mockReturnValue(false)
  await act(async () => createRoot(place).render(<WalletPicture src="https://modal.test/picture" />))
  return {
    image: () => place.querySelector('img'),
    glyph: () => place.querySelector('svg'),
    pass: (ms: number) => act(async () => void vi.advanceTimersByTime(ms)),
    fires: (event: string) => act(async () => void place.querySelector('img')?.dispatchEvent(new Event(event))),
  }
}

it('waits 2 s for a picture, then shows the glyph until it has loaded (spec §9)', async () => {
  const { image, glyph, pass, fires } = await drawn()
  await pass(preloadTimeoutMs - 1)
  expect([image()?.hidden, glyph()]).toEqual([false, null])
  await pass(1)
  expect(image()?.hidden).toBe(true)
  expect(glyph()).not.toBeNull()
  await fires('load')
  expect([image()?.hidden, glyph()]).toEqual([false, null])
})

it('keeps a picture that has loaded in time', async () => {
  const { image, glyph, pass, fires } = await drawn()
  await pass(1_000)
  await fires('load')
  await pass(10_000)
  expect([image()?.hidden, glyph()]).toEqual([false, null])
})

it('shows the glyph for a picture that fails', async () => {
  const { image, glyph, fires } = await drawn()
  await fires('error')
  expect(image()).toBeNull()
  expect(glyph()).not.toBeNull()
})
