import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { readConfig } from '../../config'
import { isAllowed, ProjectInput } from '../../projects/project'
import { findFreePort } from './free-port'
import { developmentConfig, developmentProject, developmentSettings, firstPort, welcome } from './settings'

const root = new URL('../../../../../', import.meta.url)

/** Pages that tell a developer to run `gateway dev`. */
const pages = ['README.md', ...readdirSync(new URL('docs/start/', root)).map((file) => `docs/start/${file}`)]
  .map((name) => ({ name, text: readFileSync(new URL(name, root), 'utf8') }))
  .filter(({ text }) => /^npx @postern\/gateway dev/m.test(text))

describe('settings of gateway dev', () => {
  test('work on their own, with two sites that every browser resolves', () => {
    const config = readConfig(developmentSettings({}, 4403, '/home/me/app'))
    expect(config).toMatchObject({
      production: false,
      host: '127.0.0.1',
      port: 4403,
      modalOrigin: 'http://127.0.0.1:4403',
      walletOrigin: 'http://localhost:4403',
      dataDir: '/home/me/app/.postern',
      mail: 'terminal',
    })
    expect(config.seed.map(({ id }) => id)).toEqual(['dev'])
  })

  test('are overridden by the environment, but never run as production', () => {
    const env = { NODE_ENV: 'production', SMTP_URL: 'smtp://127.0.0.1:2525', POSTERN_DATA: '/data', LOG_LEVEL: '' }
    const config = readConfig(developmentSettings(env, 4400, '/home/me/app'))
    expect(config).toMatchObject({ production: false, dataDir: '/data', logLevel: 'warn' })
    expect(config.mail).toMatchObject({ url: 'smtp://127.0.0.1:2525' })
  })

  test('alone make the embedded wallet trust pages of this machine', () => {
    const env = developmentSettings({}, 4400, '/home/me/app')
    expect(readConfig(env).trustsLoopback).toBe(false)
    expect(developmentConfig({}, 4400, '/home/me/app').trustsLoopback).toBe(true)
  })

  test.each(['http://localhost:5173', 'https://localhost', 'http://127.0.0.1:3000', 'http://app.localhost:8080'])(
    'project dev lets %s in',
    (origin) => {
      expect(isAllowed(origin, project)).toBe(true)
    },
  )

  test.each([
    'https://example.com',
    'http://localhost.example.com',
    'http://192.168.0.4:5173',
    'https://me.vercel.app',
  ])('project dev keeps %s out', (origin) => {
    expect(isAllowed(origin, project)).toBe(false)
  })

  test('tell what to put on a page', () => {
    const text = welcome('http://127.0.0.1:4403', '.postern')
    expect(text).toContain('<script src="http://127.0.0.1:4403/postern.js" async data-project-id="dev"')
    expect(text).toContain("host: 'http://127.0.0.1:4403',")
  })

  test.each(pages)('have the modal’s origin that $name names', ({ text }) => {
    const { MODAL_ORIGIN } = developmentSettings({}, firstPort, '/home/me/app')
    expect(new Set(text.match(/http:\/\/[\w.]+:\d+/g))).toEqual(new Set([MODAL_ORIGIN]))
  })
})

const project = { ...ProjectInput.parse(developmentProject), defaultAncestors: false, createdAt: '', updatedAt: '' }

describe('findFreePort', () => {
  test.each(['127.0.0.1', '::1'])('skips a port that a program listens on at %s', async (host) => {
    const taken = createServer().listen({ port: 0, host })
    onTestFinished(() => void taken.close())
    await once(taken, 'listening')
    const address = taken.address()
    if (address === null || typeof address === 'string') throw new Error('not listening on a port')
    const free = await findFreePort(address.port)
    expect(free).toBeGreaterThan(address.port)
    const own = createServer().listen({ port: free, host: '127.0.0.1' })
    onTestFinished(() => void own.close())
    await once(own, 'listening')
  })
})
