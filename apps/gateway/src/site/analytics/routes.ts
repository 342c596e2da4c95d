/**
 * `GET /getAnalyticsConfig` and `POST /e` (interop §2).
 *
 * 1. If a project's analytics are off, by setting or feature flag, its events are accepted and not stored.
 * 2. The event's page must have an allowed origin; else 403 'Unauthorized: origin not allowed'.
 * 3. The response does not wait for the database.
 */

import { AnalyticsConfig, AnalyticsEvent } from '@postern/protocol'
import { Hono } from 'hono'
import * as z from 'zod/mini'
import { limitBody } from '../../platform/http/body-limit'
import { operation, serveOperation } from '../../platform/http/operation'
import { parseOrThrow, problem } from '../../platform/http/problem'
import { parseJson } from '../../platform/parse-json'
import type { CallerEnv } from '../../projects/caller'
import { type CallerLimit, takeFromCaller } from '../../projects/caller-limit'
import { isAllowed, type Project } from '../../projects/project'
import { readEvent } from './event'
import type { Analytics } from './store'

const EventReceipt = z.object({ status: z.literal('ok') })

const cost = 5
const maxBodyBytes = 16_384

export type AnalyticsRoutesOptions = CallerLimit & {
  readonly analytics: Pick<Analytics, 'take'>
  /** Epoch ms. */
  readonly now: () => number
}

const analyticsConfig = operation({
  method: 'get',
  path: '/getAnalyticsConfig',
  summary: 'Whether what visitors do is kept, and what of it',
  caller: 'project',
  response: AnalyticsConfig,
})
const takeEvent = operation({
  method: 'post',
  path: '/e',
  summary: 'Something that a visitor did in the modal',
  caller: 'project',
  body: AnalyticsEvent,
  response: EventReceipt,
})
export const analyticsOperations = [analyticsConfig, takeEvent]

export function analyticsRoutes(options: AnalyticsRoutesOptions): Hono<CallerEnv> {
  const { analytics, now } = options
  const take = takeFromCaller(options)

  const app = new Hono<CallerEnv>()
  serveOperation(app, analyticsConfig, (context) => {
    const project = context.get('project')
    return context.json({
      isAnalyticsEnabled: isOn(project),
      isConsentNeeded: project.analytics.consent,
      isAddressAllowed: project.analytics.addresses,
    } satisfies AnalyticsConfig)
  })
  serveOperation(app, takeEvent, limitBody(maxBodyBytes), async (context) => {
    const project = context.get('project')
    const text = await context.req.text()
    take(context, cost)
    const read = readEvent(parseOrThrow(AnalyticsEvent, parseJson(text)), project, now())
    if (!read.ok) throw problem(400, read.name, read.description)
    if (!isAllowed(read.event.origin, project)) throw problem(403, 'origin', 'Unauthorized: origin not allowed')
    if (isOn(project)) analytics.take(read.event)
    return context.json({ status: 'ok' } satisfies z.infer<typeof EventReceipt>, 202)
  })
  return app
}

function isOn({ analytics, features }: Project): boolean {
  return analytics.enabled && features.analytics !== false
}
