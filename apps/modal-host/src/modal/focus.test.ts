// @vitest-environment happy-dom
import { afterEach, describe, expect, it } from 'vitest'
import { focusView, loopTarget, tabStops } from './focus'

afterEach(() => document.body.replaceChildren())

function card(html: string): HTMLElement {
  // The markup is this test's own, in a document of its own: nothing from outside is in it.
  document.body.innerHTML = `<section><h1 tabindex="-1">Title</h1>${html}</section>`
  const section = document.querySelector('section')
  if (section === null) throw new Error('no card')
  return section
}

const ids = (elements: readonly HTMLElement[]) => elements.map(({ id }) => id)
const at = (id: string) => document.getElementById(id)

describe('tabStops', () => {
  it('counts what Tab reaches and leaves out what is disabled, removed from the order or inert', () => {
    const root = card(
      '<button id="a"></button><button id="b" disabled></button><a id="c" href="#"></a><div inert><button id="d"></button></div><input id="e">',
    )
    expect(ids(tabStops(root))).toEqual(['a', 'c', 'e'])
  })
})

describe('loopTarget', () => {
  it('leads from the last stop to the first and back', () => {
    const root = card('<button id="a"></button><button id="b"></button>')
    expect(loopTarget(root, at('b'), false)?.id).toBe('a')
    expect(loopTarget(root, at('a'), true)?.id).toBe('b')
  })

  it('leaves the middle to the browser', () => {
    const root = card('<button id="a"></button><button id="b"></button>')
    expect(loopTarget(root, at('a'), false)).toBeNull()
    expect(loopTarget(root, at('b'), true)).toBeNull()
  })

  it('leads back from the heading, which comes before every stop, to the last one', () => {
    const root = card('<button id="a"></button><button id="b"></button>')
    expect(loopTarget(root, root.querySelector('h1'), true)?.id).toBe('b')
    expect(loopTarget(root, root.querySelector('h1'), false)).toBeNull()
  })

  it('fetches focus from outside', () => {
    const root = card('<button id="a"></button><button id="b"></button>')
    expect(loopTarget(root, document.body, false)?.id).toBe('a')
    expect(loopTarget(root, null, true)?.id).toBe('b')
  })
})

describe('focusView', () => {
  it('goes to the heading, or to the field that a view is for where there is a keyboard', () => {
    const plain = card('<button id="a"></button>')
    focusView(plain, false)
    expect(document.activeElement).toBe(plain.querySelector('h1'))
    const search = card('<input id="s" data-first>')
    focusView(search, false)
    expect(document.activeElement?.id).toBe('s')
    focusView(search, true)
    expect(document.activeElement).toBe(search.querySelector('h1'))
  })
})
