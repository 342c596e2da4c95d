import type { WalletEntry } from '@postern/protocol'
import { describe, expect, it } from 'vitest'
import type { Platform } from '../../view-kit/wallet-rows'
import { connectMethods } from './connect-methods'

const everywhere: WalletEntry = {
  id: 'tide',
  name: 'Tide',
  mobile_link: 'tide://',
  desktop_link: 'tide-desktop://',
  webapp_link: 'https://app.tide.example',
  chrome_store: 'https://chrome.example/tide',
}
const here = [{ connectorId: '1', namespace: 'eip155' }] as const

function ways(
  entry: Partial<WalletEntry>,
  platform: Platform = 'desktop',
  connectors: readonly (typeof here)[0][] = [],
) {
  return connectMethods({ entry: { id: 'x', name: 'X', ...entry }, connectors }, platform)
}

describe('waysTo', () => {
  it('1: offers links for the current kind of device', () => {
    expect(ways(everywhere)).toEqual(['code', 'desktop', 'web', 'extension'])
    expect(ways(everywhere, 'ios')).toEqual(['app', 'web'])
    expect(ways(everywhere, 'android')).toEqual(['app', 'web'])
    expect(ways({ desktop_link: 'x://' })).toEqual(['desktop'])
  })

  it('2: puts a wallet in this browser first', () => {
    expect(ways(everywhere, 'desktop', here)).toEqual(['extension', 'code', 'desktop', 'web'])
  })

  it('3: ignores links that may not be followed', () => {
    const hostile = { mobile_link: 'javascript:alert(1)', desktop_link: 'file:///etc', webapp_link: 'data:text/html,x' }
    expect(ways({ ...hostile, chrome_store: 'javascript:alert(1)' })).toEqual(['code'])
  })

  it('4: shows the QR code if there is no link', () => {
    expect(ways({})).toEqual(['code'])
    expect(ways({ chrome_store: 'https://chrome.example/x' })).toEqual(['extension', 'code'])
    expect(connectMethods({ connectors: [] }, 'android')).toEqual(['code'])
  })
})
