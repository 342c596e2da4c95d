import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createFiles } from '../../platform/html/files'
import { noon } from '../../testing/clock'
import { openEarlierBuilds } from './earlier-builds'

const day = 86_400_000
let dir: string
let at: number

beforeEach(async () => {
  dir = await mkdtemp(path.join(tmpdir(), 'postern-builds-'))
  at = noon
})
afterEach(() => rm(dir, { recursive: true }))

/** A release with the given modal asset; its wallet is always the same. */
async function release(asset: string, version = '0.0.0') {
  const own = {
    modal: path.join(dir, asset, 'modal'),
    wallet: path.join(dir, asset, 'wallet'),
    sdk: path.join(dir, asset),
  }
  for (const site of [own.modal, own.wallet]) await mkdir(path.join(site, 'assets'), { recursive: true })
  await writeFile(path.join(own.modal, 'index.html'), `<script src="/assets/${asset}">`)
  await writeFile(path.join(own.modal, 'assets', asset), `// ${asset}`)
  await writeFile(path.join(own.modal, 'assets', `${asset}.map`), '{}')
  await writeFile(path.join(own.wallet, 'assets/frame-1.js'), '// frame')
  await writeFile(path.join(own.sdk, 'postern.js'), `// ${version}`)
  await writeFile(path.join(own.sdk, 'integrity.json'), JSON.stringify({ version, files: {} }))
  return own
}

async function start(own: Awaited<ReturnType<typeof release>>) {
  const builds = await openEarlierBuilds(path.join(dir, 'store'), own, () => at)
  const modal = builds.modal(createFiles(own.modal))
  const sdk = builds.sdk(createFiles(own.sdk))
  const text = async (files: typeof modal, name: string) => (await files.read(name))?.body.toString() ?? null
  return {
    touch: builds.touch,
    asset: (name: string) => text(modal, `assets/${name}`),
    page: () => text(modal, 'index.html'),
    script: (name: string) => text(sdk, name),
  }
}

const storedModals = async () => (await readdir(path.join(dir, 'store/modal'))).length

describe('earlier builds', () => {
  test('1., 2. a tab of the previous build still gets its files after an upgrade, and new tabs the new page', async () => {
    const one = await release('one-1.js')
    await start(one)
    // The package manager replaces the program.
    await rm(path.join(dir, 'one-1.js'), { recursive: true })
    const upgraded = await start(await release('two-2.js'))
    expect(await upgraded.asset('one-1.js')).toBe('// one-1.js')
    expect(await upgraded.asset('two-2.js')).toBe('// two-2.js')
    expect(await upgraded.page()).toContain('two-2.js')
    expect(await upgraded.asset('three-3.js')).toBeNull()
    expect(await upgraded.asset('one-1.js.map')).toBeNull()
  })

  test('2. a replica of the old build serves the files of one that started after it', async () => {
    const old = await start(await release('one-1.js'))
    expect(await old.asset('two-2.js')).toBeNull()
    await start(await release('two-2.js'))
    await expect.poll(() => old.asset('two-2.js')).toBe('// two-2.js')
  })

  test('2. replicas that start together with one build store it once', async () => {
    const own = await release('one-1.js')
    await Promise.all([start(own), start(own), start(own)])
    expect(await storedModals()).toBe(1)
  })

  test('3. files of the script tag stay by version, and an unreleased version is not stored', async () => {
    await start(await release('one-1.js', '1.2.3'))
    const upgraded = await start(await release('two-2.js', '1.3.0'))
    expect(await upgraded.script('1.2.3/postern.js')).toBe('// 1.2.3')
    expect(await upgraded.script('postern.js')).toBe('// 1.3.0')
    await start(await release('three-3.js', '0.0.0'))
    expect((await readdir(path.join(dir, 'store/sdk'))).sort()).toEqual(['1.2.3', '1.3.0'])
  })

  test('4. at most twenty builds stay, the last used ones, and the own one always', async () => {
    for (let number = 1; number <= 23; number += 1) {
      at += 1_000
      await start(await release(`build-${number}.js`))
    }
    const last = await start(await release('build-23.js'))
    expect(await storedModals()).toBe(20)
    expect(await last.asset('build-4.js')).toBe('// build-4.js')
    expect(await last.asset('build-3.js')).toBeNull()
  })

  test('4. a build that no gateway ran for 90 days goes; a running gateway says so of its own', async () => {
    const unused = await start(await release('one-1.js'))
    const running = await start(await release('two-2.js'))
    at += 89 * day
    await running.touch()
    at += 2 * day
    const upgraded = await start(await release('three-3.js'))
    expect(await upgraded.asset('one-1.js')).toBeNull()
    expect(await upgraded.asset('two-2.js')).toBe('// two-2.js')
    expect(await unused.asset('one-1.js')).toBe('// one-1.js')
  })

  test('1. a draft of a process that ended is removed, and never served', async () => {
    const own = await release('one-1.js')
    const draft = path.join(dir, 'store/modal/.77-1')
    await mkdir(path.join(draft, 'assets'), { recursive: true })
    await writeFile(path.join(draft, 'assets/half-9.js'), '//')
    const old = new Date(at - day)
    await utimes(draft, old, old)
    const started = await start(own)
    expect(await started.asset('half-9.js')).toBeNull()
    expect(await readdir(path.join(dir, 'store/modal'))).not.toContain('.77-1')
  })
})
