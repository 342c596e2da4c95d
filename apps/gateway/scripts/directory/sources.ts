/** Readers of the source packages; data/NOTICE.md lists versions and licences. */

import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Namespace } from '@postern/protocol'
import * as z from 'zod/mini'
import { cleanLinks, iconsOf, type SourceEntry } from './source-entry'

const Text = z.nullable(z.string())

/** `thirdweb`: the WalletConnect registry's wallets, in its order. */
const ThirdwebWallet = z.object({
  id: z.string(),
  name: z.string(),
  homepage: z.string(),
  app: z.object({ browser: Text, ios: Text, android: Text, chrome: Text }),
  rdns: Text,
  mobile: z.object({ native: Text, universal: Text }),
  desktop: z.object({ native: Text, universal: Text }),
})

export async function readThirdweb(folder: string): Promise<SourceEntry[]> {
  const generated = path.join(folder, 'src/wallets/__generated__')
  const infos = await readFile(path.join(generated, 'wallet-infos.ts'), 'utf8')
  const entries: SourceEntry[] = []
  for (const [, id = ''] of infos.matchAll(/^ {4}id: "([^"]+)"/gm)) {
    const module = await importModule(path.join(generated, 'wallet', id, 'index.ts'))
    // thirdweb's own wallets have no registry entry.
    if (module === undefined) continue
    const { wallet } = z.object({ wallet: ThirdwebWallet }).parse(module)
    const image = await readFile(path.join(generated, 'wallet', id, 'image.ts'), 'utf8')
    entries.push({
      source: 'thirdweb',
      id,
      name: wallet.name.trim(),
      ...optional('homepage', wallet.homepage),
      ...optional('rdns', wallet.rdns),
      namespaces: ['eip155'],
      links: cleanLinks({
        mobile_link: firstOf(wallet.mobile.native, wallet.mobile.universal),
        desktop_link: firstOf(wallet.desktop.native, wallet.desktop.universal),
        webapp_link: wallet.app.browser,
        app_store: wallet.app.ios,
        play_store: wallet.app.android,
        chrome_store: wallet.app.chrome,
      }),
      injected: [],
      icons: iconsOf(/"(data:image[^"]+)"/.exec(image)?.[1]),
    })
  }
  return entries
}

/** `@rainbow-me/rainbowkit`: one chunk per wallet, whose literals are parsed, not executed. */
export async function readRainbowKit(folder: string): Promise<SourceEntry[]> {
  const chunks = path.join(folder, 'dist/wallets/walletConnectors')
  const entries: SourceEntry[] = []
  for (const file of (await readdir(chunks)).filter((name) => /^chunk-.*\.js$/.test(name)).sort()) {
    const text = await readFile(path.join(chunks, file), 'utf8')
    const name = /^\s+name: "([^"]+)"/m.exec(text)?.[1]
    const icon = /import\("\.\/([^"]+)"\)\)\.default/.exec(text)?.[1]
    if (name === undefined || icon === undefined) continue
    const links = /downloadUrls: \{([\s\S]*?)\}/.exec(text)?.[1] ?? ''
    const link = (key: string) => new RegExp(`\\b${key}: "([^"]+)"`).exec(links)?.[1]
    const image = await readFile(path.join(chunks, icon), 'utf8')
    const flag = /hasInjectedProvider\(\{ flag: "([^"]+)" \}\)/.exec(text)?.[1]
    entries.push({
      source: 'rainbowkit',
      name,
      ...optional('homepage', link('browserExtension') ?? link('mobile')),
      ...optional('rdns', /\brdns: "([^"]+)"/.exec(text)?.[1]),
      namespaces: ['eip155'],
      links: cleanLinks({ app_store: link('ios'), play_store: link('android'), chrome_store: link('chrome') }),
      injected: flag === undefined ? [] : [flag],
      icons: iconsOf(/"(data:image[^"]+)"/.exec(image)?.[1]),
    })
  }
  return entries
}

/** `@sats-connect/core`: Bitcoin wallets. */
export async function readSatsConnect(folder: string): Promise<SourceEntry[]> {
  const text = await readFile(path.join(folder, 'dist/index.mjs'), 'utf8')
  const block = /DefaultAdaptersInfo = \{([\s\S]*?)\n\};/.exec(text)?.[1] ?? ''
  return [...block.matchAll(/\{([^{}]+)\}/g)].flatMap(([, literal = '']) => {
    const value = (key: string) => new RegExp(`\\b${key}: "([^"]+)"`).exec(literal)?.[1]
    const name = value('name')
    if (name === undefined) return []
    return {
      source: 'sats-connect',
      name,
      ...optional('homepage', value('webUrl')),
      namespaces: ['bip122'],
      links: cleanLinks({
        app_store: value('iOSAppStoreUrl'),
        play_store: value('googlePlayStoreUrl'),
        chrome_store: value('chromeWebStoreUrl'),
      }),
      injected: [],
      icons: iconsOf(value('icon')),
    } satisfies SourceEntry
  })
}

