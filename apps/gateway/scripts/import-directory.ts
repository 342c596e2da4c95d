/**
 * Builds the gateway's wallet directory (`data/`) from public packages.
 *
 * Usage: unpack each package of {@link wanted} into its own folder below FOLDER, then
 *
 *     npm run directory:import -w @postern/gateway -- FOLDER
 *
 * To unpack one: `npm pack thirdweb && mkdir thirdweb && tar xzf thirdweb-*.tgz -C thirdweb --strip-components=1`. The
 * script fetches nothing.
 */
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { namespaces, WalletEntry } from '@postern/protocol'
import * as z from 'zod/mini'
import { type Icon, iconTypes, readIcon } from '../src/platform/images/icon'
import { fold } from '../src/site/directory/search'
import { readAssets } from './directory/assets'
import {
  appKitNames,
  dropped,
  first,
  moreExplorerIds,
  moreNamespaces,
  onlyJoins,
  onlyNamespaces,
  registryPlaces,
  renamed,
  selectedFromTail,
} from './directory/curation'
import { explorerSources } from './directory/explorer-ids'
import { type Merged, mergeEntries, nameKey } from './directory/merge'
import { type SourcePackage, writeNotice } from './directory/notice'
import { referenceNetwork, type SourceEntry } from './directory/source-entry'
import {
  readExplorerIds,
  readLaserEyes,
  readRainbowKit,
  readSatsConnect,
  readSolanaAdapters,
  readThirdweb,
  readWalletBook,
} from './directory/sources'

const solanaAdapters = (
  'bitkeep bitpie coin98 coinbase hyperpay krystal mathwallet nightly nufi onto phantom safepal salmon solflare ' +
  'tokenpocket trust'
).split(' ')

/** In order of precedence. */
const wanted: readonly { readonly name: string; readonly read: (folder: string) => Promise<SourceEntry[]> }[] = [
  { name: 'thirdweb', read: readThirdweb },
  { name: '@rainbow-me/rainbowkit', read: readRainbowKit },
  { name: '@dynamic-labs/wallet-book', read: readWalletBook },
  { name: '@sats-connect/core', read: readSatsConnect },
  ...solanaAdapters.map((name) => ({ name: `@solana/wallet-adapter-${name}`, read: readSolanaAdapters })),
  { name: '@omnisat/lasereyes-core', read: readLaserEyes },
]
const wantedForExplorerIds = '@reown/appkit-wallet-button'
const wantedForAssets = ['@web3icons/core', '@web3icons/common', 'circle-flags'] as const

/** In bytes; pictures show at 36 CSS pixels. */
const maxBytes = 10 * 1024

const Package = z.object({ name: z.string(), version: z.string(), license: z.optional(z.string()) })

const [source] = process.argv.slice(2)
if (source === undefined)
  throw new Error('Usage: npm run directory:import -w @postern/gateway -- FOLDER_OF_UNPACKED_PACKAGES')
