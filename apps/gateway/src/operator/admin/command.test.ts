import type { HttpBindings } from '@hono/node-server'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { composeAdminApp } from '../../admin-server'
import { createLog } from '../../platform/log/log'
import { createMetrics } from '../../platform/metrics/metrics'
import { createDirectory } from '../../site/directory/directory'
import { startTestApp, type TestApp } from '../../testing/app'
import { noon } from '../../testing/clock'
import { ownDevice, ownKey, thumbprintOf } from '../../testing/sign-in'
import { adminUsage, isAdminCommand, runAdminCommand } from './command'

const admin = { name: 'ann', role: 'admin', token: 'operator-token-of-ann-0123456789' } as const
const viewer = { name: 'vic', role: 'viewer', token: 'operator-token-of-vic-0123456789' } as const
const icons = { wallets: new Map(), networks: new Map(), currencies: new Map(), tokens: new Map() }
const wallets = [
  { id: 'one', name: 'One Wallet' },
  { id: 'two', name: 'Two' },
]

const bindings = { incoming: { socket: { remoteAddress: '203.0.113.7' } } } as unknown as HttpBindings

let app: TestApp
let api: ReturnType<typeof composeAdminApp>
let run: (text: string, options?: { token?: string; url?: string }) => Promise<string>

const now = () => noon
beforeEach(async () => {
  app = await startTestApp()
  api = composeAdminApp(
    {
      trustedProxies: 0,
      networks: [],
      modalOrigin: 'https://modal.postern.example',
      consoleDir: '/none',
      sdkDir: '/none',
    },
    { host: '127.0.0.1', port: 0, origin: 'http://127.0.0.1:4480', operators: [admin, viewer] },
    {
      database: app.database,
      projects: app.projects,
      auth: app.auth,
      directory: createDirectory({ wallets, icons }),
      now,
    },
    createMetrics(null),
    createLog('silent'),
  )
  run = (text, { token = admin.token, url = 'http://127.0.0.1:4480' } = {}) =>
    runAdminCommand(text.split(' '), {
      url,
      token,
      fetch: async (input, init) => api.request(new Request(input, init), undefined, bindings),
    })
})
afterEach(() => app.close())

const json = async (text: string) => JSON.parse(await run(text))

describe('what the console does, on the command line', () => {
  test('directory, health, analytics and the audit log', async () => {
    expect(await json('directory one')).toMatchObject({ count: 1, wallets: [{ id: 'one' }] })
    expect(await json('directory --page 1')).toMatchObject({ count: 2 })
    expect(await json('health')).toMatchObject({ database: { answers: true } })
    expect((await json('analytics demo --days 7')).days).toHaveLength(7)
    await run('user look-up stranger@example.com')
    expect(await json('audit')).toMatchObject([{ actor: 'ann', action: 'user.look-up' }])
  })

  test('a user is looked up and signed out, and the audit log has both', async () => {
    const email = 'ada@example.com'
    const { sessionToken } = await app.auth.sessions.signIn(
      { provider: 'email', subject: email, email, userName: null },
      await ownDevice(),
      'demo',
    )
    const open = async () => app.auth.sessions.open(sessionToken, await thumbprintOf(ownKey))
    const { userId } = await open()
    expect(await json(`user look-up ${email}`)).toMatchObject([{ id: userId }])
    expect(await run(`user sign-out ${userId}`)).toBe('Done.')
    await expect(open()).rejects.toMatchObject({ status: 401 })
    const ofUser = { actor: 'ann', target: userId }
    expect(await json('audit')).toMatchObject([
      { action: 'user.sign-out', ...ofUser },
      { action: 'user.look-up', ...ofUser },
    ])
  })

  test('roles and missing users, in the words of the API', async () => {
    await expect(run('user block unknown')).rejects.toThrow('There is no such user')
    await expect(run('user block unknown', { token: viewer.token })).rejects.toThrow('Only an admin may change this')
    await expect(run('health', { token: 'x' })).rejects.toThrow(/token/)
  })

  test.each([
    ['user', 'user look-up <email address'],
    ['user rename a', 'user look-up <email address'],
    ['health --help', 'audit [--before <before>]'],
    ['user show', '<user id> is missing'],
    ['user show a b', 'Unexpected "b"'],
    ['health now', 'Unexpected "now"'],
    ['audit --days 7', '--days does not go with audit'],
    ['audit --force', 'force'],
    ['user delete .. --yes', '".." is not an id'],
    ['user export .', '"." is not an id'],
    ['user delete u1', 'Without an exported seed, the wallet and its money are lost. Add --yes'],
  ])('%s is refused before a call', async (text, message) => {
    expect(isAdminCommand(text.split(' '))).toBe(true)
    await expect(run(text)).rejects.toMatchObject({ message: expect.stringContaining(message), exitCode: 2 })
  })

  test('the token goes to this machine, or by https, alone, and without it nothing is asked', async () => {
    for (const url of ['http://admin.example.com', 'http://127.0.0.1.example.com', 'ftp://127.0.0.1', 'admin'])
      await expect(run('health', { url })).rejects.toThrow('POSTERN_ADMIN_URL must be')
    const asked: string[] = []
    const fetch: typeof globalThis.fetch = async (input, init) => {
      asked.push(`${new Request(input).url} ${init?.redirect}`)
      throw new TypeError('fetch failed')
    }
    const url = 'https://admin.example.com'
    for (const token of [undefined, ''])
      await expect(runAdminCommand(['health'], { url, token, fetch })).rejects.toThrow('Set POSTERN_ADMIN_TOKEN')
    expect(asked).toEqual([])
    await expect(runAdminCommand(['user', 'show', '../audit'], { url, token: admin.token, fetch })).rejects.toThrow(
      'No answer from https://admin.example.com: fetch failed',
    )
    const closed = new TypeError('fetch failed', { cause: new Error('connect ECONNREFUSED 127.0.0.1:4480') })
    const failing = { url, token: admin.token, fetch: () => Promise.reject(closed) }
    await expect(runAdminCommand(['health'], failing)).rejects.toThrow(
      'No answer from https://admin.example.com: connect ECONNREFUSED 127.0.0.1:4480. Check that the gateway runs with its admin API on, and that POSTERN_ADMIN_URL is the address of its admin port',
    )
    expect(asked).toEqual(['https://admin.example.com/admin/v1/users/..%2Faudit error'])
  })

  test('every operation of the API but those for projects and sessions has a command', async () => {
    const { paths } = z
      .object({ paths: z.record(z.string(), z.record(z.string(), z.unknown())) })
      .parse(await (await api.request('http://127.0.0.1:4480/admin/v1/openapi.json')).json())
    const operations = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path.replace('/admin/v1', '')}`),
    )
    const others = operations.filter((operation) => !/ \/(projects|sign-in|sign-out|me|openapi)/.test(operation))
    expect(others.length).toBeGreaterThan(10)
    expect(adminUsage.split('\n').filter((line) => line.startsWith('npm run gateway'))).toHaveLength(others.length)
  })
})
