/**
 * A directory on disk:
 * - `wallets.json`, an array of {@link WalletEntry}
 * - `icons/<image_id>.(webp|png|jpg|svg)`
 * - `assets.json`, {@link AssetIndex}, with pictures in `assets/`
 */
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { WalletEntry } from '@postern/protocol'
import * as z from 'zod/mini'
import { type Icon, iconTypes, readIcon } from '../../platform/images/icon'
import type { DirectoryData } from './directory'

const Named = z.record(z.string(), z.string().check(z.regex(/^(networks|tokens|currencies)\/[-\w.]+$/)))

const AssetIndex = z.strictObject({ networks: Named, tokens: Named, currencies: Named })
export type AssetIndex = z.infer<typeof AssetIndex>

/**
 * @param assetsFolder used if `folder` has no `assets.json`
 * @throws the first problem, if `wallets.json` is missing or invalid
 */
export async function loadDirectory(folder: string, assetsFolder: string = folder): Promise<DirectoryData> {
  const wallets = await readJson(path.join(folder, 'wallets.json'), z.array(WalletEntry))
  const ownAssets = await hasFile(path.join(folder, 'assets.json'))
  const assets = await loadAssets(ownAssets ? folder : assetsFolder)
  return { wallets, icons: { wallets: await loadWalletIcons(path.join(folder, 'icons')), ...assets } }
}

async function loadWalletIcons(folder: string): Promise<Map<string, Icon>> {
  const extensions = new Set<string>(Object.values(iconTypes))
  const icons = new Map<string, Icon>()
  for (const file of (await listFiles(folder)).sort()) {
    const { name, ext } = path.parse(file)
    if (!extensions.has(ext.slice(1))) continue
    const icon = await orUndefinedIfMissing(loadIcon(path.join(folder, file)))
    // A refresh may have deleted it since.
    if (icon !== undefined) icons.set(name, icon)
  }
  return icons
}

async function loadAssets(folder: string): Promise<Omit<DirectoryData['icons'], 'wallets'>> {
  if (!(await hasFile(path.join(folder, 'assets.json')))) {
    return { networks: new Map(), tokens: new Map(), currencies: new Map() }
  }
  const index = await readJson(path.join(folder, 'assets.json'), AssetIndex)
  const loaded = new Map<string, Icon>()
  for (const file of new Set(Object.values(index).flatMap((named) => Object.values(named)))) {
    loaded.set(file, await loadIcon(path.join(folder, 'assets', file)))
  }
  const icons = (named: Readonly<Record<string, string>>) => {
    const byName = new Map<string, Icon>()
    for (const [name, file] of Object.entries(named)) {
      const icon = loaded.get(file)
      if (icon !== undefined) byName.set(name, icon)
    }
    return byName
  }
  return { networks: icons(index.networks), tokens: icons(index.tokens), currencies: icons(index.currencies) }
}

async function loadIcon(file: string): Promise<Icon> {
  const icon = readIcon(await readFile(file))
  if (icon === undefined) throw new Error(`${file} is no picture that the directory takes`)
  return icon
}

async function readJson<T>(file: string, schema: z.ZodMiniType<T>): Promise<T> {
  const parsed = schema.safeParse(JSON.parse(await readFile(file, 'utf8')))
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  throw new Error(`${file} is not right at ${issue?.path.join('.')}: ${issue?.message}`)
}

async function listFiles(folder: string): Promise<string[]> {
  return (await orUndefinedIfMissing(readdir(folder))) ?? []
}

async function hasFile(file: string): Promise<boolean> {
  return (await listFiles(path.dirname(file))).includes(path.basename(file))
}

export async function orUndefinedIfMissing<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}
