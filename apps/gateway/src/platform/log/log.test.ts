import { PassThrough } from 'node:stream'
import { sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { openTestDatabase } from '../../testing/databases'
import { createLog, type Log } from './log'

function readable(): { log: Log; text: () => string } {
  const sink = new PassThrough()
  let text = ''
  sink.on('data', (chunk: Buffer) => {
    text += chunk.toString()
  })
  return { log: createLog('info', sink), text: () => text }
}

describe('createLog', () => {
  test('redacts secret fields at the top level and one level below', () => {
    const { log, text } = readable()
    log.info({ email: 'a@hidden.example', user: { token: 'hush', address: '0xhidden' }, status: 200 }, 'signed in')
    expect(text()).not.toMatch(/hidden\.example|hush|0xhidden/)
    expect(JSON.parse(text())).toMatchObject({ level: 'info', email: '[hidden]', status: 200, msg: 'signed in' })
  })

  test('logs why a query failed, without its parameters', async () => {
    const { log, text } = readable()
    const database = await openTestDatabase()
    const failure = await database.orm.execute(sql`select * from nowhere where email = ${'a@hidden.example'}`).then(
      () => null,
      (error: unknown) => error,
    )
    await database.close()
    expect(String(failure)).toContain('a@hidden.example')
    log.error({ err: failure }, 'failed')
    expect(text()).toContain('relation \\"nowhere\\" does not exist')
    expect(text()).not.toContain('a@hidden.example')
    expect(text()).toContain('log.test.ts')
  })
})
