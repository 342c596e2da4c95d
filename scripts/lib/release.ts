/** What a release is: every file that a host serves to browsers, with its hash, signed. A live host is compared with it. */
import { createHash, type KeyObject, sign, verify } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import * as z from 'zod'

const Entry = z.object({
  site: z.enum(['modal', 'wallet']),
  /** As the host serves it. */
  path: z.string().startsWith('/'),
  /** Hexadecimal. Of a page: without the data of the project that the gateway adds to it. */
  sha256: z.string().length(64),
  /** `Content-Type` without parameters. */
  type: z.string(),
  /** Directives of the `Content-Security-Policy`. */
  policy: z.record(z.string(), z.string()).optional(),
})

export const Manifest = z.object({ version: z.string(), files: z.array(Entry) })

export type Manifest = z.infer<typeof Manifest>
type Entry = z.infer<typeof Entry>
export type Site = Entry['site']

const sha256 = (bytes: Buffer | string) => createHash('sha256').update(bytes).digest('hex')

/** The block that the gateway adds before `</head>`. Browsers do not run it. */
const dataBlock = /<script type="application\/json" id="[^"]+">[^<]*<\/script>\n {2}(?=<\/head>)/
const withoutData = (html: string) => html.replace(dataBlock, '')

/** Pages are served at other addresses than their file's name. */
const pages: Readonly<Record<string, string>> = { 'index.html': '/', 'sdk.html': '/sdk', 'window.html': '/window' }

/** Of the gateway's own files: which sites serve them. */
const staticSites: Readonly<Record<string, readonly Site[]>> = {
  'device.css': ['wallet'],
  'onramp.js': ['modal'],
  'page.css': ['modal', 'wallet'],
  'refusal.js': ['modal'],
  'social.css': ['wallet'],
  'social.js': ['wallet'],
}

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css',
  '.html': 'text/html',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain',
  '.wasm': 'application/wasm',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
}

const pagePolicy = {
  'default-src': "'none'",
  'script-src': "'self'",
  'style-src': "'self'",
  'base-uri': "'none'",
  'form-action': "'none'",
  'require-trusted-types-for': "'script'",
}
/** A worker has the policy of its own file. */
const workerPolicy = { 'default-src': "'none'", 'script-src': "'self'" }

/** Not served: source maps, and the compressed copies, which are of the same file. */
const isServed = (name: string) => !/\.(map|br|gz)$/.test(name)

function filesOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && isServed(entry.name))
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
    .sort()
}

/** The folders of the three builds, and of the files that the gateway itself adds. */
export type Builds = Readonly<Record<'modal' | 'wallet' | 'client' | 'static', string>>

/** @throws if the gateway could not serve a file, or it is not known on which site it does. */
export function manifestOf(builds: Builds, version: string): Manifest {
  const entry = (build: keyof Builds, file: string, site: Site, at: string): Entry => {
    const type = types[path.extname(file)]
    if (type === undefined) throw new Error(`${builds[build]}/${file} has no type that the gateway serves.`)
    const policy = file in pages ? pagePolicy : /^assets\/.*\.js$/.test(file) ? workerPolicy : undefined
    const hash = sha256(readFileSync(path.join(builds[build], file)))
    return { site, path: at, sha256: hash, type, ...(policy === undefined ? {} : { policy }) }
  }
  const site = (name: Site) => filesOf(builds[name]).map((file) => entry(name, file, name, pages[file] ?? `/${file}`))
  const gateway = filesOf(builds.static).flatMap((file) => {
    const sites = staticSites[file]
    if (sites === undefined) throw new Error(`Say in scripts/lib/release.ts which sites serve ${file}.`)
    return sites.map((name) => entry('static', file, name, `/${file}`))
  })
  const client = filesOf(builds.client)
  const scripts = client.filter((file) => /^postern[a-z0-9-]*\.js$/.test(file))
  const newest = scripts.map((file) => entry('client', file, 'modal', `/${file}`))
  const pinned = [...scripts, ...client.filter((file) => file === 'integrity.json')].map((file) =>
    entry('client', file, 'modal', `/postern@${version}/${file}`),
  )
  return { version, files: [...site('modal'), ...site('wallet'), ...gateway, ...newest, ...pinned] }
}

