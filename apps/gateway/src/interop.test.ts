/** Calls every Blockchain API route on the devnet, and parses the responses with the modal host's schemas. */
import {
  AnalyticsConfig,
  blockchainAnswers as answers,
  JsonRpcResponse,
  nativeTokenAddress,
  SupportedChains,
} from '@postern/protocol'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { operations } from './site/operations'
import { type BlockchainTest, startBlockchain } from './testing/blockchain'
import { devnetAccounts, devnetContracts, devnetSolanaId, freePorts } from './testing/devnet'

const ports = await freePorts('evm', 'evmTwo', 'solana', 'bitcoin', 'onramp', 'indexer')
const chainId = 'eip155:31337'
const alice = devnetAccounts[0]?.address ?? ''
const solana = 'oeYf6KAJkLYhBuR8CiGc6L4D4Xtfepr85fuDgA9kq96'
const bitcoin = 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080'
const on = (address: string) => `${chainId}:${address}`
const owner = privateKeyToAccount(generatePrivateKey())
const name = `interop-${owner.address.slice(2, 10).toLowerCase()}`

// real time: the devnet's on-ramp checks tokens by the system's clock.
const now = Date.now
let chains: BlockchainTest
beforeAll(async () => {
  chains = await startBlockchain(ports, {}, { now })
})
afterAll(() => chains.stop())

const swap = { from: on(nativeTokenAddress), to: on(devnetContracts.dollar), userAddress: on(alice) }
const approval = { from: on(devnetContracts.dollar), to: on(nativeTokenAddress), userAddress: on(alice) }
const query = (values: Readonly<Record<string, string>>) => `?${new URLSearchParams(values)}`

async function signed(claim: object) {
  const timestamp = Math.floor(now() / 1000)
  const message = JSON.stringify({ ...claim, address: owner.address, timestamp })
  return { coin_type: 60, address: owner.address, message, signature: await owner.signMessage({ message }) }
}
const registration = () => signed({ name: `${name}.postern`, attributes: {} })
const release = () => signed({ release: `${name}.postern` })

type Call = {
  readonly route: string
  readonly path: string
  readonly schema: z.ZodMiniType
  readonly body?: unknown | (() => Promise<unknown>)
  readonly status?: number
}

