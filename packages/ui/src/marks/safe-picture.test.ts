import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { safePicture } from './safe-picture'

describe('safePicture', () => {
  it.each([
    'data:image/png;base64,iVBORw0KGgo=',
    '/public/getTokenImage/ETH',
    '/public/getTokenImage/USD%E2%82%AE0',
    '/v1/nft-image/eip155%3A1%3A0xabc%3Aerc721%3A1?projectId=demo',
    '/v1/avatar/alice.eth?projectId=demo',
  ])('accepts %s', (url) => expect(safePicture(url)).toBe(url))

  it.each([
    '',
    'https://tracker.example/pixel.png',
    '//tracker.example/pixel.png',
    '/\\tracker.example/pixel.png',
    '/\t/tracker.example/pixel.png',
    '/public/getTokenImage/../../v1/account',
    '/public/getTokenImage/a/../../x',
    '/v1/account/0x00/balance',
    'data:image/svg+xml,<svg onload="alert(1)"/>',
    'data:text/html,<script>alert(1)</script>',
    'javascript:alert(1)',
    ' data:image/png;base64,AA',
    'data:image/png;base64,AA" onerror="alert(1)',
    null,
    undefined,
  ])('rejects %s', (url) => expect(safePicture(url)).toBeUndefined())

  it('never returns another site’s URL', () => {
    const hostile = fc.oneof(
      fc.string(),
      fc.string().map((text) => `/${text}`),
      fc.string().map((text) => `/public/getTokenImage/${text}`),
      fc.webUrl(),
    )
    fc.assert(
      fc.property(hostile, (text) => {
        const url = safePicture(text)
        if (url === undefined) return
        const { origin, protocol } = new URL(url, 'https://modal.example')
        expect(protocol === 'data:' || origin === 'https://modal.example').toBe(true)
      }),
    )
  })
})
