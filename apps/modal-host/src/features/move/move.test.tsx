// @vitest-environment happy-dom
import type { Connection, Nft, PreviousWallet, TokenBalance } from '@postern/protocol'
import { describe, expect, it, vi } from 'vitest'
import { address, arrival, button, connected, dialog, mount, press, text, title } from '../../boot/testing/mount-app'
import type { BlockchainApi, MoneyHost, TrackedTransaction } from '../../snapshot/money'
import { embeddedConnector, embeddedUser, walletSecurity } from '../../testing/snapshot'
import { testMoney } from '../testing/test-money'

const old = '0x71C7656EC7ab88b098defB751B7401B5f6d8976F'
const contract = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'
const collection = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const word = (value: bigint | string) => BigInt(value).toString(16).padStart(64, '0')

const ether: TokenBalance = {
  name: 'Ether',
  symbol: 'ETH',
  chainId: 'eip155:1',
  price: 2_000,
  quantity: { decimals: '18', numeric: '1' },
  iconUrl: '',
}
const dollar: TokenBalance = {
  name: 'Dollar',
  symbol: 'USD',
  chainId: 'eip155:1',
  address: `eip155:1:${contract}`,
  price: 1,
  quantity: { decimals: '6', numeric: '250' },
  iconUrl: '',
}
const empty: TokenBalance = {
  ...dollar,
  name: 'Empty',
  symbol: 'NIL',
  address: `eip155:1:${old}`,
  quantity: { decimals: '6', numeric: '0' },
}
const heron: Nft = {
  chainId: 'eip155:1',
  contract: `eip155:1:${collection}`,
  tokenId: '7',
  name: 'Grey Heron',
  collection: 'Stones',
  description: null,
  imageUrl: null,
  attributes: [],
}

const previous: PreviousWallet = {
  locked: null,
  accounts: [{ address: old, to: address, type: 'eoa', networkIds: ['eip155:1'] }],
}
const auth: Connection = { ...connected, connector: embeddedConnector }
const embeddedWith = (given: PreviousWallet | null) =>
  embeddedUser({ security: walletSecurity({ recovery: 'passphrase', previous: given }) })

type Options = {
  readonly api?: Partial<BlockchainApi>
  readonly answers?: Readonly<Record<string, unknown>>
  readonly given?: PreviousWallet
}

async function moving({ api = {}, answers = {}, given = previous }: Options = {}) {
  const said: Readonly<Record<string, unknown>> = {
    eth_getBalance: `0x${(10n ** 18n).toString(16)}`,
    eth_getBlockByNumber: { baseFeePerGas: '0x3b9aca00' },
    eth_maxPriorityFeePerGas: '0x0',
    eth_gasPrice: '0x3b9aca00',
    eth_estimateGas: '0x5208',
    eth_getCode: '0x',
    eth_call: `0x${word(250_000_000n)}`,
    ...answers,
  }
  const transact = vi.fn<MoneyHost['transact']>(() => 'tx')
  const money = testMoney({
    transact,
    api: {
      balance: async () => ({ balances: [ether, empty, dollar] }),
      nfts: async () => ({ nfts: [heron], next: null }),
      ...api,
    },
    client: (networkId) => ({
      networkId,
      rpc: {
        async request({ method, params }) {
          // Only the token contract returns decimals.
          const asked = JSON.stringify(params ?? null)
          if (asked.includes('0x313ce567')) return asked.includes(contract) ? `0x${word(6n)}` : '0x'
          const answer = said[method]
          if (answer instanceof Error) throw answer
          return answer
        },
      },
      esplora: { get: async () => null, post: async () => '' },
    }),
  })
  const app = await mount({ connections: { eip155: auth }, embedded: embeddedWith(given) }, money)
  await app.open('Account')
  await press('Wallet security')
  await press('Move your assets')
  await arrival(() => expect(title()).toBe('Move your assets'))
  return { ...app, transact }
}

const moves = () =>
  [...dialog().querySelectorAll('button')]
    .map((one) => one.getAttribute('aria-label') ?? '')
    .filter((label) => label.startsWith('Move '))

const tracked = (status: TrackedTransaction['status']): TrackedTransaction => ({
  id: 'tx',
  networkId: 'eip155:1',
  from: old,
  purpose: { kind: 'send', amount: '250', symbol: 'USD', to: address },
  at: 0,
  status,
})

