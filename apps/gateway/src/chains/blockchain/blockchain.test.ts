import { createServer } from 'node:http'
import { blockchainAnswers as answers, nativeTokenAddress } from '@postern/protocol'
import { toCoinType } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type BlockchainTest, deadNetwork, startBlockchain } from '../../testing/blockchain'
import {
  devnetBitcoinId as bitcoinId,
  deployHostileTokens,
  devnetAccounts,
  devnetContracts,
  freePorts,
  hostileName,
  registerName,
  devnetSolanaId as solanaId,
} from '../../testing/devnet'
import { sendFloods } from '../../testing/flood'
import { readBlockchain } from './config'
import { createCoinGecko } from './prices/coingecko'
import { createPublicFetch, publicFetchDefaults, RemoteError } from './remote/public-fetch'

const ports = await freePorts('evm', 'evmTwo', 'solana', 'bitcoin', 'indexer', 'names')
const first = 'eip155:31337'
const second = 'eip155:31338'
const rpcUrl = `http://127.0.0.1:${ports.evm}`
const funded = 'oeYf6KAJkLYhBuR8CiGc6L4D4Xtfepr85fuDgA9kq96'
const [alice = '', bob = '', carol = '', dave = ''] = devnetAccounts.map(({ address }) => address)
const invisible = /[\p{Cc}\p{Cf}]/u

const fetched: string[] = []

let chains: BlockchainTest
beforeAll(async () => {
  chains = await startBlockchain(
    ports,
    {},
    {
      async fetchPublic(url) {
        fetched.push(url)
        if (!url.startsWith('https://pictures.example/')) throw new RemoteError('no connection')
        return new Uint8Array(Buffer.from('GIF89a'))
      },
      fetchForNames: createPublicFetch({ ...publicFetchDefaults, trusted: `http://127.0.0.1:${ports.names}/` }),
    },
  )
})
afterAll(() => chains.stop())

const balancesOf = async (address: string, query = '') =>
  (await chains.get(`/v1/account/${address}/balance?currency=usd${query}`, answers.balance)).balances