const calls: readonly Call[] = [
  { route: 'get /v1/supported-chains', path: '/v1/supported-chains', schema: SupportedChains },
  {
    route: 'post /v1/',
    path: `/v1/?chainId=${chainId}`,
    schema: JsonRpcResponse,
    body: { jsonrpc: '2.0', id: 1, method: 'eth_blockNumber' },
  },
  { route: 'get /v1/identity/:address', path: `/v1/identity/${alice}?sender=${alice}`, schema: answers.identity },
  ...[alice, on(alice), solana, bitcoin].flatMap((address): Call[] => [
    { route: 'get /v1/account/:address/history', path: `/v1/account/${address}/history`, schema: answers.history },
    {
      route: 'get /v1/account/:address/balance',
      path: `/v1/account/${address}/balance?currency=usd&forceUpdate=true`,
      schema: answers.balance,
    },
    { route: 'get /v1/account/:address/nfts', path: `/v1/account/${address}/nfts`, schema: answers.nfts },
  ]),
  { route: 'get /v1/convert/tokens', path: `/v1/convert/tokens?chainId=${chainId}`, schema: answers.swapTokens },
  {
    route: 'get /v1/convert/quotes',
    path: `/v1/convert/quotes${query({ ...swap, amount: '1000000000000000', gasPrice: '1' })}`,
    schema: answers.swapQuotes,
  },
  {
    route: 'get /v1/convert/allowance',
    path: `/v1/convert/allowance${query({ tokenAddress: on(devnetContracts.dollar), userAddress: on(alice) })}`,
    schema: answers.swapAllowance,
  },
  { route: 'get /v1/convert/gas-price', path: `/v1/convert/gas-price?chainId=${chainId}`, schema: answers.gasPrices },
  {
    route: 'post /v1/convert/build-transaction',
    path: '/v1/convert/build-transaction',
    schema: answers.buildSwap,
    body: { ...swap, amount: '1000000000000000', eip155: { slippage: 1 }, projectId: 'demo' },
  },
  // As in interop, and with our own amount.
  ...[approval, { ...approval, amount: '1000000' }].map(
    (request): Call => ({
      route: 'get /v1/convert/build-approve',
      path: `/v1/convert/build-approve${query(request)}`,
      schema: answers.buildApprove,
    }),
  ),
  {
    route: 'post /v1/fungible/price',
    path: '/v1/fungible/price',
    schema: answers.prices,
    body: {
      currency: 'usd',
      addresses: [
        on(nativeTokenAddress),
        on(devnetContracts.dollar),
        `${devnetSolanaId}:So11111111111111111111111111111111111111112`,
      ],
      projectId: 'demo',
    },
  },
  {
    route: 'get /v1/profile/suggestions/:name',
    path: `/v1/profile/suggestions/${name}?zone=postern`,
    schema: answers.nameSuggestions,
  },
  { route: 'post /v1/profile/account', path: '/v1/profile/account', schema: answers.registerName, body: registration },
  { route: 'get /v1/profile/account/:name', path: `/v1/profile/account/${name}.postern`, schema: answers.nameProfile },
  { route: 'get /v1/profile/account/:name', path: '/v1/profile/account/alice.eth', schema: answers.nameProfile },
  {
    route: 'get /v1/profile/reverse/:address',
    path: `/v1/profile/reverse/${owner.address}?sender=${alice}`,
    schema: answers.nameProfiles.check(z.minLength(1)),
  },
  {
    route: 'post /v1/profile/account/release',
    path: '/v1/profile/account/release',
    schema: z.strictObject({ name: z.string(), free_from: z.iso.datetime() }),
    body: release,
  },
  { route: 'get /v1/onramp/options', path: '/v1/onramp/options', schema: answers.onRampOptions },
  {
    route: 'post /v1/onramp/quote',
    path: '/v1/onramp/quote',
    schema: answers.onRampQuote,
    body: { purchaseCurrency: 'ETH', paymentCurrency: 'USD', amount: '50', network: 'postern-31337' },
  },
  {
    route: 'post /v1/generators/onrampurl',
    path: '/v1/generators/onrampurl',
    schema: answers.onRampUrl,
    body: {
      destinationWallets: [{ address: alice, blockchains: ['postern-31337'], assets: ['ETH'] }],
      defaultNetwork: 'postern-31337',
      partnerUserId: 'a-purchase-of-alice',
      defaultExperience: 'buy',
      presetCryptoAmount: '0.1',
      presetFiatAmount: '50',
    },
  },
  {
    route: 'get /v1/onramp/purchases/:partnerUserId',
    path: '/v1/onramp/purchases/a-purchase-of-alice',
    schema: answers.onRampPurchases,
  },
  { route: 'get /v1/sessions/:address', path: `/v1/sessions/${on(alice)}`, schema: answers.smartSessions },
  { route: 'get /getAnalyticsConfig', path: '/getAnalyticsConfig', schema: AnalyticsConfig },
  {
    route: 'post /e',
    path: '/e',
    schema: z.object({ status: z.literal('ok') }),
    status: 202,
    body: {
      eventId: 'one',
      url: 'https://app.example.com/',
      domain: 'app.example.com',
      timestamp: 0,
      props: { type: 'track', event: 'MODAL_OPEN' },
    },
  },
]

describe('every call returns the shape that its caller expects', () => {
  test.each(calls.map((call) => [call.route, call.path, call] as const))('%s: %s', async (_, path, call) => {
    const body = typeof call.body === 'function' ? await call.body() : call.body
    const response = await chains.app.request(`${path}${path.includes('?') ? '&' : '?'}projectId=demo&st=test&sv=1.0`, {
      method: body === undefined ? 'GET' : 'POST',
      ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } }),
    })
    const text = await response.text()
    expect([response.status, text.slice(0, 300)]).toEqual([call.status ?? 200, text.slice(0, 300)])
    call.schema.parse(JSON.parse(text))
  })

  test('covers every call of the API', () => {
    const elsewhere = /esplora|bundler|paymaster|nft-image|avatar|revoke|siwx/
    const served = operations.flatMap(({ method, path }) => (path.startsWith('/v1/') ? [`${method} ${path}`] : []))
    const missing = served.filter((route) => !elsewhere.test(route) && calls.every((call) => call.route !== route))
    expect(missing).toEqual([])
  })
})
