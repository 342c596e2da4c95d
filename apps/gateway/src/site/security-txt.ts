import type { Hono } from 'hono'
import type { Platform, Site } from './dependencies'
import type { SiteEnv } from './site'

const lifetimeMs = 30 * 86_400_000

/** On both sites (RFC 9116), if the operator has named a contact. */
export function serveSecurityTxt(app: Hono<SiteEnv>, { securityContacts }: Site, now: Platform['now']): void {
  if (securityContacts.length === 0) return
  app.get('/.well-known/security.txt', (context) => {
    const expires = new Date(now() + lifetimeMs).toISOString().replace(/\.\d+Z$/, 'Z')
    const lines = [...securityContacts.map((contact) => `Contact: ${contact}`), `Expires: ${expires}`]
    return context.text(`${lines.join('\n')}\n`, 200, { 'Cache-Control': 'public, max-age=86400' })
  })
}