describe('balances of an EVM account', () => {
  test('1 returns the native currency and the listed tokens with exact amounts and values, most valuable first', async () => {
    const balances = await balancesOf(bob, `&chainId=${first}`)
    expect(balances.map(({ symbol }) => symbol)).toEqual(['ETH', 'DUSD', 'GEM'])
    expect(balances.map(({ listing }) => listing)).toEqual(['listed', 'listed', 'listed'])
    const [ether, ...tokens] = balances
    expect(ether).toMatchObject({ name: 'Ether', chainId: first, price: 2500, quantity: { decimals: '18' } })
    expect(ether?.address).toBeUndefined()
    expect(tokens.find(({ symbol }) => symbol === 'DUSD')).toMatchObject({
      name: 'Devnet Dollar',
      address: `${first}:${devnetContracts.dollar}`,
      quantity: { decimals: '6' },
      price: 1,
    })
    for (const { value = 0, price, quantity } of balances) {
      expect(price).toBeGreaterThan(0)
      expect(value).toBeCloseTo(Number(quantity.numeric) * price, 1)
    }
  })

  test('1 fails for an unreachable network, and is empty for one that the gateway does not serve', async () => {
    expect(await chains.status(`/v1/account/${bob}/balance?chainId=${deadNetwork}`)).toBe(502)
    expect(await balancesOf(bob, '&chainId=eip155:999999')).toEqual([])
    expect(await balancesOf(bob, `&chainId=${solanaId}`)).toEqual([])
  })

  test('2 returns all networks at once, and a failing network does not affect the others', async () => {
    const balances = await balancesOf(bob)
    expect(new Set(balances.map(({ chainId }) => chainId))).toEqual(new Set([first, second]))
    expect(chains.app.log()).toContain(`"chainIds":["${deadNetwork}"]`)
    expect(chains.app.log()).not.toContain('operators-key')
  })

  test('sanitises hostile tokens, and gives them no trusted price or picture', async () => {
    const { tokens } = await deployHostileTokens(rpcUrl, `0x${dave.slice(2)}`)
    const balances = await balancesOf(dave, `&chainId=${first}&forceUpdate=true`)
    const of = (token: keyof typeof tokens) =>
      balances.find(({ address }) => address?.toLowerCase() === `${first}:${tokens[token]}`.toLowerCase())
    for (const { name, symbol } of balances) {
      expect(name.length).toBeLessThanOrEqual(64)
      expect(symbol.length).toBeLessThanOrEqual(32)
      expect(`${name}${symbol}`).not.toMatch(invisible)
    }
    expect(hostileName).toMatch(invisible)
    expect(of('markup')?.name).toMatch(/^<img src=x/)
    expect(of('manyDecimals')?.quantity.decimals).toBe('255')
    expect(of('manyDecimals')?.quantity.numeric).toMatch(/^0\.\d{255}$/)
    expect(of('bytes32')).toMatchObject({ name: 'Old Token', symbol: 'OLD' })
    expect(of('lying')?.quantity).toEqual({ decimals: '6', numeric: '1' })
    expect(of('hugeDecimals')).toBeUndefined()
    expect(of('nameless')).toBeUndefined()
    expect(of('impostor')).toMatchObject({ symbol: 'DUSD', price: 0, iconUrl: '', listing: 'copy' })
    expect(of('bytes32')?.listing).toBe('unlisted')
    expect(balances.find(({ address }) => address === undefined)?.listing).toBe('listed')
    expect(of('impostor')?.value).toBeUndefined()
  })

  test('tokens with oversized responses do not hide others', async () => {
    const { tokens } = await deployHostileTokens(rpcUrl, `0x${carol.slice(2)}`)
    await sendFloods(ports.evm, `0x${carol.slice(2)}`)
    const balances = await balancesOf(carol, `&chainId=${first}&forceUpdate=true`)
    const shown = balances.map(({ address }) => address?.toLowerCase())
    expect(shown).toContain(`${first}:${tokens.bytes32}`.toLowerCase())
    expect(shown).toContain(`${first}:${tokens.impostor}`.toLowerCase())
  })

  test('rejects an invalid address, network or currency', async () => {
    expect(await chains.status('/v1/account/0x123/balance')).toBe(400)
    expect(await chains.status(`/v1/account/${bob}/balance?chainId=ethereum`)).toBe(400)
    expect(await chains.status(`/v1/account/${bob}/balance?currency=dollars`)).toBe(400)
    expect((await balancesOf(`${first}:${bob}`, `&chainId=${first}`)).length).toBeGreaterThan(0)
  })
})

test('balances on Solana include SOL, with its price', async () => {
  const [sol] = await balancesOf(funded, `&chainId=${solanaId}`)
  expect(sol).toMatchObject({ symbol: 'SOL', price: 150, quantity: { decimals: '9', numeric: '1000' }, value: 150_000 })
})

test('balances on Bitcoin are those of an address on its own network', async () => {
  const address = 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080'
  const balances = await balancesOf(address, `&chainId=${bitcoinId}`)
  expect(balances).toMatchObject([{ symbol: 'BTC', price: 60_000, quantity: { decimals: '8', numeric: '0' } }])
  expect(await balancesOf('bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4', `&chainId=${bitcoinId}`)).toEqual([])
})

describe('prices', () => {
  const ask = async (addresses: readonly string[], currency = 'usd') => {
    const response = await chains.post('/v1/fungible/price', { currency, addresses, projectId: 'demo' })
    return { status: response.status, body: await response.json() }
  }

  test('come from the source that knows the network, and from pools for the rest', async () => {
    const requests = [
      `${first}:${nativeTokenAddress}`,
      `${second}:${devnetContracts.gem}`,
      `${first}:${devnetContracts.dollar}`,
    ]
    const { fungibles } = answers.prices.parse((await ask(requests)).body)
    expect(fungibles).toMatchObject([
      { address: requests[0], symbol: 'ETH', price: 2500 },
      { address: requests[1], symbol: 'GEM', price: 2 },
      { address: requests[2], symbol: 'DUSD', price: 1 },
    ])
  })

  test('leaves out unknown tokens, and rejects too many', async () => {
    const unknown = `${first}:0x000000000000000000000000000000000000dEaD`
    expect((await ask([unknown, 'eip155:999:0x000000000000000000000000000000000000dEaD'])).body).toEqual({
      fungibles: [],
    })
    expect((await ask(Array.from({ length: 101 }, () => unknown))).status).toBe(400)
    expect((await ask(['nonsense'])).status).toBe(400)
  })

  test('returns other currencies only from a source that has them', async () => {
    const { body } = await ask([`${first}:${nativeTokenAddress}`, `${first}:${devnetContracts.gem}`], 'eur')
    const { fungibles } = answers.prices.parse(body)
    expect(fungibles).toHaveLength(1)
    expect(fungibles[0]?.price).toBeGreaterThan(0)
  })
})