describe('moving what the previous wallet holds', () => {
  it('marks unlisted tokens, and offers spam only if the user asks for it', async () => {
    const at = (digit: string) => `eip155:1:0x${digit.repeat(40)}`
    const lure: TokenBalance = { ...dollar, name: 'Visit claim-usdc.com', address: at('1'), listing: 'phishing' }
    const other: TokenBalance = { ...dollar, name: 'Saltmarsh', address: at('2'), listing: 'unlisted' }
    const spam: Nft = { ...heron, tokenId: '8', name: 'Ticket of gift.example.com', isSpam: true }
    await moving({
      api: {
        balance: async () => ({ balances: [lure, other, ether] }),
        nfts: async () => ({ nfts: [heron, spam], next: null }),
      },
    })
    await arrival(() => expect(text()).toContain('SaltmarshUnlisted'))
    expect(text()).toContain('2 spam items hidden')
    expect(text()).not.toMatch(/claim|gift/)
    await press('Show')
    expect(text()).toContain('Visit claim-usdc.comSpam')
    expect(text()).toContain('gift.example.com')
  })

  it('lists items with a balance, and the currency that pays the fees last', async () => {
    await moving()
    await arrival(() => expect(moves()).toEqual(['Move Grey Heron', 'Move USD', 'Move ETH']))
    expect(text()).toContain(old.slice(6, 20))
    expect(text()).not.toContain('Empty')
  })

  it('asks the wallet to send all of a token from the old account to the new one', async () => {
    const { transact } = await moving()
    await arrival(() => expect(moves()).toContain('Move USD'))
    await press('Move USD')
    await arrival(() => expect(transact).toHaveBeenCalledOnce())
    expect(transact.mock.calls[0]?.[0]).toMatchObject({
      networkId: 'eip155:1',
      from: old,
      method: 'eth_sendTransaction',
      params: [{ from: old, to: contract, data: `0xa9059cbb${word(address)}${word(250_000_000n)}` }],
      purpose: { kind: 'send', amount: '250', symbol: 'USD', to: address },
    })
  })

  it('keeps enough of the native currency for the fee', async () => {
    const { transact } = await moving()
    await arrival(() => expect(moves()).toContain('Move ETH'))
    await press('Move ETH')
    await arrival(() => expect(transact).toHaveBeenCalledOnce())
    const { params } = transact.mock.calls[0]?.[0] ?? {}
    const value = /"value":"(0x[0-9a-f]+)"/.exec(JSON.stringify(params))?.[1] ?? '0x0'
    expect(BigInt(value)).toBeGreaterThan(9n * 10n ** 17n)
    expect(BigInt(value)).toBeLessThanOrEqual(10n ** 18n - 21_000n * 10n ** 9n)
  })

  it.each([
    ['ERC-721', `0x${word(0n)}`, `0x42842e0e${word(old)}${word(address)}${word(7n)}`],
    [
      'ERC-1155',
      `0x${word(1n)}`,
      `0xf242432a${word(old)}${word(address)}${word(7n)}${word(1n)}${word(160n)}${word(0n)}`,
    ],
  ])('sends an item as its contract wants it: %s', async (_, supports, data) => {
    const { transact } = await moving({ answers: { eth_call: supports } })
    await arrival(() => expect(moves()).toContain('Move Grey Heron'))
    await press('Move Grey Heron')
    await arrival(() => expect(transact).toHaveBeenCalledOnce())
    expect(transact.mock.calls[0]?.[0].params).toEqual([
      { from: old, to: collection, value: '0x0', data, chainId: '0x1' },
    ])
  })

  it('sends no item while the chain does not respond, explains it, and keeps the row', async () => {
    const { transact } = await moving({ answers: { eth_call: new Error('down') } })
    await arrival(() => expect(moves()).toContain('Move Grey Heron'))
    await press('Move Grey Heron')
    await arrival(() => expect(alerts()).not.toBe(''))
    expect(transact).not.toHaveBeenCalled()
    expect(moves()).toContain('Move Grey Heron')
  })

  it('says in the row how a move goes; one that failed is offered again', async () => {
    const { set } = await moving()
    await arrival(() => expect(moves()).toContain('Move USD'))
    await press('Move USD')
    await set({ transactions: [tracked({ kind: 'asking' })] })
    await arrival(() => expect(text()).toContain('Approve in your wallet'))
    expect(moves()).not.toContain('Move USD')
    await set({ transactions: [tracked({ kind: 'failed', code: 'TIMEOUT', message: 'The request timed out' })] })
    expect(moves()).toContain('Move USD')
    expect(alerts()).not.toBe('')
    await set({ transactions: [tracked({ kind: 'declined' })] })
    expect(moves()).toContain('Move USD')
    expect(alerts()).toBe('')
    await set({ transactions: [tracked({ kind: 'ended', hash: '0x1', outcome: { kind: 'confirmed' } })] })
    expect(text()).toContain('Moved')
    expect(moves()).not.toContain('Move USD')
  })

  it('says that the list is not complete if the items do not load', async () => {
    await moving({ api: { nfts: () => Promise.reject(new Error('503')) } })
    await arrival(() => expect(moves()).toEqual(['Move USD', 'Move ETH']))
    await arrival(() => expect(text()).toContain('Some tokens can’t be shown right now.'))
    expect(text()).not.toContain('Nothing to move here.')
  })

  it('says that there is nothing to move only if everything was loaded', async () => {
    const balance = async () => ({ balances: [empty] })
    const nfts = async () => ({ nfts: [], next: null })
    await moving({ api: { balance, nfts } })
    await arrival(() => expect(text()).toContain('Nothing to move here.'))
  })

  it('unlocks a locked wallet in a window of its own, and lists nothing before', async () => {
    const { actions } = await moving({ given: { locked: 'passphrase', accounts: [] } })
    await press('Unlock previous wallet')
    expect(actions.openWalletWindow).toHaveBeenCalledWith('unlockPrevious')
    expect(moves()).toEqual([])
  })

  it('deletes the previous wallet in the wallet’s own window, and then leaves', async () => {
    const { actions, set } = await moving()
    await arrival(() => button('Delete previous wallet'))
    await press('Delete previous wallet')
    expect(actions.openWalletWindow).toHaveBeenCalledWith('deletePrevious')
    await set({ embedded: embeddedWith(null) })
    await arrival(() => expect(title()).toBe('Wallet security'))
  })
})

function alerts(): string {
  return [...dialog().querySelectorAll('[role=alert]')].map(({ textContent }) => textContent).join('')
}
