import { expect, test } from 'vitest'
import { noop } from '../../shared/noop'
import { announceBitcoin } from './announce'

const identity = { name: 'Postern', icon: 'data:image/svg+xml,x' }
const notLoaded = () => Promise.reject(new Error('not asked'))
const entry = { id: 'PosternBitcoinProvider', name: 'Postern' }

test('lists Postern where sats-connect and where @stacks/connect look, until it stops', () => {
  const other = { id: 'Other' }
  const window = { btc_providers: [other] }
  const stop = announceBitcoin(window, identity, notLoaded)
  expect(window).toMatchObject({ btc_providers: [other, entry], wbip_providers: [entry] })
  expect(announceBitcoin(window, identity, notLoaded)).toBe(noop)
  stop()
  expect(window).toEqual({ btc_providers: [other], wbip_providers: [] })
})

test('is listed once if both names are one list, and in the other list if one is frozen or no list', () => {
  const list: object[] = []
  announceBitcoin({ btc_providers: list, wbip_providers: list }, identity, notLoaded)
  expect(list).toMatchObject([entry])
  for (const wrong of [Object.freeze([]), 'none']) {
    const window = { btc_providers: wrong, wbip_providers: [] }
    announceBitcoin(window, identity, notLoaded)()
    announceBitcoin(window, identity, notLoaded)
    expect(window).toMatchObject({ wbip_providers: [entry] })
  }
})
