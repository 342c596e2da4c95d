// @vitest-environment happy-dom
import { afterEach, describe, expect, it, vi } from 'vitest'
import { focusView, loopTarget, tabStops } from './focus'

afterEach(() => {
  vi.restoreAllMocks()
  document.body.replaceChildren()
})

function card(...parts: readonly HTMLElement[]): HTMLElement {
  const section = element('section', {}, element('h1', { tabindex: '-1' }), ...parts)
  document.body.replaceChildren(section)
  return section
}

function element(tag: string, attributes: Readonly<Record<string, string>>, ...parts: readonly HTMLElement[]) {
  const made = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value)
  made.append(...parts)
  return made
}

const button = (id: string, more: Readonly<Record<string, string>> = {}) => element('button', { id, ...more })

const ids = (elements: readonly HTMLElement[]) => elements.map(({ id }) => id)
const at = (id: string) => document.getElementById(id)

describe('tabStops', () => {
  it('lists what Tab reaches, without disabled, tabindex=-1 or inert elements', () => {
    const root = card(
      button('a'),
      button('b', { disabled: '' }),
      element('a', { id: 'c', href: '#' }),
      element('div', { inert: '' }, button('d')),
      element('input', { id: 'e' }),
    )
    expect(ids(tabStops(root))).toEqual(['a', 'c', 'e'])
  })
})

describe('loopTarget', () => {
  it('wraps from the last stop to the first and back', () => {
    const root = card(button('a'), button('b'))
    expect(loopTarget(root, at('b'), false)?.id).toBe('a')
    expect(loopTarget(root, at('a'), true)?.id).toBe('b')
  })

  it('leaves the middle stops to the browser', () => {
    const root = card(button('a'), button('b'))
    expect(loopTarget(root, at('a'), false)).toBeNull()
    expect(loopTarget(root, at('b'), true)).toBeNull()
  })

  it('goes back from the heading, which precedes every stop, to the last one', () => {
    const root = card(button('a'), button('b'))
    expect(loopTarget(root, root.querySelector('h1'), true)?.id).toBe('b')
    expect(loopTarget(root, root.querySelector('h1'), false)).toBeNull()
  })

  it('brings focus in from outside', () => {
    const root = card(button('a'), button('b'))
    expect(loopTarget(root, document.body, false)?.id).toBe('a')
    expect(loopTarget(root, null, true)?.id).toBe('b')
  })
})

describe('focusView', () => {
  it('focuses the heading, or the view’s main field if there is a keyboard', () => {
    const plain = card(button('a'))
    const isCoarse = vi.spyOn(Object.getPrototypeOf(matchMedia('print')), 'matches', 'get').mockReturnValue(false)
    focusView(plain)
    expect(document.activeElement).toBe(plain.querySelector('h1'))
    const search = card(element('input', { id: 's', 'data-first': '' }))
    focusView(search)
    expect(document.activeElement?.id).toBe('s')
    isCoarse.mockReturnValue(true)
    focusView(search)
    expect(document.activeElement).toBe(search.querySelector('h1'))
  })
})