const BookWallet = z.object({
  name: z.string(),
  desktop: z.optional(z.object({ chromeId: z.optional(z.string()) })),
  mobile: z.optional(z.object({ androidId: z.optional(z.string()), iosId: z.optional(z.string()) })),
  eip6963Config: z.optional(z.object({ rdns: z.string() })),
  injectedConfig: z.optional(
    z.array(
      z.object({
        chain: z.string(),
        extensionLocators: z.array(z.object({ flag: z.string(), value: z.boolean() })),
      }),
    ),
  ),
})

const bookChains: Readonly<Record<string, Namespace>> = { evm: 'eip155', sol: 'solana', btc: 'bip122' }

/** `@dynamic-labs/wallet-book`: injected chains, and store ids for its link templates. */
export async function readWalletBook(folder: string): Promise<SourceEntry[]> {
  const module = await importModule(path.join(folder, 'wallet-book-fallbacks.js'))
  const { wallets } = z.object({ wallets: z.record(z.string(), BookWallet) }).parse(module)
  return Object.values(wallets).flatMap((wallet) => {
    const injected = wallet.injectedConfig ?? []
    const namespaces = injected.flatMap(({ chain }) => bookChains[chain] ?? [])
    if (namespaces.length === 0) return []
    const { desktop, mobile } = wallet
    return {
      source: 'wallet-book',
      name: wallet.name,
      ...optional('rdns', wallet.eip6963Config?.rdns),
      namespaces,
      links: cleanLinks({
        chrome_store: template('https://chrome.google.com/webstore/detail/', desktop?.chromeId),
        play_store: template('https://play.google.com/store/apps/details?id=', mobile?.androidId),
        app_store: template('https://apps.apple.com/app/apple-store/', mobile?.iosId),
      }),
      injected: injected
        .filter(({ chain }) => chain === 'evm')
        .flatMap(({ extensionLocators }) => extensionLocators.filter(({ value }) => value).map(({ flag }) => flag)),
      icons: [],
    } satisfies SourceEntry
  })
}

/** `@solana/wallet-adapter-*`: names, home pages and pictures. */
export async function readSolanaAdapters(folder: string): Promise<SourceEntry[]> {
  const file = path.join(folder, 'lib/esm/adapter.js')
  const text = await readFile(file, 'utf8')
  const name = /WalletName = '([^']+)'/.exec(text)?.[1]
  if (name === undefined) throw new Error(`${file} names no wallet`)
  return [
    {
      source: 'solana-adapters',
      name,
      ...optional('homepage', /this\.url = '([^']+)'/.exec(text)?.[1]),
      namespaces: ['solana'],
      links: {},
      injected: [],
      icons: iconsOf(/this\.icon =\s+'(data:[^']+)'/.exec(text)?.[1]),
    },
  ]
}

/** `@omnisat/lasereyes-core`: Bitcoin wallets and their download pages. */
export async function readLaserEyes(folder: string): Promise<SourceEntry[]> {
  const text = await readFile(path.join(folder, 'dist/index.js'), 'utf8')
  return [...text.matchAll(/^ {4}name: "([-_a-z]+)",\n {4}url: "(https:[^"]+)"\n/gm)].map(
    ([, name = '', homepage = '']) => ({
      source: 'lasereyes',
      name: name.replaceAll(/[-_]/g, ' '),
      homepage,
      namespaces: ['bip122'],
      links: cleanLinks({ chrome_store: homepage }),
      injected: [],
      icons: [],
    }),
  )
}

/** `@reown/appkit-wallet-button`: the explorer's ids by AppKit's names. */
export async function readExplorerIds(folder: string): Promise<Map<string, string>> {
  const text = await readFile(path.join(folder, 'dist/esm/src/utils/ConstantsUtil.js'), 'utf8')
  return new Map(
    [...text.matchAll(/^\s+'?([-\w]+)'?: '([\da-f]{64})',?$/gm)].map(([, name = '', id = '']) => [name, id]),
  )
}

async function importModule(file: string): Promise<unknown> {
  try {
    return await import(pathToFileURL(file).href)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND') return undefined
    throw error
  }
}

function firstOf(...values: (string | null)[]): string | null {
  return values.find((value) => value !== null && value.trim() !== '') ?? null
}

function template(before: string, id: string | undefined): string | undefined {
  return id === undefined ? undefined : before + id
}

function optional<K extends string>(key: K, value: string | null | undefined): { [P in K]?: string } {
  const text = value?.trim() ?? ''
  const made: { [P in K]?: string } = {}
  if (text !== '') made[key] = text
  return made
}
