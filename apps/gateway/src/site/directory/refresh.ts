/**
 * Refreshes a directory on disk from a hosted one of the same shape (interop §2).
 *
 * 1. Pages are requested until `count` entries arrived, a page is empty, or the limit is reached.
 * 2. An invalid entry is left out and counted. Of entries with one id, the first wins.
 * 3. Only https links are accepted, and app schemes for app links.
 * 4. A picture must be small and match its type by its bytes; SVG is sanitised. Else the old picture, if any, stays.
 * 5. The result replaces the list only if it has a wallet, half as many as now, and at most half of the entries were
 *    left out.
 * 6. A concurrent reader sees the old list or the new one, each with its pictures: pictures are written first, the list
 *    is renamed into place, unused pictures are removed last.
 */
import { randomUUID } from 'node:crypto'
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { limits, WalletEntry } from '@postern/protocol'
import * as z from 'zod/mini'
import { type Icon, iconTypes, maxIconBytes, readIcon } from '../../platform/images/icon'
import { isHttps, pairingLink } from './links'
import { loadDirectory, orUndefinedIfMissing } from './load'

export type RefreshOptions = {
  /** `wallets.json` and `icons/`; created if missing. */
  readonly folder: string
  readonly upstream: string
  /** Sent with every request: `projectId`, `st`, `sv`. */
  readonly parameters: Readonly<Record<string, string>>
  readonly fetch: typeof fetch
}

export type RefreshReport = {
  readonly wallets: number
  readonly leftOut: number
  readonly icons: number
  readonly withoutIcon: number
}

export class RefreshRefused extends Error {
  override readonly name = 'RefreshRefused'
}

const maxWallets = 10_000
/** In bytes. */
const maxPageBytes = 4 * 1024 * 1024
const callTimeout = 10_000
const iconsAtOnce = 8

const Page = z.object({ data: z.array(z.unknown()).check(z.maxLength(1_000)), count: z.int().check(z.gte(0)) })

/** @throws {RefreshRefused} rule 5; the folder is unchanged */
export async function refreshDirectory(options: RefreshOptions): Promise<RefreshReport> {
  const before = await orUndefinedIfMissing(loadDirectory(options.folder))
  const { entries, leftOut } = await fetchEntries(options)
  if (entries.length === 0) throw new RefreshRefused('The upstream listed no wallet')
  if (entries.length * 2 < (before?.wallets.length ?? 0)) {
    throw new RefreshRefused(
      `The upstream listed ${entries.length} wallets; the directory has ${before?.wallets.length}`,
    )
  }
  if (leftOut > entries.length)
    throw new RefreshRefused(`${leftOut} of ${leftOut + entries.length} entries were not right`)

  const icons = await fetchIcons(options, entries, before?.icons.wallets ?? new Map())
  const wallets = entries.map((entry) => withoutMissingIcon(entry, icons))
  await replace(options.folder, wallets, icons)
  return { wallets: wallets.length, leftOut, icons: icons.size, withoutIcon: wallets.filter((w) => !w.image_id).length }
}

async function fetchEntries(options: RefreshOptions): Promise<{ entries: WalletEntry[]; leftOut: number }> {
  const byId = new Map<string, WalletEntry>()
  let leftOut = 0
  let received = 0
  for (let page = 1; received < maxWallets; page += 1) {
    const query = { page: String(page), entries: String(limits.walletSearchEntries) }
    const body = await call(options, '/getWallets', query, maxPageBytes)
    const parsed = Page.safeParse(JSON.parse(new TextDecoder().decode(body)))
    if (!parsed.success) throw new RefreshRefused(`Page ${page} of the upstream is not in the shape of a directory`)
    for (const value of parsed.data.data) {
      const entry = WalletEntry.safeParse(value)
      if (!entry.success || !isFileName(entry.data.image_id ?? 'none')) leftOut += 1
      else if (!byId.has(entry.data.id)) byId.set(entry.data.id, withSafeLinks(entry.data))
    }
    received += parsed.data.data.length
    if (parsed.data.data.length === 0 || received >= parsed.data.count) break
  }
  return { entries: [...byId.values()], leftOut }
}

