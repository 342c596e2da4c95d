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
})

export const Manifest = z.object({ version: z.string(), files: z.array(Entry) })

export type Manifest = z.infer<typeof Manifest>
export type Site = Manifest['files'][number]['site']

const sha256 = (bytes: Buffer | string) => createHash('sha256').update(bytes).digest('hex')

/** The block that the gateway adds before `</head>`. Browsers do not run it. */
const dataBlock = /<script type="application\/json" id="[^"]+">[^<]*<\/script>\n {2}(?=<\/head>)/
const withoutData = (html: string) => html.replace(dataBlock, '')

/** Pages are served at other addresses than their file's name. */
const pages: Readonly<Record<string, string>> = { 'index.html': '/', 'sdk.html': '/sdk', 'window.html': '/window' }

/** Not served: source maps, and the compressed copies, which are of the same file. */
const isServed = (name: string) => !/\.(map|br|gz)$/.test(name)

function filesOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && isServed(entry.name))
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
    .sort()
}

export type Builds = Readonly<Record<'modal' | 'wallet' | 'client', string>>

/** @param builds The folders of the three builds. */
export function manifestOf(builds: Builds, version: string): Manifest {
  const site = (name: Site) =>
    filesOf(builds[name]).map((file) => ({
      site: name,
      path: pages[file] ?? `/${file}`,
      sha256: hashOf(path.join(builds[name], file)),
    }))
  const script = filesOf(builds.client)
    .filter((file) => /^postern[a-z-]*\.js$/.test(file))
    .map((file) => ({
      site: 'modal' as const,
      path: `/postern@${version}/${file}`,
      sha256: hashOf(path.join(builds.client, file)),
    }))
  return { version, files: [...site('modal'), ...site('wallet'), ...script] }
}

const hashOf = (file: string) => sha256(readFileSync(file))

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
    const isPage = Object.values(pages).includes(file.path)
    if (isPage) url.searchParams.set('projectId', host.projectId)
    const referer = file.site === 'modal' ? host.dappOrigin : host.origins.modal
    const problem = await fetch(url, { headers: { Referer: `${referer}/` }, redirect: 'error' }).then(
      async (response) => {
        if (!response.ok) return `HTTP ${response.status}`
        const body = Buffer.from(await response.arrayBuffer())
        const found = sha256(isPage ? withoutData(body.toString()) : body)
        return found === file.sha256 ? undefined : `another file: sha256 ${found}, published ${file.sha256}`
      },
      (error: unknown) => `not reached: ${String(error)}`,
    )
    if (problem !== undefined) differences.push({ url: url.href, problem })
  }
  return differences
}
