/** What gateways on one database share, and its confidentiality. */

import { DrizzleQueryError } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import type { Database } from '../../platform/db/open'
import { siwxKeys } from '../../platform/db/siwx-schema'
import { createSecrets, newSecretKeys } from '../../platform/secrets/secrets'
import { clock, noon } from '../../testing/clock'
import { databases, everyRow, openTestDatabase } from '../../testing/databases'
import { appOrigin, page, testApps, visitor } from '../../testing/siwx'
import { createSignIns } from './siwx'

const day = 86_400_000
const { open, start } = testApps()

test('a key whose row is deleted becomes invalid within seconds, and another one signs', async () => {
  const time = clock()
  const app = await start({ now: time.now })
  const before = await page(app).signIn(visitor(time.now))
  await app.database.orm.delete(siwxKeys)
  time.pass(5_001)
  expect((await page(app).me(before)).reason).toBe('NOT_SIGNED_IN')
  const after = await page(app).signIn(visitor(time.now))
  expect((await page(app).me(after)).status).toBe(200)
})

describe.each(databases)('two gateways on $kind', ({ open: openDatabase }) => {
  async function startTwo(more: { readonly now?: () => number } = {}) {
    const database = await openDatabase()
    const secrets = createSecrets(newSecretKeys())
    const now = more.now ?? (() => noon)
    const gateway = (on: Database = database) =>
      start({ now, signIns: createSignIns({ database: on, secrets, rotateEvery: 30 * day, now }) })
    const both = [page(await gateway()), page(await gateway())] as const
    open.push(database)
    return { both, database, gateway, secrets }
  }

  test('accept a nonce once, even at the same moment', async () => {
    const { both, database } = await startTwo()
    const [one, two] = both
    const signed = await visitor().sign({ nonce: await one.nonce() })
    const answers = await Promise.all([1, 2, 3, 4].flatMap(() => [one.authenticate(signed), two.authenticate(signed)]))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(new Set(answers.flatMap(({ reason }) => reason ?? []))).toEqual(new Set(['NONCE_INVALID']))
    expect((await two.authenticate(signed)).reason).toBe('NONCE_INVALID')
    expect((await everyRow(database)).get('siwx_keys')?.match(/"kid":"/g)).toHaveLength(1)
  })

  test('share sessions and sign-outs, also after a restart', async () => {
    const { both, gateway } = await startTwo()
    const [one, two] = both
    const [stays, leaves] = [await one.signIn(visitor()), await one.signIn(visitor())]
    expect((await two.me(stays)).status).toBe(200)
    await two.signOut(leaves)
    const again = page(await gateway())
    for (const site of [one, two, again]) {
      expect((await site.me(stays)).status).toBe(200)
      expect((await site.me(leaves)).reason).toBe('NOT_SIGNED_IN')
    }
  })

  test('change keys without signing users out', async () => {
    const time = clock()
    const { both } = await startTwo(time)
    const [one, two] = both
    await one.signIn(visitor(time.now))
    time.pass(28 * day)
    const before = await one.signIn(visitor(time.now))
    time.pass(3 * day)
    const after = await two.signIn(visitor(time.now))
    const kidOf = (token: string) => JSON.parse(atob(token.split('.')[0] ?? '')).kid
    expect(kidOf(after)).not.toBe(kidOf(before))
    for (const site of both) for (const token of [before, after]) expect((await site.me(token)).status).toBe(200)
    time.pass(4 * day + 1)
    expect((await one.me(before)).reason).toBe('NOT_SIGNED_IN')
    expect((await one.me(after)).status).toBe(200)
  })
})

test('no log line or row contains a token, signature, address or nonce, and expired rows are deleted', async () => {
  const time = clock()
  const app = await start({ now: time.now })
  const site = page(app)
  const alice = visitor(time.now)
  const nonce = await site.nonce()
  const signed = await alice.sign({ nonce })
  const { token = '' } = await site.authenticate(signed)
  await site.me(token)
  await site.authenticate(signed)
  const rows = await everyRow(app.database)
  await site.signOut(token)
  const after = await everyRow(app.database)
  const sweeping = createSignIns({
    database: app.database,
    secrets: createSecrets(newSecretKeys()),
    rotateEvery: 30 * day,
    now: time.now,
  })
  const texts = [app.log(), ...rows.values(), ...after.values()].join('\n').toLowerCase()
  for (const secret of [
    nonce,
    signed.signature,
    signed.signature.slice(2),
    alice.address,
    token,
    'wants you to sign',
  ]) {
    expect(texts).not.toContain(secret.toLowerCase())
  }
  expect(app.log()).toContain('/v1/siwx/authenticate')
  time.pass(8 * day)
  await sweeping.sweep()
  const left = await everyRow(app.database)
  for (const name of ['siwx_nonces', 'siwx_revoked', 'siwx_proofs']) expect(left.get(name)).toContain('"rows":[]')
})

test('a database failure is a 500 without details, and logs nothing about the visitor', async () => {
  const alice = visitor()
  const database = await openTestDatabase()
  open.push(database)
  const secrets = createSecrets(newSecretKeys())
  const audiences: string[] = []
  const orm = new Proxy(database.orm, {
    get(target, name, receiver) {
      if (name === 'insert') throw new DrizzleQueryError(`insert ${audiences}`, audiences, new Error('no connection'))
      return Reflect.get(target, name, receiver)
    },
  })
  const signIns = createSignIns({ database: { orm }, secrets, rotateEvery: 30 * day, now: () => noon })
  const app = await start({ signIns })
  const nonce = await page(app).nonce()
  const signed = await alice.sign({ nonce })
  audiences.push(nonce, signed.signature, alice.address)
  const failed = await page(app).authenticate(signed)
  expect([failed.status, failed.reasons?.[0]?.description]).toEqual([500, 'Something went wrong'])
  expect(failed.response.headers.get('Access-Control-Allow-Origin')).toBe(appOrigin)
  expect(app.log()).toContain('no connection')
  for (const secret of audiences) expect(app.log()).not.toContain(secret)
})
