/** A release: the signed hashes of all files that a host serves to browsers, to check live hosts. */
import { createHash, type KeyObject, sign, verify } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { parseAllowedOrigin } from '@postern/protocol'
import * as z from 'zod'
import { contentTypes } from '../../apps/gateway/src/platform/html/files'
import {
  type HeaderTable,
  modalPageHeaders,
  scriptHeaders,
  walletPageHeaders,
  walletWindowHeaders,
} from '../../apps/gateway/src/platform/html/headers'

const Entry = z.object({
  site: z.enum(['modal', 'wallet']),
  /** Path on the host. */
  path: z.string().startsWith('/'),
  /** Hex. A page's hash excludes the project data that the gateway adds. */
  sha256: z.string().length(64),
  /** The whole `Content-Type`. */
  type: z.string(),
  /** The `Content-Security-Policy`. `{wallet}`, `{modal}`, `{project}`: origins that the host chooses. */
  policy: z.record(z.string(), z.string()).optional(),
})

export const Manifest = z.object({ version: z.string(), files: z.array(Entry) })

export type Manifest = z.infer<typeof Manifest>
type Entry = z.infer<typeof Entry>
export type Site = Entry['site']

const sha256 = (bytes: Buffer | string) => createHash('sha256').update(bytes).digest('hex')

/** The data that the gateway adds before `</head>`. Browsers do not run it. */
const dataBlock = /<script type="application\/json" id="[^"]+">[^<]*<\/script>\n {2}(?=<\/head>)/
const withoutData = (html: string) => html.replace(dataBlock, '')

/** The paths of pages. */
const pages: Readonly<Record<string, string>> = { 'index.html': '/', 'sdk.html': '/sdk', 'window.html': '/window' }

/** The sites that serve the gateway's own files. */
const staticSites: Readonly<Record<string, readonly Site[]>> = {
  'device.css': ['wallet'],
  'onramp.js': ['modal'],
  'page.css': ['modal', 'wallet'],
  'refusal.js': ['modal'],
  'social.css': ['wallet'],
  'social.js': ['wallet'],
}

/** Chosen by a host and its project. */
const chosen = { wallet: '{wallet}', modal: '{modal}', project: '{project}' }
const options = { walletOrigin: chosen.wallet, modalOrigin: chosen.modal, production: true }
/** By the name of the build's file. */
const pageHeaders: Readonly<Record<string, HeaderTable>> = {
  'index.html': modalPageHeaders([chosen.project], null, options),
  'sdk.html': walletPageHeaders([chosen.project], options),
  'window.html': walletWindowHeaders,
}

/** A worker has the policy of its own file. */
function policyOf(file: string): Pick<Entry, 'policy'> {
  const headers = pageHeaders[file] ?? (/^assets\/.*\.js$/.test(file) ? scriptHeaders : undefined)
  if (headers === undefined) return {}
  return { policy: Object.fromEntries(directivesOf(headers['Content-Security-Policy'] ?? '')) }
}

/** Not source maps and compressed copies. */
const isServed = (name: string) => !/\.(map|br|gz)$/.test(name)

function filesOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && isServed(entry.name))
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
    .sort()
}

/** Folders of the three builds, and of the gateway's own files. */
export type Builds = Readonly<Record<'modal' | 'wallet' | 'client' | 'static', string>>

/** @throws if a file has no type that the gateway serves, or no known site */
export function manifestOf(builds: Builds, version: string): Manifest {
  const entry = (build: keyof Builds, file: string, site: Site, at: string): Entry => {
    const type = contentTypes[path.extname(file)]
    if (type === undefined) throw new Error(`${builds[build]}/${file} has no type that the gateway serves.`)
    const hash = sha256(readFileSync(path.join(builds[build], file)))
    return { site, path: at, sha256: hash, type, ...policyOf(file) }
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
 * The first difference between a response and the release.
 *
 * 1. The bytes are those of the release; a page's without the project's data.
 * 2. The whole type is the release's: another charset makes a browser run the same bytes in another way.
 * 3. The whole policy is the release's, and the only one of the header. The modal frames only the wallet of this host,
 *    whatever its data say.
 * 4. No other header of a page loads anything or leads away.
 */
async function problemOf(response: Response, file: Entry, host: Host): Promise<string | undefined> {
  if (!response.ok) return `HTTP ${response.status}`
  const body = Buffer.from(await response.arrayBuffer())
  const found = sha256(isPage(file) ? withoutData(body.toString()) : body)
  if (found !== file.sha256) return `another file: sha256 ${found}, published ${file.sha256}`
  const type = response.headers.get('Content-Type') ?? 'none'
  if (plainType(type) !== plainType(file.type)) return `another type: ${type}, published ${file.type}`
  const header = response.headers.get('Content-Security-Policy') ?? ''
  const other = file.policy === undefined ? [] : otherDirectives(header, file.policy, host)
  if (other.length > 0) return `another Content-Security-Policy: ${other.join(', ')}`
  const extra = isPage(file) ? ['Link', 'Refresh'].filter((name) => response.headers.has(name)) : []
  return extra.length === 0 ? undefined : `a header that is not of the release: ${extra.join(', ')}`
}

/** Names ignore case, and spaces may surround `;` (RFC 9110 §8.3.1). */
const plainType = (type: string) =>
  type
    .toLowerCase()
    .replace(/\s*;\s*/g, ';')
    .trim()

/** The names of directives that differ, are missing, added, or come twice. */
function otherDirectives(
  header: string,
  policy: NonNullable<Entry['policy']>,
  { origins }: Pick<Host, 'origins'>,
): readonly string[] {
  const [, ...more] = header.split(',')
  if (more.length > 0) return [`${more.length + 1} policies`]
  const names = header.split(';').map((text) => text.trim().split(/\s+/)[0]?.toLowerCase() ?? '')
  const found = directivesOf(header)
  const twice = names.filter((name, at) => names.indexOf(name) !== at)
  const expected = Object.entries(policy)
  const added = [...found.keys()].filter((name) => !(name in policy))
  const changed = expected.filter(([name, value]) => {
    const sources = value
      .replace(chosen.wallet, originOf(origins.wallet))
      .replace(chosen.modal, originOf(origins.modal))
    return !isDirective(name, found.get(name), sources)
  })
  return [...new Set([...changed.map(([name]) => name), ...added, ...twice])]
}

const originOf = (url: string) => new URL(url).origin

/** A project chooses its own origins, and may use a relay for WalletConnect. */
function isDirective(name: string, found: string | undefined, expected: string): boolean {
  if (found === undefined) return false
  if (expected.includes(chosen.project)) {
    const fixed = expected.replace(chosen.project, '')
    const rest = found.slice(fixed.length).split(' ')
    return found.startsWith(fixed) && rest.every((source) => parseAllowedOrigin(source) === source)
  }
  return found === expected || (name === 'connect-src' && expected.endsWith(' https:') && isRelay(found, expected))
}

function isRelay(found: string, expected: string): boolean {
  const [space, relay = ''] = [found.slice(expected.length, expected.length + 1), found.slice(expected.length + 1)]
  return found.startsWith(expected) && space === ' ' && /^wss:\/\/[a-z0-9.-]+(?::\d+)?$/.test(relay)
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
