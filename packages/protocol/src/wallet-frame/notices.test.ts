import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseWalletFrameNotice, walletFrameNotice } from './notices'

describe('notices from the wallet’s frame', () => {
  it('round-trip', () => {
    for (const notice of [
      { name: 'SOCIAL_CODE_WANTED' },
      { name: 'READY', version: '1.0.0' },
      { name: 'SESSION_UPDATE', token: 't' },
      { name: 'APPROVED', id: '1' },
      { name: 'SCREEN_HEIGHT', id: '1', height: 420.5 },
      { name: 'FRAME_LEFT', by: 'escape' },
    ] as const) {
      expect(parseWalletFrameNotice(walletFrameNotice(notice))).toEqual(notice)
    }
    expect(parseWalletFrameNotice({ type: '@w3m-frame/READY' })).toEqual({ name: 'READY', version: undefined })
    expect(parseWalletFrameNotice({ type: '@w3m-frame/SESSION_UPDATE' })).toBeNull()
  })

  it('no value makes the parser throw', () => {
    const message = fc.record(
      {
        type: fc.oneof(
          fc
            .constantFrom('READY', 'SESSION_UPDATE', 'APPROVAL_REQUEST', 'SCREEN_HEIGHT')
            .map((name) => `@w3m-frame/${name}`),
          fc.string(),
        ),
        payload: fc.anything(),
      },
      { requiredKeys: [] },
    )
    fc.assert(fc.property(fc.oneof(fc.anything(), message), (value) => void parseWalletFrameNotice(value)))
  })
})
