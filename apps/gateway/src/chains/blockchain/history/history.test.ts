import { getRandomValues } from 'node:crypto'
import { createServer } from 'node:http'
import { blockchainAnswers, type TransactionItem } from '@postern/protocol'
import { base58 } from '@scure/base'
import { concatHex, encodeFunctionData, type Hex, numberToHex, padHex, parseEther } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { createUpstreams } from '../../../platform/upstreams/rpc'
import { type BlockchainTest, startBlockchain } from '../../../testing/blockchain'
import { noon } from '../../../testing/clock'
import {
  accountAt,
  deployHostileTokens,
  devnetBitcoinId,
  devnetCollectible,
  devnetContracts,
  devnetItems,
  devnetSolanaId,
  devnetToken,
  freePorts,
  nodeAt,
  solanaLevyMint,
} from '../../../testing/devnet'
import type { KnownNetwork } from '../account'
import type { Chain } from '../chain'
import { createTokenList } from '../tokens'
import { readIndexed } from './indexer'
import { describe as tell } from './landed'
import { readLogHistory } from './log-history'

const ports = await freePorts('evm', 'evmTwo', 'solana', 'bitcoin', 'indexer')
const first = 'eip155:31337' as const
const rpcUrl = `http://127.0.0.1:${ports.evm}`
const [sender, receiver, other] = [accountAt(0), accountAt(1), accountAt(2)]
const network: KnownNetwork = {
  id: first,
  namespace: 'eip155',
  urls: [rpcUrl],
  definition: { id: first, name: 'Devnet', nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 } },
  isCommon: true,
}
const describing = {
  tokens: createTokenList([]),
  hasTokenImage: () => false,
  imageUrl: (key: string) => `/picture/${key}`,
}
const upstreams = createUpstreams({ fetch, now: () => noon, timeout: 10_000, maxResponseBytes: 1e7, onFailure() {} })
const chain: Chain = { upstreams, urls: network.urls }
const lower = (address: string): Hex => `0x${address.slice(2).toLowerCase()}`

const node = nodeAt(ports.evm)
const send = async (call: Parameters<typeof node.send>[1]) => (await node.send(sender, call)).transactionHash

let chains: BlockchainTest
const sent: Record<'ether' | 'token' | 'approval' | 'collectible' | 'item', Hex> = {
  ether: '0x',
  token: '0x',
  approval: '0x',
  collectible: '0x',
  item: '0x',
}
beforeAll(async () => {
  chains = await startBlockchain(ports)
  const { dollar, collectible, items } = devnetContracts
  const token = devnetToken.abi
  sent.ether = await send({ to: receiver.address, value: parseEther('1.5') })
  const transfer = encodeFunctionData({ abi: token, functionName: 'transfer', args: [receiver.address, 2_500_000n] })
  sent.token = await send({ to: dollar, data: transfer })
  const approve = encodeFunctionData({ abi: token, functionName: 'approve', args: [receiver.address, 1n] })
  sent.approval = await send({ to: dollar, data: approve })
  const give = [sender.address, receiver.address, 1n] as const
  sent.collectible = await send({
    to: collectible,
    data: encodeFunctionData({ abi: devnetCollectible.abi, functionName: 'transferFrom', args: give }),
  })
  sent.item = await send({
    to: items,
    data: encodeFunctionData({
      abi: devnetItems.abi,
      functionName: 'safeTransferFrom',
      args: [sender.address, receiver.address, 2n, 2n, '0x'],
    }),
  })
})
afterAll(() => chains.stop())

async function historyOf(address: string, query = '') {
  const path = `/v1/account/${address}/history${query === '' ? '' : `?${query}`}`
  return chains.get(path, blockchainAnswers.history)
}
const find = (data: readonly TransactionItem[], hash: Hex) => data.find(({ metadata }) => metadata.hash === hash)

