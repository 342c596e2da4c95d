import { createPublicClient, createWalletClient, http, parseEther } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as z from 'zod'
import { devnetChain } from '../account-abstraction/deploy'
import { devnetToken } from '../evm/contracts.gen'
import { freePorts } from '../http/free-ports'
import { devnetAccounts, devnetContracts, treasury } from '../networks'
import { createDelivery } from '../onramp/deliver'
import { offersOf } from '../onramp/offers'
import { solanaMint } from '../solana/token-ids'
import { type Devnet, startDevnet } from '../start-devnet'

const ports = await freePorts('evm', 'evmTwo', 'indexer')
const rpcUrl = `http://127.0.0.1:${ports.evm}`
const [ada, bob] = devnetAccounts
let devnet: Devnet
beforeAll(async () => {
  devnet = await startDevnet({ ports })
})
afterAll(() => devnet.stop())

const Answer = z.object({
  status: z.string(),
  message: z.string(),
  result: z.union([z.string(), z.array(z.record(z.string(), z.string()))]),
})
async function ask(query: Record<string, string>, chainId = 31337) {
  const parameters = new URLSearchParams({ module: 'account', ...query })
  const response = await fetch(`http://127.0.0.1:${ports.indexer}/${chainId}/api?${parameters}`)
  return Answer.parse(await response.json())
}
const rows = async (query: Record<string, string>) => {
  const { result } = await ask(query)
  if (typeof result === 'string') throw new Error(result)
  return result
}
const prices = async (path: string): Promise<unknown> =>
  (await fetch(`http://127.0.0.1:${ports.indexer}/coingecko/api/v3${path}`)).json()

describe('1. the explorer', () => {
  test('lists transactions and token transfers, old and new', async () => {
    if (ada === undefined || bob === undefined) throw new Error('no accounts')
    const address = ada.address
    const [gift] = await rows({ action: 'tokentx', address, contractaddress: devnetContracts.dollar })
    expect(gift).toMatchObject({
      to: address.toLowerCase(),
      value: '2500000000',
      tokenSymbol: 'DUSD',
      tokenDecimal: '6',
    })
    expect(await rows({ action: 'tokennfttx', address })).toMatchObject([{ tokenID: '1', tokenSymbol: 'DVNFT' }])
    expect(await rows({ action: 'token1155tx', address })).toMatchObject([
      { tokenID: '1', tokenValue: '1' },
      { tokenID: '2', tokenValue: '5' },
    ])
    expect(await ask({ action: 'txlist', address })).toEqual({
      status: '0',
      message: 'No transactions found',
      result: [],
    })

    const wallet = createWalletClient({ account: ada, chain: devnetChain(rpcUrl, 31337), transport: http(rpcUrl) })
    const hash = await wallet.sendTransaction({ to: bob.address, value: parseEther('1.5') })
    const transfer = await wallet.writeContract({
      abi: devnetToken.abi,
      address: devnetContracts.gem,
      functionName: 'transfer',
      args: [bob.address, 7n],
    })
    await createPublicClient({ transport: http(rpcUrl) }).waitForTransactionReceipt({ hash: transfer })
    expect(await rows({ action: 'txlist', address, sort: 'desc' })).toMatchObject([
      { hash: transfer, to: devnetContracts.gem.toLowerCase(), isError: '0', methodId: '0xa9059cbb' },
      { hash, value: '1500000000000000000', from: address.toLowerCase() },
    ])
    expect(await rows({ action: 'txlist', address, page: '2', offset: '1' })).toMatchObject([{ hash: transfer }])
    const [newest] = await rows({ action: 'tokentx', address: bob.address, sort: 'desc' })
    expect(newest).toMatchObject({ hash: transfer, value: '7', tokenName: 'Devnet Gem' })
    expect(await rows({ action: 'tokentx', address, startblock: `${newest?.blockNumber}` })).toHaveLength(1)
  })

  test('rejects invalid requests as Etherscan does', async () => {
    expect(await ask({ action: 'txlist', address: 'invalid' })).toMatchObject({ status: '0', message: 'NOTOK' })
    expect(await ask({ action: 'nothing', address: treasury.address })).toMatchObject({ status: '0', message: 'NOTOK' })
    expect((await fetch(`http://127.0.0.1:${ports.indexer}/1/api`)).status).toBe(404)
  })

  test('includes the on-ramp’s deliveries', async () => {
    const deliver = createDelivery(ports)
    const to = treasury.address
    const [ether, dollars] = offersOf(ports)
    if (ether === undefined || dollars === undefined) throw new Error('nothing is offered')
    const [first, second] = await Promise.all([deliver(ether, to, 5n), deliver(dollars, to, 6n)])
    expect(await rows({ action: 'txlist', address: to })).toMatchObject([{ hash: first, value: '5' }, { hash: second }])
    expect(await rows({ action: 'tokentx', address: to })).toMatchObject([{ hash: second, value: '6' }])
  })
})

test('2. prices known coins and tokens only', async () => {
  expect(await prices('/simple/price?ids=ethereum,bitcoin,constructor&vs_currencies=usd,eur,xyz')).toEqual({
    ethereum: { usd: 2_500, eur: 2_250 },
    bitcoin: { usd: 60_000, eur: 54_000 },
  })
  expect(
    await prices(`/simple/token_price/postern-solana?contract_addresses=${solanaMint},unknown&vs_currencies=usd`),
  ).toEqual({ [solanaMint]: { usd: 1 } })
})

test('3. can be down or rate limited', async () => {
  const fault = (kind: string) =>
    fetch(`http://127.0.0.1:${ports.indexer}/devnet/fault`, { method: 'POST', body: JSON.stringify({ kind }) })
  await fault('limited')
  expect(await ask({ action: 'txlist', address: treasury.address })).toMatchObject({ result: 'Max rate limit reached' })
  await fault('down')
  expect((await fetch(`http://127.0.0.1:${ports.indexer}/31337/api`)).status).toBe(503)
  expect((await fault('none')).status).toBe(200)
})
