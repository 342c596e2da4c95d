import type { RemoteFeature } from '@postern/protocol'
import { Hono } from 'hono'
import type { CallerEnv } from './caller'

/** Public project settings for its own pages (interop §2). */
export function projectRoutes(): Hono<CallerEnv> {
  return new Hono<CallerEnv>()
    .get('/projects/v1/origins', (context) => context.json({ allowedOrigins: context.get('project').allowedOrigins }))
    .get('/appkit/v1/config', (context) => {
      const features = Object.entries(context.get('project').features)
      return context.json({ features: features.map(([id, value]) => toRemoteFeature(id, value)) })
    })
}

/** A switch, or a list of enabled members. */
function toRemoteFeature(id: string, value: boolean | readonly string[] = false): RemoteFeature {
  return typeof value === 'boolean'
    ? { id, isEnabled: value, config: null }
    : { id, isEnabled: value.length > 0, config: [...value] }
}
