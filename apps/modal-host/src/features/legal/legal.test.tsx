// @vitest-environment happy-dom
import { defaultFeatures } from '@postern/protocol'
import { act } from 'react'
import { describe, expect, it } from 'vitest'
import { arrival, button, dialog, mount, text } from '../../boot/testing/mount-app'
import { isLegalDue, legalOf } from '../../snapshot/features'
import { openingOf } from '../../snapshot/opening'
import { createSnapshotStore } from '../../snapshot/store'

const legal = { termsUrl: 'https://saltmarsh.example/terms', privacyUrl: null, accepted: false }
const on = { ...defaultFeatures, legalCheckbox: true }

describe('the terms of a dapp', () => {
  it('appear only if the flag is on and there is something to accept', () => {
    const termsConditionsUrl = 'https://saltmarsh.example/terms'
    expect(legalOf(defaultFeatures, { termsConditionsUrl })).toBeNull()
    expect(legalOf(on, {})).toBeNull()
    expect(legalOf(on, { termsConditionsUrl })).toEqual({
      termsUrl: termsConditionsUrl,
      privacyUrl: null,
      accepted: false,
    })
  })

  it.each(['javascript:alert(1)', 'data:text/html,x', '/terms', 'https:///', ' https://a.example', 'ftp://a.example'])(
    'ignore the invalid address %j',
    (termsConditionsUrl) => {
      const found = legalOf(on, { termsConditionsUrl, privacyPolicyUrl: 'http://a.example/' })
      expect(found?.termsUrl ?? '').toMatch(/^(https?:\/\/.*)?$/)
      expect(legalOf(on, { termsConditionsUrl: 'javascript:alert(1)' })).toBeNull()
    },
  )

  it('come before every way to connect, also on a phone', () => {
    const store = createSnapshotStore({ themeMode: 'light', locale: 'en', walletCount: 10, isTopLevel: false })
    const snapshot = { ...store.getState(), connectMethods: ['wallet' as const], legal }
    const phone = { isMobile: true, isExternal: () => false }
    expect(isLegalDue(snapshot)).toBe(true)
    expect(openingOf(snapshot, phone)).toEqual({ view: 'Connect' })
    expect(openingOf({ ...snapshot, legal: { ...legal, accepted: true } }, phone)).toEqual({ view: 'AllWallets' })
  })

  it('block everything else until accepted', async () => {
    const app = await mount({ legal })
    await app.open()
    await arrival(() => expect(text()).toContain('I accept the terms of service of This app'))
    expect(button('Lantern').closest('[inert]')).not.toBeNull()
    const link = button('Terms of service')
    expect([link.getAttribute('href'), link.getAttribute('rel')]).toEqual([legal.termsUrl, 'noopener noreferrer'])
    await act(async () => dialog().querySelector('input')?.click())
    expect(app.actions.acceptLegal).toHaveBeenCalledWith(true)
    expect(button('Lantern').closest('[inert]')).toBeNull()
  })

  it('leave room for the dapp’s own words at the foot of Connect, as plain text', async () => {
    const app = await mount({ brand: { disclaimer: 'Not for <b>residents</b> of Atlantis.' } })
    await app.open()
    expect(text()).toContain('Not for <b>residents</b> of Atlantis.')
    expect(dialog().querySelector('b')).toBeNull()
  })

  it('leave room for the dapp’s own picture above the ways to connect', async () => {
    const app = await mount({ brand: { logo: 'data:image/png;base64,AA==' } })
    await app.open()
    const logo = dialog().querySelector('img[src^="data:image/png"]')
    const position = logo?.compareDocumentPosition(button('Lantern')) ?? 0
    expect(position & Node.DOCUMENT_POSITION_FOLLOWING).toBeTruthy()
  })

  it('are absent if the dapp requires none', async () => {
    const app = await mount()
    await app.open()
    expect(dialog().querySelector('input[type=checkbox]')).toBeNull()
    expect(button('Lantern').closest('[inert]')).toBeNull()
  })
})
