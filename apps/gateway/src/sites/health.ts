import type { Health } from '@postern/protocol'
import type { Hono } from 'hono'
import type { Dependencies } from '../dependencies'
import type { SiteEnv } from './site'

/** `/health` and `/ready`, on every host name: load balancers ask by address. */
export function serveHealth(
  app: Hono<SiteEnv>,
  { version, database, log }: Pick<Dependencies, 'version' | 'database' | 'log'>,
): void {
  app.get('/health', (context) =>
    context.json({ status: 'ok', version } satisfies Health, 200, {
      'Cache-Control': 'no-store',
    }),
  )
  app.get('/ready', async (context) => {
    try {
      await database.ping()
    } catch (error) {
      log.error({ err: error }, 'database does not answer')
      const health: Health = { status: 'unavailable', version }
      return context.json(health, 503, { 'Cache-Control': 'no-store' })
    }
    const health: Health = { status: 'ok', version }
    return context.json(health, 200, { 'Cache-Control': 'no-store' })
  })
}
