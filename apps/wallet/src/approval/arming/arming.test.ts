// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it, type MockInstance, vi } from 'vitest'
import { armingDelayMs, followPointer, type Pointer, watchArming } from './arming'

type Entry = { target?: Element; isIntersecting: boolean; intersectionRatio: number; isVisible?: boolean }

let hasFocus: MockInstance<() => boolean>
let look: (entry: Entry) => void
const observed = vi.fn()
const disconnected = vi.fn()
const options = vi.fn()

class FakeObserver {
  constructor(callback: (entries: readonly Entry[]) => void, given: unknown) {
    options(given)
    look = (entry) => callback(targets.map((target) => ({ target, ...entry })))
  }
  observe = observed
  disconnect = disconnected
}

const seen: Entry = { isIntersecting: true, intersectionRatio: 1, isVisible: true }
let stop = () => {}
/** The card and the button. */
let targets: [Element, Element]
let pointer: Pointer

function watch(inFrame = true) {
  const onArmed = vi.fn<(armed: boolean) => void>()
  const card = document.body.appendChild(document.createElement('section'))
  targets = [card, card.appendChild(document.createElement('div'))]
  stop = watchArming(targets, onArmed, inFrame ? pointer : undefined)
  return onArmed
}

const pass = (time: number) => vi.advanceTimersByTime(time)

beforeEach(() => {
  pointer = followPointer(window)
  hasFocus = vi.spyOn(document, 'hasFocus').mockReturnValue(true)
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] })
  vi.stubGlobal('IntersectionObserver', FakeObserver)
})
afterEach(() => {
  stop()
  pointer.stop()
  document.body.replaceChildren()
  vi.unstubAllGlobals()
  vi.useRealTimers()
  vi.restoreAllMocks()
})

