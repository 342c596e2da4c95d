import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createFiles } from './files'
import { chooseEncoding } from './send-file'

describe('createFiles', () => {
  let dir: string
  beforeAll(async () => {
    dir = await mkdtemp(path.join(tmpdir(), 'postern-files-'))
    await mkdir(path.join(dir, 'public/assets'), { recursive: true })
    await writeFile(path.join(dir, 'secret.json'), '{}')
    await writeFile(path.join(dir, 'public/.env.json'), '{}')
    await writeFile(path.join(dir, 'public/run.sh'), '#!')
    await writeFile(path.join(dir, 'public/assets/a-1.js'), 'one')
    await writeFile(path.join(dir, 'public/assets/a-1.js.br'), 'ONE')
  })
  afterAll(() => rm(dir, { recursive: true }))

  test('reads a file with its type and its precompressed variants', async () => {
    const file = await createFiles(path.join(dir, 'public')).read('assets/a-1.js')
    expect(file?.body.toString()).toBe('one')
    expect(file?.type).toBe('text/javascript; charset=utf-8')
    expect(file?.encoded.br?.toString()).toBe('ONE')
    // Compressed here: the build has no `.gz`.
    expect(gunzipSync(file?.encoded.gzip ?? '').toString()).toBe('one')
  })

  test('reads a changed file again, with a new tag', async () => {
    let at = 0
    const files = createFiles(path.join(dir, 'public'), () => at)
    await writeFile(path.join(dir, 'public/b.js'), 'before')
    const before = await files.read('b.js')
    await writeFile(path.join(dir, 'public/b.js'), 'afterwards')
    at += 250
    const after = await files.read('b.js')
    expect(after?.body.toString()).toBe('afterwards')
    expect(after?.tag).not.toBe(before?.tag)
    await rm(path.join(dir, 'public/b.js'))
    at += 250
    expect(await files.read('b.js')).toBeNull()
  })

  test('checks a file at most once per quarter of a second, and reads it once for concurrent requests', async () => {
    let at = 0
    const files = createFiles(path.join(dir, 'public'), () => at)
    const [one, two] = await Promise.all([files.read('assets/a-1.js'), files.read('assets/a-1.js')])
    expect(one).not.toBeNull()
    expect(two).toBe(one)
    await writeFile(path.join(dir, 'public/assets/a-1.js'), 'another one')
    at += 249
    expect(await files.read('assets/a-1.js')).toBe(one)
    at += 1
    expect((await files.read('assets/a-1.js'))?.body.toString()).toBe('another one')
  })

  test.each([
    '../secret.json',
    'assets/../../secret.json',
    '..%2fsecret.json',
    '..\\secret.json',
    '/etc/passwd.json',
    './assets/a-1.js',
    'assets//a-1.js',
    '.env.json',
    'run.sh',
    'assets',
    'assets/a-1.js/x.js',
    'assets/a-1.js\0.js',
    'missing.js',
    '',
    `${'a'.repeat(5_000)}.js`,
  ])('%j is not found', async (name) => {
    expect(await createFiles(path.join(dir, 'public')).read(name)).toBeNull()
  })
})

describe('chooseEncoding', () => {
  const both = { br: Buffer.from(''), gzip: Buffer.from('') }
  test.each([
    ['gzip, deflate, br, zstd', both, 'br'],
    ['gzip', both, 'gzip'],
    ['br;q=0, gzip', both, 'gzip'],
    ['br;q=0.000, gzip;q=0', both, undefined],
    ['*', both, 'br'],
    ['*;q=0', both, undefined],
    ['gzip, br', { gzip: Buffer.from('') }, 'gzip'],
    ['GZIP;q=0.5', both, 'gzip'],
    ['identity', both, undefined],
    [undefined, both, undefined],
    ['br', {}, undefined],
  ])('%j', (accept, available, expected) => {
    expect(chooseEncoding(accept, available)).toBe(expected)
  })
})
