import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliDecompress, gunzip } from 'node:zlib'
import type { Context, Hono } from 'hono'
import * as z from 'zod'
import type { Files, StoredFile } from '../platform/html/files'
import { immutable, revalidate, sendFile } from '../platform/html/send-file'
import { parseJson } from '../platform/parse-json'
import { type SiteEnv, serveFile } from './site'

/** `dist/integrity.json` of `@postern/client`. `files`: `integrity` attributes by file name. */
const Build = z.object({ version: z.string(), files: z.record(z.string(), z.string()).default({}) })
type Build = z.infer<typeof Build>

/** A build of this version may change. */
const unreleased = '0.0.0'

const names = 'postern(?:-[a-z0-9]+)*\\.js'

const openToPages = { 'Access-Control-Allow-Origin': '*', 'Cross-Origin-Resource-Policy': 'cross-origin' }

/**
 * 1. `/postern.js` is the newest build, revalidated on each request. It asks for its parts with `?v=<version>`.
 * 2. `/postern@<version>/…` never changes, so a page can pin it with an `integrity` attribute.
 * 3. Earlier versions are in folders (`<sdkDir>/1.2.3/postern.js`). A missing version is not found: another's file
 *    would fail the check of its hash.
 * 4. Caches keep a version's file only if it has the hash of `integrity.json`. A file with another hash is not found,
 *    as while a new build replaces the old.
 * 5. `/integrity.json` has the newest version and its hashes, for tools that write a pinned tag.
 */
export function serveScript(app: Hono<SiteEnv>, files: Files): void {
  async function find(version: string) {
    const current = await readBuild(files, '')
    if (version === current?.version) return { folder: '', build: current }
    const folder = `${version}/`
    const build = await readBuild(files, folder)
    return { folder, build: build?.version === version ? build : undefined }
  }

  app.get(`/:name{${names}}`, async (context) => {
    const version = context.req.query('v')
    const folder = version === undefined ? '' : (await find(version)).folder
    return serveFile(context, files, `${folder}${context.req.param('name')}`, {
      ...openToPages,
      'Cache-Control': revalidate,
    })
  })

  app.get('/integrity.json', (context) =>
    serveFile(context, files, 'integrity.json', { ...openToPages, 'Cache-Control': 'no-store' }),
  )

  app.get(`/:release{postern@[0-9][0-9A-Za-z.-]*}/:name{${names}|integrity\\.json}`, async (context) => {
    const { name, release } = context.req.param()
    const version = release.slice('postern@'.length)
    const { folder, build } = await find(version)
    const file = await files.read(`${folder}${name}`)
    const expected = build?.files[name]
    if (file === null || (expected !== undefined && integrityOf(file.body) !== expected)) return notFound(context)
    const caching = expected === undefined ? 'no-store' : immutable
    return sendFile(context, expected === undefined ? file : await withSoundEncodings(file, expected), {
      ...openToPages,
      'Cache-Control': version === unreleased ? revalidate : caching,
    })
  })
}

/** Tag of the newest build, unchanged by later builds; null before the first release. */
export async function readPinnedTag(
  files: Files,
): Promise<{ readonly path: string; readonly integrity: string } | null> {
  const build = await readBuild(files, '')
  const integrity = build?.files['postern.js']
  if (build === undefined || integrity === undefined || build.version === unreleased) return null
  return { path: `/postern@${build.version}/postern.js`, integrity }
}

async function readBuild(files: Files, folder: string): Promise<Build | undefined> {
  const file = await files.read(`${folder}integrity.json`)
  return file === null ? undefined : Build.safeParse(parseJson(file.body.toString())).data
}

function notFound(context: Context<SiteEnv>) {
  context.header('Cache-Control', 'no-store')
  return context.notFound()
}

const integrityOf = (bytes: Buffer) => `sha384-${createHash('sha384').update(bytes).digest('base64')}`

const decompress = { br: promisify<Buffer, Buffer>(brotliDecompress), gzip: promisify<Buffer, Buffer>(gunzip) }

/** Cached by file, which has one expected hash: decompressing takes time. */
const sound = new WeakMap<StoredFile, Promise<StoredFile>>()

/** Drops compressed copies of other bytes: the build writes them after the file. */
function withSoundEncodings(file: StoredFile, expected: string): Promise<StoredFile> {
  const isSound = async (encoding: 'br' | 'gzip') => {
    const bytes = file.encoded[encoding]
    if (bytes === undefined) return false
    return decompress[encoding](bytes).then(
      (body) => integrityOf(body) === expected,
      () => false,
    )
  }
  const known = sound.get(file)
  if (known !== undefined) return known
  const checked = Promise.all([isSound('br'), isSound('gzip')]).then(([br, gzip]) => ({
    ...file,
    encoded: { ...(br ? { br: file.encoded.br } : {}), ...(gzip ? { gzip: file.encoded.gzip } : {}) },
  }))
  sound.set(file, checked)
  return checked
}
