import { AllowedOrigins, ProjectConfig, type RemoteFeature } from '@postern/protocol'
import { Hono } from 'hono'
import { operation, serveOperation } from '../platform/http/operation'
import type { CallerEnv } from './caller'

const allowedOrigins = operation({
  method: 'get',
  path: '/projects/v1/origins',
  summary: "The project's allowed origins",
  caller: 'project',
  response: AllowedOrigins,
})
const remoteFeatures = operation({
  method: 'get',
  path: '/appkit/v1/config',
  summary: 'Feature flags that the project sets; they win over local ones',
  caller: 'project',
  response: ProjectConfig,
})
export const projectOperations = [allowedOrigins, remoteFeatures]

/** Public project settings for its own pages (interop §2). */
export function projectRoutes(): Hono<CallerEnv> {
  const app = new Hono<CallerEnv>()
  serveOperation(app, allowedOrigins, (context) =>
    context.json({ allowedOrigins: context.get('project').allowedOrigins }),
  )
  serveOperation(app, remoteFeatures, (context) => {
    const features = Object.entries(context.get('project').features)
    return context.json({ features: features.map(([id, value]) => toRemoteFeature(id, value)) })
  })
  return app
}

/** A switch, or a list of enabled members. */
function toRemoteFeature(id: string, value: boolean | readonly string[] = false): RemoteFeature {
  return typeof value === 'boolean'
    ? { id, isEnabled: value, config: null }
    : { id, isEnabled: value.length > 0, config: [...value] }
}