describe('identity', () => {
  test('1 is the name that resolves back to the address, with a picture from its record', async () => {
    const identity = await chains.get(`/v1/identity/${alice}`, answers.identity)
    expect(identity.name).toBe('alice.eth')
    expect(identity.avatar).toMatch(/^data:image\/png;base64,/)
    expect(await chains.get(`/v1/identity/${bob}`, answers.identity)).toEqual({ name: 'bob.eth', avatar: null })
  })

  test('1 is empty if the name resolves to another address, or there is no name', async () => {
    await registerName(rpcUrl, { label: 'carol', owner: `0x${alice.slice(2)}` })
    await registerName(rpcUrl, { label: 'other', owner: `0x${carol.slice(2)}`, primary: 'carol.eth' })
    expect(await chains.get(`/v1/identity/${carol}`, answers.identity)).toEqual({ name: null, avatar: null })
    expect(await chains.get(`/v1/identity/${dave}`, answers.identity)).toEqual({ name: null, avatar: null })
    const bitcoin = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'
    expect(await chains.get(`/v1/identity/${bitcoin}`, answers.identity)).toEqual({ name: null, avatar: null })
  })

  test('2 rejects pictures that could run scripts or use an insecure or invalid URL', async () => {
    const owner = devnetAccounts[4]?.address ?? '0x'
    for (const avatar of [
      'http://example.com/track.png',
      'data:image/svg+xml;base64,PHN2Zy8+',
      'ipfs://x',
      'javascript:1',
    ]) {
      const label = `picture${avatar.length}`
      await registerName(rpcUrl, { label, owner, avatar })
      const { attributes } = await chains.get(`/v1/profile/account/${label}.eth`, answers.nameProfile)
      expect(attributes).toEqual([])
      expect(await chains.status(`/v1/avatar/${label}.eth`)).toBe(404)
    }
  })

  test('3 fetches remote pictures through the gateway', async () => {
    const owner = devnetAccounts[5]?.address ?? '0x'
    const avatar = 'https://pictures.example/me.gif'
    await registerName(rpcUrl, { label: 'elsewhere', owner, avatar, primary: 'elsewhere.eth' })
    const identity = await chains.get(`/v1/identity/${owner}`, answers.identity)
    expect(identity).toEqual({ name: 'elsewhere.eth', avatar: '/v1/avatar/elsewhere.eth?projectId=demo' })
    const picture = await chains.app.get(identity.avatar ?? '')
    expect(fetched).toEqual([avatar])
    expect(picture.headers.get('Content-Type')).toBe('image/gif')
    expect(picture.headers.get('Content-Security-Policy')).toContain('sandbox')
    await registerName(rpcUrl, { label: 'gone', owner, avatar: 'https://gone.example/me.gif' })
    expect(await chains.status('/v1/avatar/gone.eth')).toBe(404)
    const [own, others] = [devnetAccounts[0]?.address ?? '0x', devnetAccounts[6]?.address ?? '0x']
    const collectible = `${first}/erc1155:${devnetContracts.items}/1`
    await registerName(rpcUrl, { label: 'collector', owner: own, avatar: collectible })
    const collector = await chains.get('/v1/profile/account/collector.eth', answers.nameProfile)
    const [shown] = collector.attributes
    expect(shown?.avatar).toBe('/v1/avatar/collector.eth?projectId=demo')
    expect((await chains.app.get(shown?.avatar ?? '')).headers.get('Content-Type')).toMatch(/^image\//)
    await registerName(rpcUrl, { label: 'boaster', owner: others, avatar: collectible })
    expect(await chains.status('/v1/avatar/boaster.eth')).toBe(404)
    for (const name of ['unregistered.eth', 'x', 'alice.eth'])
      expect(await chains.status(`/v1/avatar/${name}`)).toBe(404)
  })

  test('names an address, and finds an address, by the chain', async () => {
    const base = 8453
    const owner = devnetAccounts[8]?.address ?? '0x'
    const name = 'grace.eth'
    await registerName(rpcUrl, { label: 'grace', owner, primary: name, onChain: base })
    const identityOn = (chain: string) => chains.get(`/v1/identity/${owner}?chainId=${chain}`, answers.identity)
    expect(await identityOn(`eip155:${base}`)).toMatchObject({ name })
    for (const other of ['eip155:10', first]) expect(await identityOn(other)).toMatchObject({ name: null })
    // Without a name there, the address has that of ENS's own chain.
    const named = await chains.get(`/v1/identity/${alice}?chainId=eip155:${base}`, answers.identity)
    expect(named).toMatchObject({ name: 'alice.eth' })

    const path = `/v1/profile/account/${name}`
    const onBase = await chains.get(`${path}?chainId=eip155:${base}`, answers.nameProfile)
    expect(onBase.addresses).toEqual({ [toCoinType(base).toString()]: { address: owner, created: '' } })
    for (const query of ['', '?chainId=eip155:10']) expect(await chains.status(`${path}${query}`)).toBe(404)
    expect(await chains.status(`${path}?chainId=base`)).toBe(400)
  })

  test('resolves an off-chain name, and requires it to resolve back to its address', async () => {
    const profile = await chains.get('/v1/profile/account/Carol.offchain.eth', answers.nameProfile)
    expect(profile).toMatchObject({ addresses: { 60: { address: carol } }, attributes: [] })
    expect(await chains.status('/v1/profile/account/unregistered.offchain.eth')).toBe(404)
    const [erin = '0x', mallory = '0x'] = [devnetAccounts[4]?.address, devnetAccounts[6]?.address]
    await registerName(rpcUrl, { label: 'erin', owner: erin, primary: 'erin.offchain.eth' })
    await registerName(rpcUrl, { label: 'mallory', owner: mallory, primary: 'erin.offchain.eth' })
    expect(await chains.get(`/v1/identity/${erin}`, answers.identity)).toMatchObject({ name: 'erin.offchain.eth' })
    expect(await chains.get(`/v1/identity/${mallory}`, answers.identity)).toEqual({ name: null, avatar: null })
  })

  test('an unreachable off-chain server is an error, and a forged response resolves to nothing', async () => {
    const fault = (kind: string) =>
      fetch(`http://127.0.0.1:${ports.names}/devnet/fault`, { method: 'POST', body: JSON.stringify({ kind }) })
    await fault('down')
    expect(await chains.status('/v1/profile/account/DAVE.offchain.eth')).toBe(502)
    await fault('forged')
    expect(await chains.status('/v1/profile/account/DAVE.offchain.eth')).toBe(404)
    await fault('none')
    const { addresses } = await chains.get('/v1/profile/account/dave.offchain.eth', answers.nameProfile)
    expect(addresses).toMatchObject({ 60: { address: dave } })
  })

  test('resolves a name to its address; an unregistered name is 404', async () => {
    const profile = await chains.get('/v1/profile/account/Alice.eth', answers.nameProfile)
    expect(profile.addresses).toMatchObject({ 60: { address: alice } })
    expect(await chains.status('/v1/profile/account/no-such-name.eth')).toBe(404)
    expect(await chains.status('/v1/profile/account/alice.postern')).toBe(404)
    expect(await chains.status('/v1/profile/account/..%2f..eth')).toBe(404)
  })
})

test('a failing price source rejects without revealing its key', async () => {
  const server = createServer((_, response) => response.writeHead(500).end('no'))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const at = server.address()
  const port = at !== null && typeof at === 'object' ? at.port : 0
  const { coingecko } = readBlockchain(
    { POSTERN_PRICES: JSON.stringify({ coingecko: { url: `http://127.0.0.1:${port}/api?key=hush` } }) },
    [],
  ).prices
  if (coingecko === null) throw new Error('not read')
  const asking = createCoinGecko(coingecko, fetch)([{ chainId: 'eip155:1', address: nativeTokenAddress }], 'usd')
  await expect(asking).rejects.toThrow('The source of prices did not answer')
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
})
