import { defaultAncestors } from '@postern/protocol'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type PlaceGiven, placeOf, reportsOcclusion } from './place'

const listed = 'https://app.example'
const other = 'https://portal.example'
const trusted = 'https://trusted.example'
const byWildcard = 'https://pr-7.preview.example'
const allowedOrigins = [listed, other, 'https://*.preview.example', 'http://localhost:*']

type Case = {
  readonly around?: readonly string[]
  readonly engine?: 'reports' | 'silent'
  readonly place?: 'auto' | 'window'
  readonly above?: number
  readonly trust?: readonly string[]
  readonly usd?: number | null
}

function given({
  around = [listed],
  engine = 'reports',
  place = 'auto',
  above,
  trust = [trusted],
  usd = null,
}: Case): PlaceGiven {
  const approvals = { place, trustedOrigins: [...trust], ...(above !== undefined && { windowAboveUsd: above }) }
  return { around, page: { allowedOrigins, approvals }, reportsOcclusion: engine === 'reports', usd }
}

const frame = { place: 'frame' }
const inWindow = (reason: string) => ({ place: 'window', reason })

describe('where the user approves', () => {
  it.each<[string, Case, unknown]>([
    ['a listed page', {}, frame],
    ['a listed page in another listed page', { around: [listed, other] }, frame],
    ['a trusted page', { around: [trusted] }, frame],
    ['a trusted page in a listed page', { around: [trusted, listed] }, frame],
    ['a page let in by a wildcard', { around: [byWildcard] }, inWindow('origin')],
    ['a page let in by a port wildcard', { around: ['http://localhost:3000'] }, inWindow('origin')],
    ['a page let in by a default ancestor', { around: ['https://mine.vercel.app'] }, inWindow('origin')],
    ['a listed page in a page let in by a wildcard', { around: [listed, byWildcard] }, inWindow('origin')],
    ['a trusted page in a page let in by a wildcard', { around: [trusted, byWildcard] }, inWindow('origin')],
    ['the same host with another port', { around: [`${listed}:8443`] }, inWindow('origin')],
    ['the same host with another scheme', { around: ['http://app.example'] }, inWindow('origin')],
    ['a subdomain of a listed page', { around: ['https://a.app.example'] }, inWindow('origin')],
    ['the wildcard itself', { around: ['https://*.preview.example'] }, inWindow('origin')],
    ['an opaque origin', { around: ['null'] }, inWindow('origin')],
    ['an unknown page', { around: [] }, inWindow('origin')],
    ['a page not told yet', { around: [''] }, inWindow('origin')],
  ])('2. %s', (_, test, expected) => {
    expect(placeOf(given(test))).toEqual(expected)
  })

  it('2. no default ancestor is an exact origin', () => {
    for (const origin of defaultAncestors) {
      const example = origin.replace('*.', 'some.').replace(':*', ':3000')
      expect(placeOf(given({ around: [example] }))).toEqual(inWindow('origin'))
    }
  })

  it.each<[string, Case, unknown]>([
    ['a listed page', {}, inWindow('engine')],
    ['a page let in by a wildcard', { around: [byWildcard] }, inWindow('origin')],
    ['a trusted page', { around: [trusted] }, frame],
    ['a trusted page that is listed too', { around: [listed], trust: [listed] }, frame],
    ['a trusted page in a listed page', { around: [trusted, listed] }, inWindow('engine')],
    ['a trusted page in a trusted page', { around: [trusted, other], trust: [trusted, other] }, frame],
  ])('3. without occlusion reports: %s', (_, test, expected) => {
    expect(placeOf(given({ ...test, engine: 'silent' }))).toEqual(expected)
  })

  it.each<[string, Case, unknown]>([
    ['below the limit', { above: 100, usd: 99.99 }, frame],
    ['at the limit', { above: 100, usd: 100 }, frame],
    ['above the limit', { above: 100, usd: 100.01 }, inWindow('value')],
    ['without a known value', { above: 100, usd: null }, inWindow('value')],
    ['a limit of zero, without value', { above: 0, usd: 0 }, frame],
    ['a limit of zero, with value', { above: 0, usd: 0.01 }, inWindow('value')],
    ['no limit, without a known value', { usd: null }, frame],
    ['above the limit, in a trusted page', { above: 100, usd: 101, around: [trusted] }, inWindow('value')],
    ['below the limit, by a wildcard', { above: 100, usd: 1, around: [byWildcard] }, inWindow('origin')],
    ['below the limit, without occlusion reports', { above: 100, usd: 1, engine: 'silent' }, inWindow('engine')],
  ])('4. %s', (_, test, expected) => {
    expect(placeOf(given(test))).toEqual(expected)
  })

  it('1. the project’s window comes before all', () => {
    const page = fc.constantFrom(listed, trusted, byWildcard, '')
    const anything = fc.record({
      around: fc.array(page, { maxLength: 3 }),
      engine: fc.constantFrom('reports' as const, 'silent' as const),
      usd: fc.option(fc.double({ min: 0, noNaN: true })),
    })
    fc.assert(
      fc.property(anything, (test) => {
        expect(placeOf(given({ ...test, place: 'window' }))).toEqual(inWindow('always'))
      }),
    )
  })
})

describe('occlusion reports', () => {
  class Observer extends EventTarget {
    get trackVisibility() {
      return true
    }
  }
  class Entry {
    get isVisible() {
      return true
    }
  }
  class Old {}
  it.each([
    ['version 2', { IntersectionObserver: Observer, IntersectionObserverEntry: Entry }, true],
    ['version 1', { IntersectionObserver: Old, IntersectionObserverEntry: Old }, false],
    ['half of version 2', { IntersectionObserver: Observer, IntersectionObserverEntry: Old }, false],
    ['none', {}, false],
  ])('%s: %o', (_, engine, expected) => {
    expect(Reflect.apply(reportsOcclusion, null, [engine])).toBe(expected)
  })
})
