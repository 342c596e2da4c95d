import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { builtInNetworks, isCaipNetworkId } from '@postern/protocol'
import * as z from 'zod/mini'
import { type Icon, readIcon } from '../../src/platform/images/icon'
import type { AssetIndex } from '../../src/site/directory/load'

export type Assets = { readonly index: AssetIndex; readonly files: ReadonlyMap<string, Icon> }

/** Networks without a logo in the source, such as testnets. */
const sameMark: Readonly<Record<string, string>> = {
  'eip155:11155111': 'eip155:1',
  'eip155:560048': 'eip155:1',
  'eip155:11155420': 'eip155:10',
  'eip155:421614': 'eip155:42161',
  'eip155:80002': 'eip155:137',
  'eip155:84532': 'eip155:8453',
  'eip155:97': 'eip155:56',
  'eip155:204': 'eip155:56',
  'eip155:43113': 'eip155:43114',
  'eip155:300': 'eip155:324',
  'eip155:10200': 'eip155:100',
  'eip155:11142220': 'eip155:42220',
  'eip155:1313161555': 'eip155:1313161554',
  'eip155:999999999': 'eip155:7777777',
  'eip155:1001': 'eip155:8217',
  'eip155:59141': 'eip155:59144',
  'eip155:534351': 'eip155:534352',
  'eip155:1301': 'eip155:130',
  'eip155:4801': 'eip155:480',
  'eip155:763373': 'eip155:57073',
  'solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1': 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
  'solana:4uhcVJyU9pJkvQyS88uRDiswHXSCkY3z': 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
  'bip122:000000000933ea01ad0ee984209779ba': 'bip122:000000000019d6689c085ae165831e93',
  'bip122:00000000da84f2bafbbc53dee25a72ae': 'bip122:000000000019d6689c085ae165831e93',
  'bip122:00000008819873e925422c1ff0f99f7c': 'bip122:000000000019d6689c085ae165831e93',
}

/** Common tokens besides the native ones. */
const commonTokens = (
  'BTC ETH SOL USDC USDT DAI USDS USDE PYUSD FDUSD TUSD FRAX LUSD GHO CRVUSD EURC WETH WBTC CBBTC TBTC STETH WSTETH RETH CBETH ' +
  'LINK UNI AAVE ARB OP LDO CRV MKR COMP SNX GRT ENS SHIB PEPE BONK JUP WIF PYTH JTO RAY ORCA GMX PENDLE CAKE 1INCH SUSHI APE'
).split(' ')

/** Unlisted tokens that share another logo. */
const tokenMarks: Readonly<Record<string, string>> = {
  KAIA: 'network:kaia',
  BERA: 'network:berachain',
  RON: 'network:ronin',
  ZETA: 'network:zeta-chain',
  IOTX: 'network:iotex',
  S: 'network:sonic',
  TBNB: 'token:BNB',
  'S-CELO': 'token:CELO',
}

/** ISO 4217 code of on-ramps to the issuer's flag. */
const currencyFlags: Readonly<Record<string, string>> = {
  USD: 'us',
  EUR: 'european_union',
  GBP: 'gb',
  JPY: 'jp',
  CAD: 'ca',
  AUD: 'au',
  CHF: 'ch',
  CNY: 'cn',
  BRL: 'br',
  INR: 'in',
  MXN: 'mx',
  KRW: 'kr',
  SGD: 'sg',
  HKD: 'hk',
  NZD: 'nz',
  SEK: 'se',
  NOK: 'no',
  DKK: 'dk',
  PLN: 'pl',
  CZK: 'cz',
  TRY: 'tr',
  ZAR: 'za',
  NGN: 'ng',
  AED: 'ae',
  ARS: 'ar',
  COP: 'co',
  IDR: 'id',
  PHP: 'ph',
  THB: 'th',
  VND: 'vn',
}

