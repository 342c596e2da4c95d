import type { HttpBindings } from '@hono/node-server'
import { DrizzleQueryError } from 'drizzle-orm'
import { afterEach, beforeEach, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { composeAdminApp } from '../../admin-server'
import { createLog } from '../../platform/log/log'
import { createMetrics } from '../../platform/metrics/metrics'
import { createDirectory } from '../../site/directory'
import { startTestApp, type TestApp } from '../../testing/app'
import { noon } from '../../testing/clock'
import { createAdminOpenApi } from './openapi'

const token = 'a'.repeat(32)
const bindings = { incoming: { socket: { remoteAddress: '203.0.113.7' } } } as unknown as HttpBindings

let app: TestApp
beforeEach(async () => {
  app = await startTestApp()
})
afterEach(() => app.close())

test('while the database cannot serve, operators get 503, and the log says it once', async () => {
  let logged = ''
  const full = Object.assign(new Error('could not extend file'), { code: '53100' })
  const api = composeAdminApp(
    {
      trustedProxies: 0,
      networks: [],
      modalOrigin: 'https://modal.postern.example',
      consoleDir: '/none',
      sdkDir: '/none',
    },
    { host: '127.0.0.1', port: 0, origin: 'http://127.0.0.1:4480', operators: [{ name: 'ann', role: 'admin', token }] },
    {
      database: app.database,
      auth: app.auth,
      now: () => noon,
      directory: createDirectory({
        wallets: [],
        icons: { wallets: new Map(), networks: new Map(), currencies: new Map(), tokens: new Map() },
      }),
      projects: { ...app.projects, list: () => Promise.reject(new DrizzleQueryError('select', [], full)) },
    },
    createMetrics(null),
    createLog('trace', {
      write(line: string) {
        logged += line
      },
    }),
  )
  for (let tries = 0; tries < 3; tries += 1) {
    const headers = { Host: '127.0.0.1:4480', Authorization: `Bearer ${token}` }
    const response = await api.request('http://127.0.0.1:4480/admin/v1/projects', { headers }, bindings)
    expect([response.status, response.headers.get('Retry-After')]).toEqual([503, '5'])
  }
  expect(logged.match(/"msg":"[^"]*"/g)).toEqual(['"msg":"database cannot serve"'])
})

test('openapi.json has every refusal of a body, and a database that cannot serve', () => {
  const { paths } = z
    .object({ paths: z.record(z.string(), z.record(z.string(), z.object({ responses: z.looseObject({}) }))) })
    .parse(createAdminOpenApi('1.0.0'))
  const statuses = (method: string) => Object.keys(paths['/admin/v1/projects']?.[method]?.responses ?? {})
  expect(statuses('post')).toEqual(expect.arrayContaining(['400', '409', '413', '415', '503']))
  expect(statuses('get')).toContain('503')
})