await importDirectory(path.resolve(source), path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../data'))

async function importDirectory(packagesFolder: string, dataFolder: string): Promise<void> {
  const packages = await findPackages(packagesFolder)
  const used: SourcePackage[] = []
  const use = (name: string) => {
    const sourcePackage = packages.get(name)
    if (sourcePackage === undefined) throw new Error(`${name} is not among the unpacked packages`)
    used.push(sourcePackage)
    return sourcePackage.folder
  }
  const entries: SourceEntry[] = []
  for (const { name, read } of wanted) {
    const wallets = await read(use(name))
    if (wallets.length === 0)
      throw new Error(`${name} gave no wallet: its files have changed, its reader has to follow`)
    entries.push(...wallets)
  }
  const [core, common, flags] = wantedForAssets.map(use)
  if (core === undefined || common === undefined || flags === undefined) throw new Error('No assets')
  const assets = await readAssets({ core, common, flags })

  const explorerIds = await readExplorerIds(use(wantedForExplorerIds))

  const { wallets, icons } = makeEntries(curate(mergeEntries(entries)), explorerIds)
  for (const folder of ['icons', 'assets']) await rm(path.join(dataFolder, folder), { recursive: true, force: true })
  await mkdir(path.join(dataFolder, 'icons'), { recursive: true })
  for (const folder of ['networks', 'tokens', 'currencies'])
    await mkdir(path.join(dataFolder, 'assets', folder), { recursive: true })
  for (const [id, icon] of icons)
    await writeFile(path.join(dataFolder, 'icons', `${id}.${iconTypes[icon.type]}`), icon.bytes)
  for (const [file, icon] of assets.files) await writeFile(path.join(dataFolder, 'assets', file), icon.bytes)
  await writeFile(path.join(dataFolder, 'assets.json'), `${JSON.stringify(assets.index, null, 2)}\n`)
  // One entry per line, for readable diffs.
  await writeFile(
    path.join(dataFolder, 'wallets.json'),
    `[\n${wallets.map((wallet) => JSON.stringify(wallet)).join(',\n')}\n]\n`,
  )
  await writeFile(path.join(dataFolder, 'NOTICE.md'), writeNotice(used, explorerSources))
  report(wallets, icons)
}

function curate(records: readonly Merged[]): Merged[] {
  const byId = new Map(records.map((record) => [record.id, record]))
  const named = [...selectedFromTail, ...Object.keys(dropped), ...Object.keys(renamed)]
  for (const id of named) if (!byId.has(id)) throw new Error(`curation.ts speaks of ${id}, which no source has`)

  const registry = records.filter((record) => record.sources.includes('thirdweb'))
  const tail = new Set(registry.slice(registryPlaces).map((record) => record.id))
  const noRecord = new Set(onlyJoins.map(nameKey))
  const selected = records
    .filter((record) => !Object.hasOwn(dropped, record.id))
    .filter((record) => !tail.has(record.id) || selectedFromTail.includes(record.id))
    .filter((record) => !noRecord.has(nameKey(record.name)))
    .map(correct)
    .filter((record) => isReachable(record))
  const decisions = [
    onlyNamespaces,
    moreNamespaces,
    appKitNames,
    moreExplorerIds,
    ...explorerSources.map(({ ids }) => ids),
  ]
  for (const id of [first, ...decisions.map(Object.keys)].flat()) {
    if (!selected.some((record) => record.id === id))
      throw new Error(`curation.ts or explorer-ids.ts speaks of ${id}, which is not in the directory`)
  }
  const place = (record: Merged) => (first.includes(record.id) ? first.indexOf(record.id) : first.length)
  return selected.sort((a, b) => place(a) - place(b))
}

function correct(record: Merged): Merged {
  const rename = renamed[record.id]
  const { rdns, ...withoutRdns } = record
  const named = rename === undefined ? record : { ...withoutRdns, id: rename.id }
  const namespaces = onlyNamespaces[named.id] ?? [
    ...new Set([...named.namespaces, ...(moreNamespaces[named.id] ?? [])]),
  ]
  return { ...named, namespaces, injected: namespaces.includes('eip155') ? named.injected : [] }
}

function isReachable(record: Merged): boolean {
  return record.homepage !== undefined || Object.keys(record.links).length > 0
}

function makeEntries(
  records: readonly Merged[],
  explorerIds: ReadonlyMap<string, string>,
): { wallets: WalletEntry[]; icons: Map<string, Icon> } {
  const wallets: WalletEntry[] = []
  const icons = new Map<string, Icon>()
  const names = new Set<string>()
  for (const record of records) {
    const icon = record.icons
      .map(readIcon)
      .find((candidate) => candidate !== undefined && candidate.bytes.byteLength <= maxBytes)
    if (icon === undefined || names.has(fold(record.name))) {
      console.log(`left out: ${record.id} (${record.name}): ${icon === undefined ? 'no picture' : 'its name is taken'}`)
      continue
    }
    names.add(fold(record.name))
    icons.set(icon.hash, icon)
    wallets.push(
      WalletEntry.parse({
        id: record.id,
        name: record.name,
        ...(record.homepage === undefined ? {} : { homepage: record.homepage }),
        image_id: icon.hash,
        order: wallets.length + 1,
        chains: namespaces
          .filter((namespace) => record.namespaces.includes(namespace))
          .flatMap((namespace) => referenceNetwork(namespace) ?? []),
        ...(record.rdns === undefined ? {} : { rdns: record.rdns }),
        ...explorerIdsOf(record.id, explorerIds),
        badge_type: 'none',
        ...record.links,
        ...(record.injected.length === 0
          ? {}
          : { injected: record.injected.map((injected_id) => ({ namespace: 'eip155', injected_id })) }),
      }),
    )
  }
  return { wallets, icons }
}

function explorerIdsOf(id: string, explorerIds: ReadonlyMap<string, string>): Pick<WalletEntry, 'explorer_ids'> {
  const name = appKitNames[id]
  const found = name === undefined ? [] : explorerIds.get(name)
  if (found === undefined) throw new Error(`curation.ts speaks of ${name}, which AppKit does not name`)
  const ids = [found, moreExplorerIds[id] ?? [], ...explorerSources.map((source) => source.ids[id] ?? [])].flat()
  return ids.length === 0 ? {} : { explorer_ids: ids }
}

async function findPackages(folder: string): Promise<Map<string, SourcePackage>> {
  const byName = new Map<string, SourcePackage>()
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const file = path.join(folder, entry.name, 'package.json')
    if (!entry.isDirectory()) continue
    const text = await readFile(file, 'utf8').catch(() => undefined)
    if (text === undefined) continue
    const { name, version, license } = Package.parse(JSON.parse(text))
    byName.set(name, {
      name,
      version,
      license: license ?? 'see its LICENSE file',
      folder: path.join(folder, entry.name),
    })
  }
  return byName
}

function report(wallets: readonly WalletEntry[], icons: ReadonlyMap<string, Icon>): void {
  const bytes = [...icons.values()].reduce((sum, icon) => sum + icon.bytes.byteLength, 0)
  const speaking = (namespace: string) =>
    wallets.filter((wallet) => wallet.chains?.some((chain) => chain.startsWith(namespace))).length
  console.log(
    `${wallets.length} wallets (EVM ${speaking('eip155')}, Solana ${speaking('solana')}, Bitcoin ${speaking('bip122')}), ` +
      `${icons.size} pictures, ${Math.round(bytes / 1024)} kB`,
  )
}
