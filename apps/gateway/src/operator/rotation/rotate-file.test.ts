import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { newSecretKeys, SecretKeys } from '../../platform/secrets/secrets'
import { runRotate } from './command'

const before = newSecretKeys()
let dir: string
beforeEach(async () => {
  dir = await mkdtemp(path.join(tmpdir(), 'postern-rotate-'))
  await writeFile(path.join(dir, 'secrets.json'), JSON.stringify(before), { mode: 0o600 })
})
afterEach(() => rm(dir, { recursive: true }))

const read = async () => SecretKeys.parse(JSON.parse(await readFile(path.join(dir, 'secrets.json'), 'utf8')))
const idsOf = (keys: SecretKeys) => keys.authShare.map(({ id }) => id)

describe('secrets rotate', () => {
  test('names a file that it cannot read', async () => {
    await expect(runRotate(['none.json'], dir)).rejects.toThrow(`${path.join(dir, 'none.json')} is not there`)
    await expect(runRotate(['.'], dir)).rejects.toThrow(/cannot be read: EISDIR/)
  })

  test('1., 2. puts a new key of each purpose first, and loses none', async () => {
    expect(await runRotate(['secrets.json'], dir)).toContain('authShare: seals with 2, opens 2, 1')
    const keys = await read()
    expect(idsOf(keys)).toEqual(['2', '1'])
    expect(keys.authShare[1]).toEqual(before.authShare[0])
    expect(keys.email).toHaveLength(2)
    expect((await stat(path.join(dir, 'secrets.json'))).mode & 0o777).toBe(0o600)
    expect(await readdir(dir)).toEqual(['secrets.json'])
  })

  test('3. with --last only opens with the new key, once; then it becomes the first', async () => {
    await runRotate(['secrets.json', '--last'], dir)
    await runRotate(['secrets.json', '--last'], dir)
    const waiting = await read()
    expect(idsOf(waiting)).toEqual(['1', '2'])
    await runRotate(['secrets.json'], dir)
    expect((await read()).authShare).toEqual([waiting.authShare[1], waiting.authShare[0]])
  })

  test('changes only the named purposes', async () => {
    await runRotate(['secrets.json', '--purpose', 'email'], dir)
    expect(await read()).toMatchObject({ authShare: before.authShare, code: before.code })
    await expect(runRotate(['secrets.json', '--purpose', 'mail'], dir)).rejects.toThrow('Unknown purpose mail')
  })

  test('1. leaves a file with other content as it is', async () => {
    await writeFile(path.join(dir, 'secrets.json'), '{"email":"hush"')
    await expect(runRotate(['secrets.json'], dir)).rejects.toThrow('was not changed')
    expect(await readFile(path.join(dir, 'secrets.json'), 'utf8')).toBe('{"email":"hush"')
  })
})
