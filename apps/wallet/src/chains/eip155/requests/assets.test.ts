import { type BalanceResponse, parseWalletAssets, type TokenBalance } from '@postern/protocol'
import { describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { accountsOf } from '../account/accounts'
import { baseUrl, testWallet } from '../testing/wallet'
import { walletAssets } from './assets'

const gem = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
const Calls = z.array(z.object({ id: z.number(), method: z.string() }))

const token = (more: Partial<TokenBalance> = {}): TokenBalance => ({
  name: 'Gem',
  symbol: 'GEM',
  chainId: 'eip155:31337',
  address: `eip155:31337:${gem}`,
  value: 3,
  price: 2,
  quantity: { decimals: '6', numeric: '1.5' },
  iconUrl: '/public/getTokenImage/GEM',
  ...more,
})
const native = { address: 'native', type: 'NATIVE', balance: '0x10', metadata: { symbol: 'ETH', decimals: 18 } }

/** A gateway whose chain says 16 wei, and whose balance service answers as given. */
async function setUp(service: () => Response | Promise<Response>) {
  const asked: URL[] = []
  const { context } = await testWallet('assets', async (input, init) => {
    const url = new URL(String(input))
    if (url.pathname !== '/v1/') {
      asked.push(url)
      return service()
    }
    const body: unknown = JSON.parse(String(init?.body))
    const calls = Calls.parse(Array.isArray(body) ? body : [body])
    const answers = calls.map(({ id }) => ({ jsonrpc: '2.0', id, result: '0x10' }))
    return Response.json(Array.isArray(body) ? answers : answers[0])
  })
  const account = context.addresses.eip155
  const assets = async (more = {}) => {
    const found = await walletAssets([{ account, ...more }], accountsOf(context), context)
    expect(parseWalletAssets(found)).not.toBeNull()
    return found
  }
  return { asked, account, assets }
}

const listing =
  (...balances: TokenBalance[]) =>
  () =>
    Response.json({ balances } satisfies BalanceResponse)

describe('wallet_getAssets', () => {
  it('lists the tokens that the account holds, with their price (spec §7)', async () => {
    const { asked, account, assets } = await setUp(listing(token()))
    expect(await assets()).toMatchObject({
      '0x7a69': [
        native,
        {
          address: gem,
          type: 'ERC20',
          balance: '0x16e360',
          metadata: { name: 'Gem', symbol: 'GEM', decimals: 6, price: 2, value: 3 },
        },
      ],
    })
    expect(asked.map(String)).toEqual([
      `${baseUrl}/v1/account/${account}/balance?chainId=eip155%3A31337&projectId=demo`,
    ])
  })

  it.each([
    ['the native currency', token({ address: undefined })],
    ['a token without a balance', token({ quantity: { decimals: '6', numeric: '0' } })],
    ['a token of zero decimals', token({ quantity: { decimals: '0', numeric: '5' } })],
    ['a negative amount', token({ quantity: { decimals: '6', numeric: '-1' } })],
    ['a token of another network', token({ chainId: 'eip155:1', address: `eip155:1:${gem}` })],
    ['a token whose address is of another network', token({ address: `eip155:1:${gem}` })],
    ['what is no address', token({ address: 'eip155:31337:0x12' })],
  ])('leaves out %s of the service', async (_, balance) => {
    const { assets } = await setUp(listing(balance))
    expect(await assets()).toMatchObject({ '0x7a69': [native] })
  })

  it('leaves out tokens that advertise a site, and lists unlisted ones last, marked', async () => {
    const at = (digit: string) => `eip155:31337:0x${digit.repeat(40)}`
    const lure = token({ name: 'Visit claim-usdc.com', address: at('1'), listing: 'phishing' })
    const copy = token({ name: 'Fake', address: at('2'), listing: 'copy' })
    const { assets } = await setUp(listing(lure, copy, token({ listing: 'listed' })))
    const found = await assets()
    expect(found['0x7a69']?.map(({ metadata: { name, listing } }) => [name, listing])).toEqual([
      ['Ether', undefined],
      ['Gem', 'listed'],
      ['Fake', 'copy'],
    ])
  })

  it.each<[string, () => Response | Promise<Response>]>([
    ['fails', () => new Response('down', { status: 502 })],
    ['cannot be reached', () => Promise.reject(new TypeError('Failed to fetch'))],
    ['answers nonsense', () => Response.json({ balances: [{ symbol: 'GEM' }] })],
  ])('lists the native currency alone if the service %s', async (_, service) => {
    const { asked, assets } = await setUp(service)
    expect(await assets()).toMatchObject({ '0x7a69': [native] })
    expect(asked).toHaveLength(1)
  })

  it('does not ask the service if the dapp names the assets, or wants no tokens', async () => {
    const { asked, assets } = await setUp(listing(token()))
    const assetFilter = { '0x7a69': [{ address: 'native', type: 'native' }] }
    expect(await assets({ assetFilter })).toMatchObject({ '0x7a69': [native] })
    expect(await assets({ assetTypeFilter: ['NATIVE'] })).toMatchObject({ '0x7a69': [native] })
    expect(asked).toEqual([])
  })

  it('lists tokens without the native currency if the dapp wants only these', async () => {
    const { assets } = await setUp(listing(token()))
    expect(await assets({ assetTypeFilter: ['ERC20'] })).toMatchObject({ '0x7a69': [{ address: gem }] })
  })
})