/** Ed25519 over the bytes of the file, in Base64. */
export const signManifest = (bytes: Buffer, key: KeyObject) => sign(null, bytes, key).toString('base64')

export const isSigned = (bytes: Buffer, signature: string, key: KeyObject) =>
  verify(null, bytes, key, Buffer.from(signature, 'base64'))

export type Host = {
  readonly origins: Readonly<Record<Site, string>>
  /** Pages are served for a project, to a page of one of its origins. */
  readonly projectId: string
  readonly dappOrigin: string
}

export type Difference = { readonly url: string; readonly problem: string }

/** Asks the host for every file of the manifest. */
export async function compareHost({ files }: Manifest, host: Host): Promise<readonly Difference[]> {
  const differences: Difference[] = []
  for (const file of files) {
    const url = new URL(file.path, host.origins[file.site])
    if (isPage(file)) url.searchParams.set('projectId', host.projectId)
    const referer = file.site === 'modal' ? host.dappOrigin : host.origins.modal
    const problem = await fetch(url, { headers: { Referer: `${referer}/` }, redirect: 'error' })
      .then((response) => problemOf(response, file, host))
      .catch((error: unknown) => `not reached: ${String(error)}`)
    if (problem !== undefined) differences.push({ url: url.href, problem })
  }
  return differences
}

const isPage = (file: Entry) => Object.values(pages).includes(file.path)

/**
 * 1. The bytes are those of the release; of a page, without the project's data.
 * 2. So is the type: a browser runs the same bytes in another way.
 * 3. So are the directives of the policy. The modal frames only the wallet of this host, whatever its data say.
 * 4. No other header of a page loads anything or leads away.
 */
async function problemOf(response: Response, file: Entry, host: Host): Promise<string | undefined> {
  if (!response.ok) return `HTTP ${response.status}`
  const body = Buffer.from(await response.arrayBuffer())
  const found = sha256(isPage(file) ? withoutData(body.toString()) : body)
  if (found !== file.sha256) return `another file: sha256 ${found}, published ${file.sha256}`
  const type = response.headers.get('Content-Type')?.replace(/;.*/s, '').trim().toLowerCase()
  if (type !== file.type) return `another type: ${type ?? 'none'}, published ${file.type}`
  const frames = file.site === 'modal' && isPage(file) ? { 'frame-src': new URL(host.origins.wallet).origin } : {}
  const header = response.headers.get('Content-Security-Policy') ?? ''
  const loose = file.policy === undefined ? [] : looseDirectives(header, { ...file.policy, ...frames })
  if (loose.length > 0) return `another Content-Security-Policy: ${loose.join(', ')}`
  const extra = isPage(file) ? ['Link', 'Refresh'].filter((name) => response.headers.has(name)) : []
  return extra.length === 0 ? undefined : `a header that is not of the release: ${extra.join(', ')}`
}

/** These would replace `script-src` and `style-src`, which the release has alone (CSP 3 §6.8.3). */
const finerDirectives = ['script-src-elem', 'script-src-attr', 'style-src-elem', 'style-src-attr']

/** The names of directives that are not as expected. A browser applies every policy, so that one must have them all. */
function looseDirectives(header: string, expected: Readonly<Record<string, string>>): readonly string[] {
  const each = header.split(',').map((text) => {
    const found = directivesOf(text)
    return [
      ...Object.keys(expected).filter((name) => found.get(name) !== expected[name]),
      ...finerDirectives.filter((name) => found.has(name)),
    ]
  })
  return each.reduce((best, loose) => (loose.length < best.length ? loose : best))
}

/** The first of two with one name counts (CSP 3 §2.2.1). */
function directivesOf(policy: string): ReadonlyMap<string, string> {
  const directives = new Map<string, string>()
  for (const text of policy.split(';')) {
    const [name = '', ...values] = text.trim().split(/\s+/)
    if (!directives.has(name.toLowerCase())) directives.set(name.toLowerCase(), values.join(' '))
  }
  return directives
}
