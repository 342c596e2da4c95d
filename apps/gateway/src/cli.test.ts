import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest'
import { SecretKeys } from './platform/secrets/secrets'

const source = ['--import', 'tsx', path.resolve(import.meta.dirname, 'cli.ts')]
const built = [path.join(inject('builtFolder'), 'cli.js')]

/** As npm starts it: in the gateway's folder, with the caller's folder in INIT_CWD and an open umask. */
function run(program: readonly string[], folder: string, ...words: string[]) {
  return promisify(execFile)('sh', ['-c', 'umask 000; exec "$@"', 'sh', process.execPath, ...program, ...words], {
    cwd: path.resolve(import.meta.dirname, '..'),
    env: { ...process.env, INIT_CWD: folder },
  })
}

test('npm run gateway -- project names a setting that it does not know', { timeout: 60_000 }, async () => {
  await expect(run(source, '.', 'project', 'add', '--name', 'One', '--look', 'mode=dark')).rejects.toMatchObject({
    stderr: expect.stringContaining('look: Unrecognized key: "mode"'),
  })
})

describe('npm run gateway -- secrets', { timeout: 60_000 }, () => {
  let folder: string
  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'postern-cli-'))
  })
  afterEach(() => rm(folder, { recursive: true }))

  test('writes a file in the caller’s folder that only its owner can read, and never replaces it', async () => {
    const file = path.join(folder, 'secrets.json')
    const { stdout } = await run(built, folder, 'secrets', 'secrets.json')
    expect(stdout).toBe('')
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    const text = await readFile(file, 'utf8')
    expect(SecretKeys.safeParse(JSON.parse(text)).success).toBe(true)

    const [again, elsewhere] = await Promise.allSettled([
      run(built, folder, 'secrets', 'secrets.json'),
      run(built, folder, 'secrets', 'none/secrets.json'),
    ])
    expect(again).toMatchObject({ reason: { stderr: 'secrets.json is there already, and was not changed\n' } })
    expect(await readFile(file, 'utf8')).toBe(text)
    expect(elsewhere).toMatchObject({
      reason: { stderr: 'none/secrets.json cannot be written (ENOENT): make its folder, or name another one\n' },
    })
  })

  test('prints other secrets each time without a file', async () => {
    const printed = await Promise.all([run(built, folder, 'secrets'), run(built, folder, 'secrets')])
    const [one, two] = printed.map(({ stdout }) => SecretKeys.parse(JSON.parse(stdout)))
    expect(one?.code[0]?.key).not.toBe(two?.code[0]?.key)
  })
})