describe('history from an indexer', () => {
  test('returns each transaction’s type, counterparties and exact amounts', async () => {
    const { data } = await historyOf(sender.address, `chainId=${first}`)
    const times = data.map(({ metadata }) => metadata.minedAt)
    expect(times).toEqual([...times].sort().reverse())
    const ends = { sentFrom: lower(sender.address), sentTo: lower(receiver.address) }
    expect(find(data, sent.ether)).toMatchObject({
      metadata: { operationType: 'send', status: 'confirmed', chain: first, ...ends },
      transfers: [{ direction: 'out', fungible_info: { symbol: 'ETH' }, quantity: { numeric: '1.5' } }],
    })
    expect(find(data, sent.token)).toMatchObject({
      metadata: { operationType: 'send', ...ends },
      transfers: [{ direction: 'out', fungible_info: { symbol: 'DUSD' }, quantity: { numeric: '2.5' } }],
    })
    expect(find(data, sent.approval)).toMatchObject({ metadata: { operationType: 'approve' }, transfers: null })
    expect(find(data, sent.collectible)?.transfers).toMatchObject([
      { direction: 'out', nft_info: { flags: { is_spam: false } }, quantity: { numeric: '1' } },
    ])
    expect(find(data, sent.item)?.transfers).toMatchObject([{ nft_info: {}, quantity: { numeric: '2' } }])
  })

  test('5 an NFT has a picture that the gateway serves', async () => {
    const { data } = await historyOf(sender.address, `chainId=${first}`)
    const { collectible, items } = devnetContracts
    const keys = { collectible: `${collectible}:erc721:1`, item: `${items}:erc1155:2` }
    for (const what of ['collectible', 'item'] as const) {
      const url = `/v1/nft-image/${encodeURIComponent(`${first}:${keys[what]}`)}?projectId=demo`
      expect(find(data, sent[what])?.transfers?.[0]?.nft_info?.content).toEqual({ preview: { url }, detail: null })
      expect((await chains.app.get(url)).headers.get('Content-Type')).toMatch(/^image\//)
    }
  })

  test('of a receiving account shows the incoming transfer', async () => {
    const { data } = await historyOf(receiver.address, `chainId=${first}`)
    expect(find(data, sent.ether)).toMatchObject({
      metadata: { operationType: 'receive', sentFrom: lower(sender.address) },
      transfers: [{ direction: 'in' }],
    })
    expect(find(data, sent.approval)).toBeUndefined()
  })

  test('without a network covers every network with an indexer, and is empty for an unused account', async () => {
    const { data } = await historyOf(sender.address)
    expect(new Set(data.map(({ metadata }) => metadata.chain))).toContain(first)
    expect(await historyOf('0x000000000000000000000000000000000000dEaD', `chainId=${first}`)).toEqual({
      data: [],
      next: null,
    })
  })

  test('rejects a cursor that the gateway did not issue', async () => {
    for (const cursor of ['x', 'e30x%00', Buffer.from('{"eip155:1":"../.."}').toString('base64url')]) {
      expect(await chains.status(`/v1/account/${sender.address}/history?cursor=${cursor}`)).toBe(400)
    }
  })

  test('fails without revealing the URL if the indexer fails or refuses', async () => {
    let answer = { status: 500, body: 'no' }
    const server = createServer((_, response) => response.writeHead(answer.status).end(answer.body))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const at = server.address()
    const url = `http://127.0.0.1:${at !== null && typeof at === 'object' ? at.port : 0}/api?apikey=hush`
    const ask = () => readIndexed(network, lower(sender.address), null, { url, fetch })
    await expect(ask()).rejects.toThrow('The indexer did not answer')
    answer = { status: 200, body: JSON.stringify({ status: '0', message: 'NOTOK', result: 'Max rate limit reached' }) }
    await expect(ask()).rejects.toThrow('The indexer did not answer')
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })

  test('pages without duplicates or gaps while new blocks arrive', async () => {
    const row = (block: number) => ({
      blockNumber: `${block}`,
      timeStamp: `${1_700_000_000 + block}`,
      hash: `0x${block.toString(16).padStart(64, '0')}`,
      nonce: '1',
      from: sender.address,
      to: receiver.address,
      value: '1',
      isError: '0',
      input: '0x',
    })
    let newest = 240
    const server = createServer((request, response) => {
      const query = new URL(request.url ?? '', 'http://127.0.0.1').searchParams
      const end = Math.min(Number(query.get('endblock')), newest)
      const count = query.get('action') === 'txlist' ? Math.min(end, Number(query.get('offset'))) : 0
      const result = Array.from({ length: count }, (_, index) => row(end - index))
      response.end(JSON.stringify({ status: count === 0 ? '0' : '1', message: 'OK', result }))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const at = server.address()
    const url = `http://127.0.0.1:${at !== null && typeof at === 'object' ? at.port : 0}/api`
    const seen: string[] = []
    for (let cursor: string | null = null; ; newest += 1) {
      const page = await readIndexed(network, lower(sender.address), cursor, { url, fetch })
      seen.push(...page.landed.map(({ hash }) => hash))
      cursor = page.next
      if (cursor === null) break
    }
    expect(seen).toEqual(Array.from({ length: 240 }, (_, index) => row(240 - index).hash))
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
})

describe('history without an indexer', () => {
  const owner = lower(sender.address)
  const read = (account: Hex, cursor: string | null = null, from = chain) =>
    readLogHistory(network, account, cursor, { chain: from, blocks: 1_000 })
  async function readAll(account: Hex): Promise<TransactionItem[]> {
    const items: TransactionItem[] = []
    for (let cursor: string | null = null; ; ) {
      const page = await read(account, cursor)
      items.push(...page.landed.flatMap((each) => tell(each, account, describing) ?? []))
      cursor = page.next
      if (cursor === null) return items
    }
  }

  test('1 returns transfers of tokens, NFTs and items', async () => {
    const items = await readAll(owner)
    expect(find(items, sent.token)).toMatchObject({
      metadata: { operationType: 'send', sentTo: lower(receiver.address) },
      transfers: [{ fungible_info: { symbol: 'DUSD' }, quantity: { numeric: '2.5' } }],
    })
    expect(find(items, sent.collectible)?.transfers).toMatchObject([{ nft_info: { flags: { is_spam: false } } }])
    const preview = { url: `/picture/${first}:${devnetContracts.items}:erc1155:2` }
    expect(find(items, sent.item)?.transfers).toMatchObject([
      { nft_info: { content: { preview } }, quantity: { numeric: '2' } },
    ])
    expect(await readLogHistory(network, owner, null, { chain, blocks: 0 })).toEqual({ landed: [], next: null })
  })

  test('1 returns plain payments for sender and receiver, and transactions that moved nothing', async () => {
    const ends = { sentFrom: owner, sentTo: lower(receiver.address) }
    const transfers = [{ fungible_info: { symbol: 'ETH' }, quantity: { numeric: '1.5' } }]
    const paid = await readAll(owner)
    expect(find(paid, sent.ether)).toMatchObject({ metadata: { operationType: 'send', ...ends }, transfers })
    expect(find(paid, sent.approval)).toMatchObject({ metadata: { operationType: 'approve' }, transfers: null })
    const came = await readAll(lower(receiver.address))
    expect(find(came, sent.ether)).toMatchObject({ metadata: { operationType: 'receive', ...ends }, transfers })
    expect(find(came, sent.approval)).toBeUndefined()
  })

  test('2 pages through many payments without gaps or duplicates', async () => {
    const payee = lower('0x00000000000000000000000000000000000BeeF1')
    const hashes: Hex[] = []
    for (let value = 1n; value <= 15n; value += 1n) hashes.push(await send({ to: payee, value }))
    const items = await readAll(payee)
    expect(items.map(({ metadata }) => metadata.hash)).toEqual(hashes.reverse())
    expect((await read(payee)).next).not.toBeNull()
  })

  test('a failed transaction has no transfers', async () => {
    const data = encodeFunctionData({
      abi: devnetToken.abi,
      functionName: 'transfer',
      args: [receiver.address, 2n ** 255n],
    })
    const hash = await send({ to: devnetContracts.dollar, data, gas: 100_000n })
    expect(find(await readAll(owner), hash)).toMatchObject({ metadata: { status: 'failed' }, transfers: null })
  })

  test('3 stops at the oldest state that the node has', async () => {
    const head = await node.client.getBlockNumber({ cacheTime: 0 })
    const heights: bigint[] = []
    const forgetful = {
      ...chain,
      upstreams: {
        async exchange(...[urls, calls]: Parameters<typeof upstreams.exchange>) {
          const answers = await upstreams.exchange(urls, calls)
          return answers.map((answer, index) => {
            const { method = '', params } = calls[index] ?? {}
            const [, block] = z.safeParse(z.tuple([z.string(), z.string()]), params).data ?? []
            if (!/^eth_get(?:Balance|TransactionCount)$/.test(method) || block === undefined) return answer
            heights.push(BigInt(block))
            return BigInt(block) < head - 3n ? { error: { code: -32_000, message: 'missing trie node' } } : answer
          })
        },
      },
    }
    const page = await read(owner, null, forgetful)
    const items = page.landed.flatMap((each) => tell(each, owner, describing) ?? [])
    expect(find(items, sent.ether)).toBeUndefined()
    expect(find(items, sent.token)).toBeDefined()
    expect(heights.length).toBeLessThan(20)
  })
})

describe('false claims about an account', () => {
  const account = lower(sender.address)
  const lookalike = lower(`0x${receiver.address.slice(2, 8)}${'0'.repeat(30)}${receiver.address.slice(-4)}`)
  /** Emits `Transfer` with its call data as arguments; has 6 decimals. */
  const forger: Hex =
    '0x6028600c60003960286000f360803610601d576020606060003760403560203560003560206000a3005b600660005260206000f3'
  const transferred = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'

  test('4 leaves out zero amounts and outgoing unlisted tokens that the account did not request', async () => {
    const zero = encodeFunctionData({
      abi: devnetToken.abi,
      functionName: 'transferFrom',
      args: [sender.address, lookalike, 0n],
    })
    const poison = await node.send(other, { to: devnetContracts.dollar, data: zero })
    const { contractAddress } = await node.send(other, { data: forger })
    if (contractAddress == null) throw new Error('The forger is not there.')
    const said = concatHex([transferred, padHex(account), padHex(lookalike), numberToHex(500_000_000n, { size: 32 })])
    const forged = await node.send(other, { to: contractAddress, data: said })
    expect(forged.logs).toHaveLength(1)
    const indexed = await historyOf(sender.address, `chainId=${first}`)
    const { landed } = await readLogHistory(network, account, null, { chain, blocks: 1_000 })
    for (const { transactionHash } of [poison, forged]) {
      expect(find(indexed.data, transactionHash)).toBeUndefined()
      const [read] = landed.filter(({ hash }) => hash === transactionHash)
      expect(read).toMatchObject({ isOwn: false, moves: [{ from: account, to: lookalike }] })
      expect(read && tell(read, account, describing)).toBeNull()
    }
    expect(find(indexed.data, sent.token)).toBeDefined()
  })

  test('3 and 5 sanitises hostile tokens, and hides or flags lures', async () => {
    const victim = accountAt(4)
    const { tokens } = await deployHostileTokens(rpcUrl, victim.address)
    expect(Object.keys(tokens)).toContain('markup')
    const { data } = await historyOf(victim.address, `chainId=${first}`)
    const transfers = data.flatMap((item) => item.transfers ?? [])
    const symbols = transfers.flatMap(({ fungible_info }) => fungible_info?.symbol ?? [])
    expect(symbols).toContain('MANY')
    for (const { fungible_info, nft_info } of transfers) {
      const name = `${fungible_info?.name ?? ''}${nft_info?.name ?? ''}`
      expect(name).not.toMatch(/[\p{Cc}\p{Cf}]/u)
      if (nft_info == null) expect(name).not.toMatch(/claim|https/i)
      else expect(nft_info.flags?.is_spam).toBe(true)
    }
    expect(transfers.filter(({ nft_info }) => nft_info != null).length).toBeGreaterThan(0)
  })
})

test('history on Solana and on Bitcoin shows incoming transfers', async () => {
  const funded = 'oeYf6KAJkLYhBuR8CiGc6L4D4Xtfepr85fuDgA9kq96'
  const airdrop = { jsonrpc: '2.0', id: 1, method: 'requestAirdrop', params: [funded, 2_500_000_000] }
  const response = await fetch(`http://127.0.0.1:${ports.solana}`, {
    method: 'POST',
    body: JSON.stringify(airdrop),
  })
  const { result } = z.object({ result: z.string() }).parse(await response.json())
  await expect
    .poll(async () => {
      const { data } = await historyOf(funded, `chainId=${devnetSolanaId}`)
      return data.find(({ metadata }) => metadata.hash === result)
    })
    .toMatchObject({
      metadata: { operationType: 'receive', status: 'confirmed', sentTo: funded, chain: devnetSolanaId },
      transfers: [{ direction: 'in', fungible_info: { symbol: 'SOL' }, quantity: { numeric: '2.5' } }],
    })
  const address = 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080'
  expect(await historyOf(address, `chainId=${devnetBitcoinId}`)).toEqual({ data: [], next: null })
  const fund = `http://127.0.0.1:${ports.bitcoin}/devnet/fund?address=${address}&amount=150000`
  const paid = await fetch(fund, { method: 'POST' })
  expect(paid.ok).toBe(true)
  const { data } = await historyOf(address, `chainId=${devnetBitcoinId}`)
  expect(data).toMatchObject([
    {
      metadata: { operationType: 'receive', sentTo: address },
      transfers: [{ direction: 'in', fungible_info: { symbol: 'BTC' }, quantity: { numeric: '0.0015' } }],
    },
  ])
})

test('Token-2022 tokens have the names of their mints, in the history and in the balance', async () => {
  const owner = base58.encode(getRandomValues(new Uint8Array(32)))
  const url = `http://127.0.0.1:${ports.solana}/devnet/fund-token?address=${owner}&amount=2500000&mint=${solanaLevyMint}`
  expect((await fetch(url, { method: 'POST' })).status).toBe(200)
  await fetch(`http://127.0.0.1:${ports.solana}/devnet/advance?slots=2`, { method: 'POST' })
  const words = { name: 'Solana Devnet Levy', symbol: 'SLEVY' }
  const { data } = await historyOf(owner, `chainId=${devnetSolanaId}`)
  expect(data).toMatchObject([{ transfers: [{ direction: 'in', fungible_info: words, quantity: { numeric: '2.5' } }] }])
  const balance = await chains.get(`/v1/account/${owner}/balance?chainId=${devnetSolanaId}`, blockchainAnswers.balance)
  expect(balance.balances).toMatchObject([
    { symbol: 'SOL' },
    {
      ...words,
      address: `${devnetSolanaId}:${solanaLevyMint}`,
      price: 0,
      iconUrl: '',
      quantity: { decimals: '6', numeric: '2.5' },
    },
  ])
})

test('history on Solana pages through tokens sent to a token account without naming its owner', async () => {
  const owner = base58.encode(getRandomValues(new Uint8Array(32)))
  const signatures: string[] = []
  for (let time = 1; time <= 27; time += 1) {
    const url = `http://127.0.0.1:${ports.solana}/devnet/fund-token?address=${owner}&amount=${time}000000`
    const answer = await fetch(url, { method: 'POST' })
    signatures.push(z.object({ signature: z.string() }).parse(await answer.json()).signature)
  }
  await fetch(`http://127.0.0.1:${ports.solana}/devnet/advance?slots=2`, { method: 'POST' })
  const hashes: (string | undefined)[] = []
  const quantities: (string | undefined)[] = []
  for (let cursor: string | null = null, pages = 0; ; pages += 1) {
    const query = `chainId=${devnetSolanaId}${cursor === null ? '' : `&cursor=${cursor}`}`
    const { data, next } = await historyOf(owner, query)
    hashes.push(...data.map(({ metadata }) => metadata.hash))
    quantities.push(...data.map(({ transfers }) => transfers?.[0]?.quantity.numeric))
    cursor = next
    if (cursor === null) break
    expect(pages).toBeLessThan(3)
  }
  expect(new Set(hashes)).toEqual(new Set(signatures))
  expect(new Set(quantities)).toEqual(new Set(signatures.map((_, index) => `${index + 1}`)))
})
