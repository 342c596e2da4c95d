import { defaultAncestors } from '@postern/protocol'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type ApprovalPlace, frameLimitsOf, type PlaceGiven, placeOf } from './place'

const listed = 'https://app.example'
const other = 'https://portal.example'
const trusted = 'https://trusted.example'
const byWildcard = 'https://pr-7.preview.example'
const allowedOrigins = [listed, other, 'https://*.preview.example', 'http://localhost:*']

type Case = {
  readonly around?: readonly string[]
  readonly place?: 'auto' | 'window'
  readonly above?: number
  readonly trust?: readonly string[]
  readonly loopback?: true
  readonly usd?: number | null
  readonly spent?: number
}

function given({ around = [listed], place = 'auto', above, trust = [trusted], loopback }: Case): PlaceGiven {
  const approvals = {
    place,
    trustedOrigins: [...trust],
    ...(above !== undefined && { windowAboveUsd: above }),
    ...(loopback && { trustsLoopback: loopback }),
  }
  return { around, page: { allowedOrigins, approvals } }
}

function placed(test: Case): ApprovalPlace {
  const limits = frameLimitsOf(given(test))
  return 'place' in limits ? limits : placeOf(limits, test.usd ?? null, test.spent ?? 0)
}

const frame = { place: 'frame' }
const inWindow = (reason: string) => ({ place: 'window', reason })
const above = (limitUsd: number) => ({ place: 'window', reason: 'value', limitUsd })

describe('where the user approves what can take nothing', () => {
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
    expect(placed({ usd: 0, ...test })).toEqual(expected)
  })

  it('2. no default ancestor is an exact origin', () => {
    for (const origin of defaultAncestors) {
      const example = origin.replace('*.', 'some.').replace(':*', ':3000')
      expect(placed({ around: [example], usd: 0 })).toEqual(inWindow('origin'))
    }
  })
})

describe('where the user approves what can take something', () => {
  it.each<[string, Case, unknown]>([
    ['at the default limit', { usd: 25 }, frame],
    ['above the default limit', { usd: 25.01 }, above(25)],
    ['of unknown worth', { usd: null }, above(25)],
    ['within the day', { usd: 25, spent: 75 }, frame],
    ['above what is left of the day', { usd: 25, spent: 75.01 }, above(100 - 75.01)],
    ['after the day’s limit', { usd: 0.01, spent: 100 }, above(0)],
    ['nothing, after the day’s limit', { usd: 0, spent: 100 }, frame],
    ['below the project’s limit', { above: 250, usd: 249.99 }, frame],
    ['at the project’s limit', { above: 250, usd: 250 }, frame],
    ['above the project’s limit', { above: 250, usd: 250.01 }, above(250)],
    ['of unknown worth, with a limit of the project', { above: 250, usd: null }, above(250)],
    ['above what is left of the project’s day', { above: 250, usd: 200, spent: 900 }, above(100)],
    ['a limit of zero, without worth', { above: 0, usd: 0 }, frame],
    ['a limit of zero, with worth', { above: 0, usd: 0.01 }, above(0)],
    ['below the limit, by a wildcard', { above: 100, usd: 1, around: [byWildcard] }, inWindow('origin')],
  ])('3. %s', (_, test, expected) => {
    expect(placed(test)).toEqual(expected)
  })

  it.each<[string, Case, unknown]>([
    ['of unknown worth', { around: [trusted] }, frame],
    ['of great worth, after a day’s limit', { around: [trusted], usd: 9_999, spent: 100 }, frame],
    ['in a trusted page that is listed too', { trust: [listed] }, frame],
    ['in a trusted page in a trusted page', { around: [trusted, other], trust: [trusted, other] }, frame],
    ['in a trusted page in a listed page', { around: [trusted, listed] }, above(25)],
    ['in a listed page in a trusted page', { around: [listed, trusted] }, above(25)],
    ['above the project’s own limit', { around: [trusted], above: 100, usd: 101 }, above(100)],
    ['of unknown worth, with a limit of the project', { around: [trusted], above: 100 }, above(100)],
    [
      'within the project’s own limit, after four of them',
      { around: [trusted], above: 100, usd: 100, spent: 400 },
      frame,
    ],
  ])('3. with trust: %s', (_, test, expected) => {
    expect(placed(test)).toEqual(expected)
  })

  it.each<[string, Case, unknown]>([
    ['a page of localhost', { around: ['http://localhost:5173'] }, frame],
    ['a page of 127.0.0.1', { around: ['https://127.0.0.1:3000'] }, frame],
    ['a page of a name below localhost', { around: ['http://app.localhost:8080'] }, frame],
    ['a listed page', {}, above(25)],
    ['a page of localhost in a listed page', { around: ['http://localhost:5173', listed] }, above(25)],
    ['a name that starts like localhost', { around: ['http://localhost.evil.example'] }, inWindow('origin')],
    ['an address of the local network', { around: ['http://192.168.0.4:3000'] }, inWindow('origin')],
    ['above the project’s own limit', { around: ['http://localhost:5173'], above: 5 }, above(5)],
  ])('3. with `gateway dev`: %s', (_, test, expected) => {
    expect(placed({ ...test, loopback: true })).toEqual(expected)
  })

  it('1. the project’s window comes before all', () => {
    const page = fc.constantFrom(listed, trusted, byWildcard, '')
    const anything = fc.record({
      around: fc.array(page, { maxLength: 3 }),
      usd: fc.option(fc.double({ min: 0, noNaN: true })),
    })
    fc.assert(
      fc.property(anything, (test) => {
        expect(placed({ ...test, place: 'window' })).toEqual(inWindow('always'))
      }),
    )
  })
})
