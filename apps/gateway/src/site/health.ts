import { Health } from '@postern/protocol'
import type { Hono } from 'hono'
import { operation, serveOperation } from '../platform/http/operation'
import { createLogOnce } from '../platform/log/log-once'
import type { Platform } from './dependencies'
import type { SiteEnv } from './site'

const lives = operation({
  method: 'get',
  path: '/health',
  summary: 'The process lives',
  caller: 'anybody',
  response: Health,
})
const answers = operation({
  method: 'get',
  path: '/ready',
  summary: 'The process and its database answer',
  caller: 'anybody',
  response: Health,
})
export const healthOperations = [lives, answers]

/** On every host name: load balancers ask by address. */
export function serveHealth(app: Hono<SiteEnv>, { version, database, log, clock }: Platform): void {
  const logOnce = createLogOnce(60_000, clock)
  serveOperation(app, lives, (context) =>
    context.json({ status: 'ok', version } satisfies Health, 200, {
      'Cache-Control': 'no-store',
    }),
  )
  serveOperation(app, answers, async (context) => {
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
