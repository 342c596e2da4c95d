/** The container files. No container engine runs here; `npm run container` runs the steps without one. */
import { readFileSync } from 'node:fs'
import { validate } from 'dockerfile-utils'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import * as z from 'zod'
import { readStages } from '../lib/containerfile'

const containerfile = readFileSync('Containerfile', 'utf8')
const stages = readStages(containerfile)
const image = stages.at(-1)

const Service = z.object({
  image: z.string(),
  read_only: z.boolean().optional(),
  cap_drop: z.array(z.string()).optional(),
  security_opt: z.array(z.string()).optional(),
  environment: z.record(z.string(), z.union([z.string(), z.number()])),
  ports: z.array(z.string()).optional(),
  secrets: z.array(z.string()).optional(),
  volumes: z.array(z.string()).optional(),
  depends_on: z.record(z.string(), z.object({ condition: z.string() })).optional(),
})
const { services } = z
  .object({ services: z.record(z.string(), Service) })
  .parse(parse(readFileSync('compose.yaml', 'utf8'), { merge: true }))
const gateways = Object.entries(services).filter(([name]) => name.startsWith('gateway'))

describe('Containerfile', () => {
  test('has no finding of the linter', () => {
    expect(validate(containerfile).map(({ message, range }) => `${range.start.line + 1}: ${message}`)).toEqual([])
  })

  test('starts from images of one Node version, by digest', () => {
    for (const { from } of stages) expect(from).toMatch(/^node:24-[a-z0-9-]+@sha256:[0-9a-f]{64}$/)
  })

  test('runs the gateway as a user without rights, with a health check', () => {
    const last = (keyword: string) => image?.steps.findLast((step) => step.keyword === keyword)?.text
    expect(last('USER')).toBe('node')
    expect(last('HEALTHCHECK')).toContain('/health')
    expect(last('ENV')).toContain('NODE_ENV=production')
    expect(last('ENTRYPOINT')).toContain('gateway.mjs')
  })

  test('takes nothing into the image but the installed package', () => {
    const copied = image?.steps.filter(({ keyword }) => keyword === 'COPY' || keyword === 'ADD').map(({ text }) => text)
    expect(copied).toEqual(['--from=install /app/node_modules ./node_modules'])
  })

  test('sends no secret, no data and no history of the repository to the engine', () => {
    const lines = readFileSync('.dockerignore', 'utf8').split('\n')
    expect(lines[0]).toBe('**')
    const sent = lines.filter((line) => line.startsWith('!'))
    expect(sent.filter((line) => /\.env|secret|\.git|\.postern/.test(line))).toEqual([])
    expect(lines).toContain('**/.postern')
  })
})

describe('compose.yaml', () => {
  const consoleAtHome = '127.0.0.1:4480:4480'

  test('runs two gateways that differ in the console alone, on a read-only file system, with no rights', () => {
    expect(gateways).toHaveLength(2)
    const [[, one], [, other]] = [gateways[0] ?? ['', null], gateways[1] ?? ['', null]]
    expect(one).toEqual({ ...other, ports: [consoleAtHome] })
    expect(one).toMatchObject({ read_only: true, cap_drop: ['ALL'], security_opt: ['no-new-privileges:true'] })
    expect(one?.depends_on).toEqual({ database: { condition: 'service_healthy' } })
  })

  test('opens ports of the proxy, and the console for the machine itself', () => {
    const open = Object.entries(services).flatMap(([name, { ports = [] }]) => ports.map((port) => [name, port]))
    expect(open.filter(([name]) => name !== 'caddy')).toEqual([['gateway-1', consoleAtHome]])
  })

  test('names settings that exist, and every setting that production requires', () => {
    const known = readFileSync('docs/operate/settings.md', 'utf8')
    const names = Object.keys(gateways[0]?.[1].environment ?? {})
    for (const name of names) expect(known).toContain(`\`${name}\``)
    for (const name of ['MODAL_ORIGIN', 'WALLET_ORIGIN', 'DATABASE_URL', 'POSTERN_SECRETS', 'SMTP_URL', 'MAIL_FROM'])
      expect(names).toContain(name)
  })

  test('gives the gateways a role of the database that is no superuser', () => {
    const { database } = services
    const script = readFileSync('scripts/database/create-role.sh', 'utf8')
    expect(database?.environment.POSTGRES_USER).toBe('postgres')
    expect(database?.volumes).toContain(
      './scripts/database/create-role.sh:/docker-entrypoint-initdb.d/create-role.sh:ro',
    )
    expect(new URL(`${gateways[0]?.[1].environment.DATABASE_URL}`.replace(/\$\{[^}]*\}/, 'x')).username).toBe('postern')
    expect(script).toMatch(/^create role postern login .*\bnosuperuser\b/m)
    for (const [, { environment }] of gateways)
      expect(JSON.stringify(environment)).not.toContain('DATABASE_ADMIN_PASSWORD')
  })

  test('names images by digest, also where a setting replaces them', () => {
    for (const [name, image] of [
      ['caddy', 'CADDY_IMAGE'],
      ['database', 'POSTGRES_IMAGE'],
    ] as const)
      expect(services[name]?.image).toMatch(new RegExp(`^\\$\\{${image}:-[a-z]+:[\\w.-]+@sha256:[0-9a-f]{64}\\}$`))
    const names = [...readFileSync('compose.yaml', 'utf8').matchAll(/\$\{([A-Z_]+)/g)].map(([, name]) => name)
    for (const name of ['CADDY_IMAGE', 'POSTGRES_IMAGE', 'DATABASE_ADMIN_PASSWORD']) {
      expect(names).toContain(name)
      expect(readFileSync('compose.env.example', 'utf8')).toContain(`${name}=`)
    }
  })

  test('puts no secret into the file', () => {
    const { DATABASE_URL, SMTP_URL } = gateways[0]?.[1].environment ?? {}
    expect(DATABASE_URL).toContain('$' + '{DATABASE_PASSWORD:?}')
    expect(SMTP_URL).toBe('$' + '{SMTP_URL:?}')
  })
})

test('the Caddyfile serves both hosts and passes requests on to both gateways unchanged', () => {
  const caddyfile = readFileSync('Caddyfile', 'utf8')
  expect(caddyfile).toMatch(/^\{\$MODAL_HOST\}, \{\$WALLET_HOST\} \{$/m)
  for (const [name] of gateways) expect(caddyfile).toContain(`${name}:4400`)
  const seconds = Number(/keepalive (\d+)s/.exec(caddyfile)?.[1])
  const server = readFileSync('apps/gateway/src/platform/http/server.ts', 'utf8')
  expect(seconds * 1_000).toBeLessThan(Number(/keepAliveTimeout: ([\d_]+)/.exec(server)?.[1]?.replaceAll('_', '')))
  expect(caddyfile).not.toMatch(/header_up|header_down|^\s*header /m)
})