const webLinks = ['homepage', 'image_url', 'link_mode', 'app_store', 'play_store', 'chrome_store'] as const
const pairingLinks = ['mobile_link', 'desktop_link', 'webapp_link'] as const

function withSafeLinks(entry: WalletEntry): WalletEntry {
  const safe = { ...entry }
  for (const name of webLinks) if (!isHttps(safe[name] ?? '')) delete safe[name]
  for (const name of pairingLinks) {
    const link = pairingLink(safe[name] ?? '')
    if (link === undefined || (name === 'webapp_link' && !isHttps(link))) delete safe[name]
    else safe[name] = link
  }
  return safe
}

async function fetchIcons(
  options: RefreshOptions,
  entries: readonly WalletEntry[],
  known: ReadonlyMap<string, Icon>,
): Promise<Map<string, Icon>> {
  const icons = new Map<string, Icon>()
  const waiting = [...new Set(entries.flatMap((entry) => entry.image_id ?? []))]
  const work = async () => {
    for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
      const icon = (await fetchIcon(options, id)) ?? known.get(id)
      if (icon !== undefined) icons.set(id, icon)
    }
  }
  await Promise.all(Array.from({ length: iconsAtOnce }, work))
  return icons
}

/** A failed picture does not stop the refresh. */
async function fetchIcon(options: RefreshOptions, id: string): Promise<Icon | undefined> {
  try {
    return readIcon(await call(options, `/getWalletImage/${encodeURIComponent(id)}`, {}, maxIconBytes))
  } catch {
    return undefined
  }
}

async function call(
  { upstream, parameters, fetch }: RefreshOptions,
  route: string,
  query: Readonly<Record<string, string>>,
  maxBytes: number,
): Promise<Uint8Array> {
  const url = new URL(upstream.replace(/\/+$/, '') + route)
  for (const [name, value] of Object.entries({ ...parameters, ...query })) url.searchParams.set(name, value)
  const response = await fetch(url, { signal: AbortSignal.timeout(callTimeout) })
  if (!response.ok || response.body === null) throw new Error(`${route}: HTTP status code: ${response.status}`)
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of response.body) {
    length += chunk.byteLength
    if (length > maxBytes) throw new Error(`${route}: the answer is longer than ${maxBytes} bytes`)
    chunks.push(chunk)
  }
  return new Uint8Array(Buffer.concat(chunks))
}

function withoutMissingIcon(entry: WalletEntry, icons: ReadonlyMap<string, Icon>): WalletEntry {
  if (typeof entry.image_id === 'string' && icons.has(entry.image_id)) return entry
  const { image_id: _, ...rest } = entry
  return rest
}

async function replace(
  folder: string,
  wallets: readonly WalletEntry[],
  icons: ReadonlyMap<string, Icon>,
): Promise<void> {
  const iconFolder = path.join(folder, 'icons')
  await mkdir(iconFolder, { recursive: true })
  const files = new Set<string>()
  for (const [id, icon] of icons) {
    const file = `${id}.${iconTypes[icon.type]}`
    files.add(file)
    await writeWhole(path.join(iconFolder, file), icon.bytes)
  }
  const text = `[\n${wallets.map((wallet) => JSON.stringify(wallet)).join(',\n')}\n]\n`
  await writeWhole(path.join(folder, 'wallets.json'), text)
  for (const file of await readdir(iconFolder)) if (!files.has(file)) await rm(path.join(iconFolder, file))
}

/** Atomic: readers never see a partial file. */
async function writeWhole(file: string, content: string | Uint8Array): Promise<void> {
  const temporary = `${file}.${randomUUID()}.tmp`
  await writeFile(temporary, content)
  await rename(temporary, file)
}

/** Image ids become file names. */
function isFileName(id: string): boolean {
  return /^[A-Za-z0-9][A-Za-z0-9_-]{0,127}$/.test(id)
}
