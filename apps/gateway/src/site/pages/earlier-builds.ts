/**
 * Files of earlier builds: tabs opened before an upgrade go on.
 *
 * 1. At its start a gateway adds its own build to the folder, whole or not at all.
 * 2. A file that the own build lacks comes from the newest build that has it: replicas of two builds serve each other's
 *    files, if they share the folder.
 * 3. Only files with a content hash in the name are stored (`assets/`), and the script tag's by version. They never
 *    change.
 * 4. At most `maxBuilds` of a site are stored, and none unused for `maxAgeMs`. A gateway never removes its own.
 */
import { createHash, randomUUID } from 'node:crypto'
import { cp, mkdir, readdir, readFile, rename, rm, stat, utimes } from 'node:fs/promises'
import path from 'node:path'
import * as z from 'zod/mini'
import { isCode } from '../../platform/error-code'
import { createFiles, type Files } from '../../platform/html/files'
import { parseJson } from '../../platform/parse-json'

const maxBuilds = 20
const maxAgeMs = 90 * 86_400_000
/** Until another replica's new build is found. */
const listedForMs = 1_000

/** An older draft was left by a process that ended. */
const draftAgeMs = 3_600_000

type BuildFolders = { readonly modal: string; readonly wallet: string; readonly sdk: string }

export type EarlierBuilds = {
  /** Files of `own`, else of an earlier build. */
  readonly modal: (own: Files) => Files
  readonly wallet: (own: Files) => Files
  /** Names start with a version: `1.2.3/postern.js`. */
  readonly sdk: (own: Files) => Files
  /** Marks this gateway's build as used. */
  touch(): Promise<void>
}

/** @param dir `POSTERN_ASSETS`. */
export async function openEarlierBuilds(dir: string, own: BuildFolders, now: () => number): Promise<EarlierBuilds> {
  const stored: string[] = []
  for (const site of ['modal', 'wallet'] as const) {
    const assets = path.join(own[site], 'assets')
    const names = (await readdir(assets)).filter(isServed).sort()
    const id = createHash('sha256').update(names.join('\n')).digest('hex').slice(0, 16)
    const target = path.join(dir, site, id)
    await store(assets, target, 'assets', names)
    stored.push(target)
  }
  const sdkVersion = await releasedVersion(own.sdk)
  if (sdkVersion !== null) {
    const target = path.join(dir, 'sdk', sdkVersion)
    const names = (await readdir(own.sdk)).filter((name) =>
      /^(postern[a-z0-9-]*\.js|integrity\.json)(\.br|\.gz)?$/.test(name),
    )
    await store(own.sdk, target, '', names)
    stored.push(target)
  }
  const touch = async () => {
    const at = new Date(now())
    for (const target of stored) await utimes(target, at, at)
  }
  await touch()
  for (const site of ['modal', 'wallet', 'sdk']) await removeOld(path.join(dir, site), new Set(stored), now)
  const sdk = createFiles(path.join(dir, 'sdk'))
  return {
    modal: (files) => withEarlier(files, path.join(dir, 'modal')),
    wallet: (files) => withEarlier(files, path.join(dir, 'wallet')),
    sdk: (files) => ({
      read: async (name) => (await files.read(name)) ?? (name.includes('/') ? sdk.read(name) : null),
    }),
    touch,
  }
}

/** Null before the first release: a version's files then change. */
async function releasedVersion(sdk: string): Promise<string | null> {
  const text = await readFile(path.join(sdk, 'integrity.json'), 'utf8').catch(() => '')
  const version = z.safeParse(z.object({ version: z.string() }), parseJson(text)).data?.version
  return version === undefined || version === '0.0.0' ? null : version
}

function isServed(name: string): boolean {
  return !name.endsWith('.map')
}

/** Requirement 1, by a draft that is renamed. Of two processes, the first wins. */
async function store(source: string, target: string, folder: string, names: readonly string[]): Promise<void> {
  if (await isThere(target)) return
  const draft = path.join(path.dirname(target), `.${randomUUID()}`)
  await mkdir(path.join(draft, folder), { recursive: true })
  try {
    for (const name of names) await cp(path.join(source, name), path.join(draft, folder, name))
    await rename(draft, target)
  } catch (error) {
    if (!(await isThere(target))) throw error
  } finally {
    await rm(draft, { recursive: true, force: true })
  }
}

async function removeOld(dir: string, own: ReadonlySet<string>, now: () => number): Promise<void> {
  const builds = await listBuilds(dir)
  const old = builds.filter(({ folder, usedAt }, index) => {
    return !own.has(folder) && (index >= maxBuilds || usedAt < now() - maxAgeMs)
  })
  for (const { folder } of old) await rm(folder, { recursive: true, force: true })
  for (const name of await namesIn(dir)) {
    const draft = path.join(dir, name)
    if (!name.startsWith('.')) continue
    const isLeft = await stat(draft).then(
      ({ mtimeMs }) => mtimeMs < now() - draftAgeMs,
      () => false,
    )
    if (isLeft) await rm(draft, { recursive: true, force: true })
  }
}

function withEarlier(own: Files, dir: string): Files {
  const builds = new Map<string, Files>()
  let listed: { readonly at: number; readonly folders: Promise<readonly string[]> } | null = null
  const list = (): Promise<readonly string[]> => {
    const at = performance.now()
    if (listed === null || at - listed.at > listedForMs) {
      listed = { at, folders: listBuilds(dir).then((found) => found.map(({ folder }) => folder)) }
    }
    return listed.folders
  }
  return {
    async read(name) {
      const file = await own.read(name)
      if (file !== null) return file
      for (const folder of await list()) {
        const files = builds.get(folder) ?? createFiles(folder)
        builds.set(folder, files)
        const earlier = await files.read(name)
        if (earlier !== null) return earlier
      }
      return null
    },
  }
}

type Build = { readonly folder: string; readonly usedAt: number }

/** Last used first. */
async function listBuilds(dir: string): Promise<Build[]> {
  const found = await Promise.all(
    (await namesIn(dir))
      .filter((name) => !name.startsWith('.'))
      .map(async (name): Promise<Build[]> => {
        const folder = path.join(dir, name)
        return stat(folder).then(
          ({ mtimeMs }) => [{ folder, usedAt: mtimeMs }],
          () => [],
        )
      }),
  )
  return found.flat().sort((one, other) => other.usedAt - one.usedAt)
}

async function namesIn(dir: string): Promise<string[]> {
  return readdir(dir).catch((error: unknown) => {
    if (isCode(error, 'ENOENT')) return []
    throw error
  })
}

async function isThere(entry: string): Promise<boolean> {
  return stat(entry).then(
    () => true,
    () => false,
  )
}
