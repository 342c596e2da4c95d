import { describe, expect, onTestFinished, test } from 'vitest'
import { readConfig } from '../config'
import { modalOrigin, startTestApp, walletOrigin } from '../testing/app'

const file = '/.well-known/security.txt'

async function started(securityContacts: readonly string[]) {
  const now = () => Date.UTC(2026, 0, 15, 12)
  const app = await startTestApp({ now, securityContacts })
  onTestFinished(() => app.close())
  return app
}

describe('security.txt', () => {
  test('names the contacts in order, and a date at which they expire, on both sites', async () => {
    const { securityContacts } = readConfig({
      SECURITY_CONTACT: 'mailto:security@example.com,https://example.com/security',
    })
    const app = await started(securityContacts)
    for (const origin of [walletOrigin, modalOrigin]) {
      const response = await app.get(`${origin}${file}`)
      expect(response.headers.get('Content-Type')).toMatch(/^text\/plain; charset=utf-8$/i)
      expect(await response.text()).toBe(
        'Contact: mailto:security@example.com\nContact: https://example.com/security\nExpires: 2026-02-14T12:00:00Z\n',
      )
    }
  })

  test('is not there without a contact', async () => {
    expect(readConfig({}).securityContacts).toEqual([])
    const app = await started([])
    for (const origin of [walletOrigin, modalOrigin]) expect((await app.get(`${origin}${file}`)).status).toBe(404)
  })

  test.each(['security@example.com', 'mailto:security', 'http://example.com', 'https://a.example\nExpires: never'])(
    'a contact that is no mailto: or https: URL stops the start: %j',
    (contact) => {
      expect(() => readConfig({ SECURITY_CONTACT: contact })).toThrow('SECURITY_CONTACT')
    },
  )
})
