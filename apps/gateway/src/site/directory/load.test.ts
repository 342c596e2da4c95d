import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { builtInNetworks, isOpenableLink, parseWalletLink } from '@postern/protocol'
import { afterEach, describe, expect, it } from 'vitest'
import { createDirectory } from './directory'
import { isAppScheme } from './links'
import { loadDirectory } from './load'

const shipped = fileURLToPath(new URL('../../../data', import.meta.url))
const made: string[] = []
afterEach(async () => {
  for (const folder of made.splice(0)) await rm(folder, { recursive: true })
})

describe('the bundled directory', async () => {
  const data = await loadDirectory(shipped)
  const directory = createDirectory(data)

  it('has at least 150 wallets for EVM, Solana and Bitcoin', () => {
    expect(data.wallets.length).toBeGreaterThanOrEqual(150)
    expect(directory.count(['solana'])).toBeGreaterThanOrEqual(20)
    expect(directory.count(['bip122'])).toBeGreaterThanOrEqual(10)
    expect(directory.count(['eip155', 'solana', 'bip122'])).toBe(data.wallets.length)
  })

  it('starts with the most used wallets', () => {
    expect(data.wallets.slice(0, 4).map((wallet) => wallet.name)).toEqual([
      'MetaMask',
      'Base (formerly Coinbase Wallet)',
      'Trust Wallet',
      'Phantom',
    ])
    expect(directory.recommended(['bip122']).map((wallet) => wallet.name)).toEqual([
      'Phantom',
      'OKX Wallet',
      'Binance Wallet',
      'Bitget Wallet',
    ])
  })

  it('has id, reverse domain name and store links of a well-known wallet', () => {
    expect(directory.query({ search: 'metamask' }).data[0]).toMatchObject({
      id: 'io.metamask',
      rdns: 'io.metamask',
      chrome_store: expect.stringContaining('nkbihfbeogaeaoehlefnkodbefgpgknn'),
      app_store: expect.stringContaining('id1438144202'),
      mobile_link: 'metamask://',
    })
  })

  it('finds wallets by their ids in the WalletConnect explorer, each of one wallet', () => {
    const ids = data.wallets.flatMap(({ explorer_ids }) => explorer_ids ?? [])
    expect(new Set(ids).size).toBe(ids.length)
    for (const id of ids) expect(id).toMatch(/^[\da-f]{64}$/)
    expect(data.wallets.filter(({ explorer_ids }) => explorer_ids !== undefined).length).toBeGreaterThanOrEqual(248)
    const named = (id: string) => directory.query({ include: [id] }).data.map(({ name }) => name)
    expect(named('c57ca95b47569778a828d19178114f4db188b89b763c899ba0be274e97267d96')).toEqual(['MetaMask'])
    expect(named('4622a2b2d6af1c9844944291e5e7351a6aa24cd7b23099efac1b2fd875da31a0')).toEqual(['Trust Wallet'])
    for (const id of [
      'fd20dc426fb37566d803205b19bbc1d4096b248ac04548e3cfb6b3a38bd033aa',
      'd0ca99ff52b99abc48743dad0f7fc891e041be73574f7fac4afe5d4bb83845c8',
    ])
      expect(named(id)).toEqual([expect.stringContaining('Coinbase')])
    expect(named('6adb6082c909901b9e7189af3a4a0223102cd6f8d5c39e39f3d49acb92b578bb')).toEqual(['Keplr'])
    expect(named('5864e2ced7c293ed18ac35e0db085c09ed567d67346ccb6f58a0327a75137489')).toEqual(['Fireblocks'])
    expect(named('0cb0c532b518aa842786d5167e13df22046bc9301b6677808d7134c3d7366a9d')).toEqual(['Wigwam'])
  })

  it('knows the explorer ids of as many wallets as the docs say', async () => {
    const known = data.wallets.filter(({ explorer_ids }) => explorer_ids !== undefined).length
    const options = await readFile(new URL('../../../../../docs/reference/options.md', import.meta.url), 'utf8')
    expect(options).toContain(`explorer ids of ${known} of its ${data.wallets.length} wallets`)
  })

  it('has unique ids and names, ordered from 1', () => {
    expect(new Set(data.wallets.map((wallet) => wallet.id)).size).toBe(data.wallets.length)
    expect(new Set(data.wallets.map((wallet) => wallet.name.toLowerCase())).size).toBe(data.wallets.length)
    expect(data.wallets.map((wallet) => wallet.order)).toEqual(data.wallets.map((_, i) => i + 1))
  })

  it('has a picture of at most 10 kB for every wallet, named by its hash', () => {
    for (const wallet of data.wallets) {
      const icon = directory.walletImage(wallet.image_id ?? '')
      expect(icon?.hash, wallet.name).toBe(wallet.image_id)
      expect(icon?.bytes.byteLength, wallet.name).toBeLessThanOrEqual(10 * 1024)
    }
    expect(data.icons.wallets.size).toBe(data.wallets.length)
  })

  it('links only by https', () => {
    for (const wallet of data.wallets) {
      const { homepage, app_store, play_store, chrome_store, webapp_link } = wallet
      for (const link of [homepage, app_store, play_store, chrome_store, webapp_link]) {
        if (typeof link === 'string') expect(link, wallet.name).toMatch(/^https:\/\//)
      }
    }
  })

  it('has wallet links to which a pairing can be appended', () => {
    for (const { name, mobile_link, desktop_link, webapp_link } of data.wallets) {
      for (const link of [mobile_link, desktop_link, webapp_link]) {
        if (typeof link !== 'string') continue
        expect(link.startsWith('https://') || isAppScheme(link), `${name}: ${link}`).toBe(true)
        expect(parseWalletLink(link)?.href, name).toBe(link)
        expect(isOpenableLink(`${link}wc?uri=${encodeURIComponent('wc:00@2?relay-protocol=irn')}`), name).toBe(true)
        if (link.startsWith('https://')) expect(new URL(`${link}wc?uri=x`).searchParams.get('uri'), name).toBe('x')
      }
    }
  })

  it('has hundreds of wallets that a phone can open', () => {
    expect(data.wallets.filter(({ mobile_link }) => typeof mobile_link === 'string').length).toBeGreaterThan(200)
  })

  it.each([
    ['solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp', 20],
    ['solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1', 20],
    ['bip122:0f9188f13cb7b2c71f2a335e3a4fc328', 10],
  ])('finds wallets for %s, also for test networks', (chain, least) => {
    const namespace = chain.split(':', 1)[0] ?? ''
    const results = directory.query({ chains: [chain], entries: 100 })
    expect(results.count).toBeGreaterThanOrEqual(least)
    for (const wallet of results.data) expect(wallet.chains?.some((id) => id.startsWith(`${namespace}:`))).toBe(true)
  })

  it('has pictures of every built-in network and of common tokens', () => {
    for (const network of Object.values(builtInNetworks))
      expect(directory.networkImage(network.id), network.name).toBeDefined()
    for (const symbol of ['ETH', 'SOL', 'BTC', 'POL', 'BNB', 'USDC', 'USDT', 'DAI'])
      expect(directory.tokenImage(symbol), symbol).toBeDefined()
    for (const code of ['USD', 'EUR', 'GBP']) expect(directory.currencyImage(code), code).toBeDefined()
  })
})

describe('loadDirectory', () => {
  it('reads wallets from a custom folder and assets from the bundled one', async () => {
    const folder = await folderWith(JSON.stringify([{ id: 'io.own', name: 'Own', image_id: 'own' }]))
    await mkdir(path.join(folder, 'icons'))
    await writeFile(
      path.join(folder, 'icons/own.svg'),
      '<svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0"/></svg>',
    )
    const directory = createDirectory(await loadDirectory(folder, shipped))
    expect(directory.query({}).count).toBe(1)
    expect(directory.walletImage('own')?.type).toBe('image/svg+xml')
    expect(directory.networkImage('eip155:1')).toBeDefined()
  })

  it('works without pictures', async () => {
    const data = await loadDirectory(await folderWith('[{"id":"a","name":"A"}]'))
    expect(data.wallets).toHaveLength(1)
    expect(data.icons.wallets.size + data.icons.networks.size).toBe(0)
  })

  it('names the invalid entry', async () => {
    await expect(loadDirectory(await folderWith('[{"id":"a","name":"A"},{"id":"b"}]'))).rejects.toThrow(
      /wallets\.json is not right at 1\.name/,
    )
  })

  it('rejects an invalid picture', async () => {
    const folder = await folderWith('[]')
    await mkdir(path.join(folder, 'icons'))
    await writeFile(path.join(folder, 'icons/bad.png'), '<html>')
    await expect(loadDirectory(folder)).rejects.toThrow(/bad\.png is no picture/)
  })
})

async function folderWith(wallets: string): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'directory-'))
  made.push(folder)
  await writeFile(path.join(folder, 'wallets.json'), wallets)
  return folder
}