const NetworkMetadata = z.object({
  networks: z.array(
    z.object({
      id: z.string(),
      filePath: z.string(),
      caip2id: z.optional(z.string()),
      chainId: z.optional(z.union([z.int(), z.string()])),
    }),
  ),
})
const TokenMetadata = z.object({ tokens: z.array(z.object({ filePath: z.string(), symbol: z.string() })) })

/** @param folders unpacked `@web3icons/core`, `@web3icons/common` and `circle-flags` */
export async function readAssets(folders: { core: string; common: string; flags: string }): Promise<Assets> {
  const files = new Map<string, Icon>()
  const put = (file: string, svg: string) => {
    const icon = readIcon(new TextEncoder().encode(svg))
    if (icon === undefined) throw new Error(`${file} was refused`)
    files.set(file, icon)
    return file
  }

  const networks: Record<string, string> = {}
  const metadata = path.join(folders.common, 'dist/metadata')
  const known = NetworkMetadata.parse(await importModule(path.join(metadata, 'networks.js')))
  for (const { id, filePath, caip2id, chainId } of known.networks) {
    const network = caip2id ?? (typeof chainId === 'number' ? `eip155:${chainId}` : '')
    if (!isCaipNetworkId(network)) continue
    const svg = await readSvgModule(folders.core, filePath)
    if (svg === undefined) continue
    networks[id] = put(`networks/${id}.svg`, svg)
    networks[network] ??= `networks/${id}.svg`
  }
  for (const [network, other] of Object.entries(sameMark)) {
    const file = networks[other]
    if (file !== undefined) networks[network] ??= file
  }

  const tokens: Record<string, string> = {}
  const { tokens: listed } = TokenMetadata.parse(await importModule(path.join(metadata, 'tokens.js')))
  // Some native tokens are listed with their network's logo.
  const marks = new Map(Object.entries(tokenMarks))
  for (const { symbol, filePath } of listed) {
    if (filePath.startsWith('network:')) marks.set(symbol.toUpperCase(), filePath)
  }
  const natives = Object.values(builtInNetworks).map((network) => network.nativeCurrency.symbol)
  for (const symbol of new Set([...natives, ...commonTokens].map((name) => name.toUpperCase()))) {
    const svg =
      (await readSvgModule(folders.core, `token:${symbol}`)) ?? (await readSvgModule(folders.core, marks.get(symbol)))
    if (svg !== undefined) tokens[symbol] = put(`tokens/${symbol}.svg`, svg)
  }

  const currencies: Record<string, string> = {}
  for (const [code, flag] of Object.entries(currencyFlags)) {
    const svg = await readFile(path.join(folders.flags, 'flags', `${flag}.svg`), 'utf8')
    currencies[code] = put(`currencies/${code}.svg`, svg)
  }
  return { index: { networks: sorted(networks), tokens: sorted(tokens), currencies: sorted(currencies) }, files }
}

/** The variant with a background, for round masks. @param filePath `network:<name>` or `token:<name>` */
async function readSvgModule(core: string, filePath: string | undefined): Promise<string | undefined> {
  const [kind, name] = filePath?.split(':') ?? []
  const folder = path.join(core, 'dist/svgs', `${kind}s`, 'background')
  const file = name === undefined ? undefined : (await namesIn(folder)).get(`${name}.svg.js`.toLowerCase())
  if (file === undefined) return undefined
  const text = await readFile(path.join(folder, file), 'utf8')
  return /'(<svg[\s\S]*<\/svg>)/.exec(text)?.[1]?.replaceAll('\\n', '\n')
}

const listings = new Map<string, Map<string, string>>()
async function namesIn(folder: string): Promise<Map<string, string>> {
  const known = listings.get(folder)
  if (known !== undefined) return known
  const listing = new Map((await readdir(folder)).map((name) => [name.toLowerCase(), name]))
  listings.set(folder, listing)
  return listing
}

async function importModule(file: string): Promise<unknown> {
  return await import(pathToFileURL(file).href)
}

function sorted(record: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)))
}