describe('watchArming', () => {
  it('tells when all targets come into view and leave it, before it arms', () => {
    const onVisible = vi.fn<(visible: boolean) => void>()
    const card = document.body.appendChild(document.createElement('section'))
    targets = [card, card.appendChild(document.createElement('div'))]
    const onArmed = vi.fn<(armed: boolean) => void>()
    stop = watchArming(targets, onArmed, pointer, onVisible)
    pass(armingDelayMs)
    expect(onVisible).not.toHaveBeenCalled()
    look(seen)
    expect(onVisible).toHaveBeenLastCalledWith(true)
    expect(onArmed).not.toHaveBeenCalled()
    // Without the focus it is still visible.
    hasFocus.mockReturnValue(false)
    window.dispatchEvent(new Event('blur'))
    expect(onVisible).toHaveBeenCalledOnce()
    look({ ...seen, isVisible: false })
    expect(onVisible).toHaveBeenLastCalledWith(false)
    expect(onVisible).toHaveBeenCalledTimes(2)
  })

  it('1: arms after 800 ms of continuous visibility', () => {
    const onArmed = watch()
    pass(5_000)
    expect(onArmed).not.toHaveBeenCalled()
    look(seen)
    pass(armingDelayMs - 1)
    look({ ...seen, isIntersecting: false, intersectionRatio: 0 })
    look(seen)
    pass(armingDelayMs - 1)
    expect(onArmed).not.toHaveBeenCalled()
    pass(1)
    expect(onArmed.mock.calls).toEqual([[true]])
  })

  it('1: does not arm while partly visible', () => {
    const onArmed = watch()
    look({ ...seen, intersectionRatio: 0.5 })
    pass(5_000)
    expect(onArmed).not.toHaveBeenCalled()
  })

  it('5: looks again while something is covered, as the news that a cover is gone may never come', () => {
    watch()
    look({ ...seen, isVisible: false })
    observed.mockClear()
    pass(499)
    expect(observed).not.toHaveBeenCalled()
    pass(1)
    expect(observed.mock.calls).toEqual([[targets[0]], [targets[1]]])
    look(seen)
    observed.mockClear()
    pass(5_000)
    expect(observed).not.toHaveBeenCalled()
  })

  it('2: does not arm a covered button, if the browser can tell', () => {
    const onArmed = watch()
    expect(options).toHaveBeenCalledWith(expect.objectContaining({ trackVisibility: true, delay: 100 }))
    look({ ...seen, isVisible: false })
    pass(5_000)
    expect(onArmed).not.toHaveBeenCalled()
  })

  it('2: without that, a button in view counts as visible; without an observer, only time counts', () => {
    const onArmed = watch()
    look({ isIntersecting: true, intersectionRatio: 1 })
    pass(armingDelayMs)
    expect(onArmed).toHaveBeenLastCalledWith(true)
    stop()
    vi.unstubAllGlobals()
    vi.stubGlobal('IntersectionObserver', undefined)
    Reflect.deleteProperty(window, 'IntersectionObserver')
    const alone = watch()
    pass(armingDelayMs)
    expect(alone.mock.calls).toEqual([[true]])
  })

  it('3: disarms at once when covered or when the window loses focus, and restarts the delay', () => {
    const onArmed = watch()
    look(seen)
    pass(armingDelayMs)
    look({ ...seen, isVisible: false })
    expect(onArmed).toHaveBeenLastCalledWith(false)
    look(seen)
    pass(armingDelayMs)
    expect(onArmed).toHaveBeenLastCalledWith(true)
    hasFocus.mockReturnValue(false)
    window.dispatchEvent(new Event('blur'))
    expect(onArmed).toHaveBeenLastCalledWith(false)
    pass(5_000)
    expect(onArmed).toHaveBeenLastCalledWith(false)
    hasFocus.mockReturnValue(true)
    window.dispatchEvent(new Event('focus'))
    pass(armingDelayMs - 1)
    expect(onArmed).toHaveBeenLastCalledWith(false)
    pass(1)
    expect(onArmed).toHaveBeenLastCalledWith(true)
  })

  it('1: does not arm while another part of the card is covered', () => {
    const onArmed = watch()
    look(seen)
    pass(armingDelayMs)
    expect(onArmed).toHaveBeenLastCalledWith(true)
    look({ ...seen, target: targets[0], isVisible: false })
    expect(onArmed).toHaveBeenLastCalledWith(false)
    pass(5_000)
    expect(onArmed).toHaveBeenLastCalledWith(false)
  })

  it('3: a page that never had the focus does not arm, as behind a popup of a double click', () => {
    hasFocus.mockReturnValue(false)
    const onArmed = watch()
    look(seen)
    pass(5_000)
    expect(onArmed).not.toHaveBeenCalled()
    hasFocus.mockReturnValue(true)
    window.dispatchEvent(new Event('focus'))
    pass(armingDelayMs - 1)
    expect(onArmed).not.toHaveBeenCalled()
    pass(1)
    expect(onArmed).toHaveBeenLastCalledWith(true)
  })

  it.each(['focus', 'resize'])('3: starts the delay again at %s, also when armed', (event) => {
    const onArmed = watch()
    look(seen)
    pass(armingDelayMs)
    window.dispatchEvent(new Event(event))
    expect(onArmed).toHaveBeenLastCalledWith(false)
    pass(armingDelayMs)
    expect(onArmed).toHaveBeenLastCalledWith(true)
  })

  it('3: does not arm in a hidden page', () => {
    const hidden = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden')
    const onArmed = watch()
    look(seen)
    pass(5_000)
    expect(onArmed).not.toHaveBeenCalled()
    hidden.mockReturnValue('visible')
    document.dispatchEvent(new Event('visibilitychange'))
    pass(armingDelayMs)
    expect(onArmed).toHaveBeenLastCalledWith(true)
  })

  describe('4: movement of the window under the pointer', () => {
    type Place = {
      readonly pointerId?: number
      readonly pointerType?: 'mouse' | 'touch'
      readonly target?: Element
      readonly inWindow: number
      readonly onScreen: number
    }
    const point = (type: string, { pointerId = 1, pointerType, target, inWindow, onScreen }: Place) => {
      const coordinates = { clientX: 0, clientY: inWindow, screenX: 0, screenY: onScreen }
      const event = Object.assign(new Event(type, { bubbles: true }), { pointerId, pointerType, ...coordinates })
      const on = target ?? window
      on.dispatchEvent(event)
    }
    const armed = () => {
      const onArmed = watch()
      look(seen)
      point('pointermove', { inWindow: 100, onScreen: 500 })
      pass(armingDelayMs)
      expect(onArmed).toHaveBeenLastCalledWith(true)
      return onArmed
    }

    it.each(['pointermove', 'pointerover', 'pointerdown'])('disarms at %s, and restarts the delay', (event) => {
      const onArmed = armed()
      point(event, { inWindow: 160, onScreen: 500 })
      expect(onArmed).toHaveBeenLastCalledWith(false)
      pass(armingDelayMs - 1)
      expect(onArmed).toHaveBeenLastCalledWith(false)
      pass(1)
      expect(onArmed).toHaveBeenLastCalledWith(true)
    })

    it('restarts a delay that runs', () => {
      const onArmed = watch()
      look(seen)
      point('pointermove', { inWindow: 100, onScreen: 500 })
      pass(armingDelayMs - 1)
      point('pointermove', { inWindow: 160, onScreen: 500 })
      pass(armingDelayMs - 1)
      expect(onArmed).not.toHaveBeenCalled()
    })

    it.each<[string, Place]>([
      ['the pointer moves with its place on the screen', { inWindow: 160, onScreen: 560 }],
      ['the page is zoomed out to a quarter', { inWindow: 340, onScreen: 560 }],
      ['a pixel is rounded', { inWindow: 102, onScreen: 500 }],
      ['another finger is elsewhere', { pointerId: 2, pointerType: 'touch', inWindow: 160, onScreen: 560 }],
    ])('stays armed if %s', (_, place) => {
      const onArmed = armed()
      point('pointermove', place)
      expect(onArmed).toHaveBeenLastCalledWith(true)
    })

    it('disarms when a mouse is first seen on the button, and arms again', () => {
      const onArmed = watch()
      look(seen)
      pass(armingDelayMs)
      point('pointerover', { inWindow: 160, onScreen: 500, pointerType: 'mouse', target: targets[1] })
      expect(onArmed).toHaveBeenLastCalledWith(false)
      point('pointermove', { inWindow: 160, onScreen: 500, pointerType: 'mouse', target: targets[1] })
      pass(armingDelayMs)
      expect(onArmed).toHaveBeenLastCalledWith(true)
    })

    it.each<[string, Partial<Place>]>([
      ['a mouse is first seen beside the button', { pointerType: 'mouse' }],
      ['a finger touches the button', { pointerType: 'touch' }],
    ])('stays armed if %s', (_, place) => {
      const onArmed = watch()
      look(seen)
      pass(armingDelayMs)
      const target = place.pointerType === 'mouse' ? targets[0] : targets[1]
      point('pointerdown', { inWindow: 160, onScreen: 500, target, ...place })
      expect(onArmed).toHaveBeenLastCalledWith(true)
    })

    it('stays armed in a window of its own when a mouse is first seen on the button', () => {
      const onArmed = watch(false)
      look(seen)
      pass(armingDelayMs)
      point('pointerover', { inWindow: 160, onScreen: 500, pointerType: 'mouse', target: targets[1] })
      expect(onArmed).toHaveBeenLastCalledWith(true)
      point('pointermove', { inWindow: 100, onScreen: 500, pointerType: 'mouse', target: targets[1] })
      expect(onArmed).toHaveBeenLastCalledWith(false)
    })

    it('starts again if the card moved between two touches, each of which is another pointer', () => {
      const onArmed = watch()
      look(seen)
      pass(armingDelayMs)
      point('pointerdown', { pointerId: 7, pointerType: 'touch', inWindow: 100, onScreen: 247 })
      expect(onArmed).toHaveBeenLastCalledWith(true)
      // The finger goes to where Approve now is: the card followed by 200 px.
      point('pointerdown', { pointerId: 8, pointerType: 'touch', inWindow: 250, onScreen: 597, target: targets[1] })
      expect(onArmed).toHaveBeenLastCalledWith(false)
      pass(armingDelayMs - 1)
      expect(onArmed).toHaveBeenLastCalledWith(false)
      pass(1)
      point('pointerdown', { pointerId: 9, pointerType: 'touch', inWindow: 252, onScreen: 599, target: targets[1] })
      expect(onArmed).toHaveBeenLastCalledWith(true)
    })

    it.each<[string, Place, Place]>([
      ['two touches are apart', { inWindow: 100, onScreen: 250 }, { inWindow: 300, onScreen: 450 }],
      [
        'a finger touches again in a page zoomed to the double',
        { inWindow: 100, onScreen: 250 },
        { inWindow: 110, onScreen: 270 },
      ],
    ])('stays armed if %s', (_, first, second) => {
      const onArmed = watch()
      look(seen)
      pass(armingDelayMs)
      point('pointerdown', { pointerId: 7, pointerType: 'touch', ...first })
      point('pointerdown', { pointerId: 8, pointerType: 'touch', ...second })
      expect(onArmed).toHaveBeenLastCalledWith(true)
    })

    it('compares no touch with one on another card, which may have been elsewhere', () => {
      const first = watch()
      look(seen)
      pass(armingDelayMs)
      point('pointerdown', { pointerId: 7, pointerType: 'touch', inWindow: 100, onScreen: 250 })
      expect(first).toHaveBeenLastCalledWith(true)
      stop()
      const onArmed = watch()
      look(seen)
      pass(armingDelayMs)
      point('pointerdown', { pointerId: 8, pointerType: 'touch', inWindow: 100, onScreen: 600 })
      expect(onArmed).toHaveBeenLastCalledWith(true)
    })

    it('knows a mouse that was seen before the request', () => {
      point('pointermove', { inWindow: 160, onScreen: 500, pointerType: 'mouse' })
      const onArmed = watch()
      look(seen)
      pass(armingDelayMs)
      point('pointerdown', { inWindow: 160, onScreen: 500, pointerType: 'mouse', target: targets[1] })
      expect(onArmed).toHaveBeenLastCalledWith(true)
    })

    it('remembers the mouse from one request to the next', () => {
      armed()
      stop()
      document.body.replaceChildren()
      const onArmed = armed()
      point('pointerdown', { inWindow: 100, onScreen: 500, pointerType: 'mouse', target: targets[1] })
      expect(onArmed).toHaveBeenLastCalledWith(true)
      point('pointerdown', { inWindow: 160, onScreen: 500, pointerType: 'mouse', target: targets[1] })
      expect(onArmed).toHaveBeenLastCalledWith(false)
    })

    it('listens to nothing once stopped', () => {
      const onArmed = armed()
      stop()
      onArmed.mockClear()
      point('pointerdown', { inWindow: 160, onScreen: 500 })
      expect(onArmed).not.toHaveBeenCalled()
    })
  })

  it('leaves nothing behind', () => {
    const onArmed = watch()
    look(seen)
    stop()
    expect(disconnected).toHaveBeenCalled()
    window.dispatchEvent(new Event('focus'))
    pass(5_000)
    expect(onArmed).not.toHaveBeenCalled()
  })
})
