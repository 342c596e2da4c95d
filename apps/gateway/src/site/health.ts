import type { Health } from '@postern/protocol'
import type { Hono } from 'hono'
import { createLogOnce } from '../platform/log/log-once'
import type { Platform } from './dependencies'
import type { SiteEnv } from './site'

/** `/health` and `/ready`, on every host name: load balancers ask by address. */
export function serveHealth(app: Hono<SiteEnv>, { version, database, log, clock }: Platform): void {
  const logOnce = createLogOnce(60_000, clock)
  app.get('/health', (context) =>
    context.json({ status: 'ok', version } satisfies Health, 200, {
      'Cache-Control': 'no-store',
    }),
  )
  app.get('/ready', async (context) => {
    try {
      await database.ping()
    } catch (error) {
      logOnce('database', (more) => log.error({ err: error, ...more }, 'database does not answer'))
      const health: Health = { status: 'unavailable', version }
      return context.json(health, 503, { 'Cache-Control': 'no-store' })
    }
    const health: Health = { status: 'ok', version }
    return context.json(health, 200, { 'Cache-Control': 'no-store' })
  })
}
