import { createServer } from 'node:http'
import { blockchainAnswers, type TransactionItem } from '@postern/protocol'
import { createWalletClient, encodeFunctionData, type Hex, http, parseEther, publicActions } from 'viem'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import * as z from 'zod/mini'
import { createUpstreams } from '../../rpc/upstream'
import { type BlockchainTest, startBlockchain } from '../../testing/blockchain'
import {
  devnetAccounts,
  devnetBitcoinId,
  devnetCollectible,
  devnetContracts,
  devnetItems,
  devnetSolanaId,
  devnetToken,
} from '../../testing/devnet'
import type { KnownNetwork } from '../account'
import { createTokenList } from '../tokens'
import { readIndexed } from './indexer'
import { describe as tell } from './landed'
import { readLogHistory } from './log-history'

const ports = { evm: 21_310, evmTwo: 21_311, solana: 21_312, bitcoin: 21_314, indexer: 21_316 }
const first = 'eip155:31337' as const
const rpcUrl = `http://127.0.0.1:${ports.evm}`
const [sender, receiver] = devnetAccounts
if (sender === undefined || receiver === undefined) throw new Error('The devnet has no accounts.')
const network: KnownNetwork = {
  id: first,
  namespace: 'eip155',
  urls: [rpcUrl],
  definition: { id: first, name: 'Devnet', nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 } },
  isCommon: true,
}
const describing = { tokens: createTokenList([]), hasTokenImage: () => false }
const lower = (address: string): Hex => `0x${address.slice(2).toLowerCase()}`

const node = createWalletClient({ account: sender, transport: http(rpcUrl) }).extend(publicActions)
async function send(call: { to: Hex; data?: Hex; value?: bigint }): Promise<Hex> {
  const hash = await node.sendTransaction({ ...call, chain: null })
  await node.waitForTransactionReceipt({ hash, pollingInterval: 50 })
  return hash
}

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
  test('tells what each transaction was, whom it went between, and exact amounts', async () => {
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

  test('of who was sent something is what came', async () => {
    const { data } = await historyOf(receiver.address, `chainId=${first}`)
    expect(find(data, sent.ether)).toMatchObject({
      metadata: { operationType: 'receive', sentFrom: lower(sender.address) },
      transfers: [{ direction: 'in' }],
    })
    expect(find(data, sent.approval)).toBeUndefined()
  })

  test('of no network in particular holds every one that has an indexer; an account that did nothing has none', async () => {
    const { data } = await historyOf(sender.address)
    expect(new Set(data.map(({ metadata }) => metadata.chain))).toContain(first)
    expect(await historyOf('0x000000000000000000000000000000000000dEaD', `chainId=${first}`)).toEqual({
      data: [],
      next: null,
    })
  })

  test('refuses a cursor that is none of ours', async () => {
    for (const cursor of ['x', 'e30x%00', Buffer.from('{"eip155:1":"../.."}').toString('base64url')]) {
      expect(await chains.status(`/v1/account/${sender.address}/history?cursor=${cursor}`)).toBe(400)
    }
  })

  test('is an error that tells no URL where the indexer fails or refuses', async () => {
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

  test('goes on page by page, nothing twice and nothing left out, whatever comes in between', async () => {
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

test('history from logs tells transfers of tokens, collectibles and items, and where a page ends', async () => {
  const upstreams = createUpstreams({
    fetch,
    now: Date.now,
    timeout: 10_000,
    maxResponseBytes: 1_000_000,
    onFailure: () => {},
  })
  const owner = lower(sender.address)
  const chain = { upstreams, urls: network.urls }
  const { landed } = await readLogHistory(network, owner, null, { chain, blocks: 1_000 })
  const items = landed.map((each) => tell(each, owner, describing))
  expect(find(items, sent.token)).toMatchObject({
    metadata: { operationType: 'send', sentTo: lower(receiver.address) },
    transfers: [{ fungible_info: { symbol: 'DUSD' }, quantity: { numeric: '2.5' } }],
  })
  expect(find(items, sent.collectible)?.transfers).toMatchObject([{ nft_info: { flags: { is_spam: false } } }])
  expect(find(items, sent.item)?.transfers).toMatchObject([{ quantity: { numeric: '2' } }])
  expect(find(items, sent.ether)).toBeUndefined()
  expect(await readLogHistory(network, owner, null, { chain, blocks: 0 })).toEqual({ landed: [], next: null })
})

test('a collectible whose name lures is spam, and what is said of it is one line', () => {
  const landed = {
    chainId: first,
    hash: '0x1',
    status: 'confirmed',
    at: 0,
    from: 'a',
    to: 'b',
    otherwise: 'execute',
  } as const
  const spamOf = (name: string) => {
    const moves = [{ from: 'a', to: 'b', amount: 1n, decimals: 0, symbol: '', contract: 'c', tokenId: '1', name }]
    return tell({ ...landed, moves }, 'b', describing).transfers?.[0]?.nft_info
  }
  expect(spamOf('Devnet Collectible')?.flags?.is_spam).toBe(false)
  for (const name of ['$1000 at usdc-drop.com', 'Claim your reward', 'https://x', 'Visit\u202e us']) {
    expect(spamOf(name)?.flags?.is_spam).toBe(true)
    expect(spamOf(name)?.name).not.toMatch(/[\p{Cc}\p{Cf}]/u)
  }
})

test('history on Solana and on Bitcoin is what came and what went', async () => {
  const funded = 'oeYf6KAJkLYhBuR8CiGc6L4D4Xtfepr85fuDgA9kq96'
  const airdrop = { jsonrpc: '2.0', id: 1, method: 'requestAirdrop', params: [funded, 2_500_000_000] }
  const asked = await fetch(`http://127.0.0.1:${ports.solana}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(airdrop),
  })
  const { result } = z.object({ result: z.string() }).parse(await asked.json())
  await vi.waitFor(
    async () => {
      const { data } = await historyOf(funded, `chainId=${devnetSolanaId}`)
      expect(data.find(({ metadata }) => metadata.hash === result)).toMatchObject({
        metadata: { operationType: 'receive', status: 'confirmed', sentTo: funded, chain: devnetSolanaId },
        transfers: [{ direction: 'in', fungible_info: { symbol: 'SOL' }, quantity: { numeric: '2.5' } }],
      })
    },
    { timeout: 15_000, interval: 200 },
  )
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
