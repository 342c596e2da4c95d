import type { WalletEntry } from '@postern/protocol'
import { describe, expect, it } from 'vitest'
import type { Platform } from '../../view-kit/wallets/wallet-rows'
import { connectMethods } from './connect-methods'

const allPlatforms: WalletEntry = {
  id: 'tide',
  name: 'Tide',
  mobile_link: 'tide://',
  desktop_link: 'tide-desktop://',
  webapp_link: 'https://app.tide.example',
  chrome_store: 'https://chrome.example/tide',
}
const installed = [{ connectorId: '1', namespace: 'eip155' }] as const

function methods(
  entry: Partial<WalletEntry>,
  platform: Platform = 'desktop',
  connectors: readonly (typeof installed)[0][] = [],
) {
  return connectMethods({ entry: { id: 'x', name: 'X', ...entry }, connectors }, platform)
}

describe('connectMethods', () => {
  it('1: offers links for the current kind of device', () => {
    expect(methods(allPlatforms)).toEqual(['code', 'desktop', 'web', 'extension'])
    expect(methods(allPlatforms, 'ios')).toEqual(['app', 'web'])
    expect(methods(allPlatforms, 'android')).toEqual(['app', 'web'])
    expect(methods({ desktop_link: 'x://' })).toEqual(['desktop'])
  })

  it('2: puts a wallet in this browser first', () => {
    expect(methods(allPlatforms, 'desktop', installed)).toEqual(['extension', 'code', 'desktop', 'web'])
  })

  it('3: ignores links that may not be followed', () => {
    const hostile = { mobile_link: 'javascript:alert(1)', desktop_link: 'file:///etc', webapp_link: 'data:text/html,x' }
    expect(methods({ ...hostile, chrome_store: 'javascript:alert(1)' })).toEqual(['code'])
  })

  it('4: shows the QR code if there is no link', () => {
    expect(methods({})).toEqual(['code'])
    expect(methods({ chrome_store: 'https://chrome.example/x' })).toEqual(['extension', 'code'])
    expect(connectMethods({ connectors: [] }, 'android')).toEqual(['code'])
  })
})
