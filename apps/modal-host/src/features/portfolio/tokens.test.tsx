// @vitest-environment happy-dom
import { setImmediate } from 'node:timers/promises'
import type { TokenBalance } from '@postern/protocol'
import { act } from 'react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { arrival, connected, dialog, ethereum, mount, press, text, title } from '../../boot/testing/mount-app'
import type { HostSnapshot } from '../../snapshot/contract'
import type { MoneyHost } from '../../snapshot/money'
import { noon, testMoney } from '../testing/test-money'

beforeEach(() => vi.setSystemTime(noon))

function token(name: string, numeric: string, price = 0): TokenBalance {
  const quantity = { decimals: '18', numeric }
  return { name, symbol: 'TOK', chainId: 'eip155:1', address: `eip155:1:${name}`, price, quantity, iconUrl: '' }
}

const fail = () => Promise.reject(new Error('Unexpected request'))

async function account(balances: readonly TokenBalance[], changes: Partial<HostSnapshot> = {}) {
  const balance = vi.fn(async () => ({ balances: [...balances] }))
  const app = await mount({ connections: { eip155: connected }, ...changes }, testMoney({ api: { balance } }))
  await app.open('Account')
  return { ...app, balance }
}

describe('the tokens of an account', () => {
  it('show amounts rounded down, and a value if there is a price (spec §9)', async () => {
    await account([token('Ether', '1.239', 2_500.5), token('Dust', '0.0019'), token('Big', '12345678901234567890.999')])
    await arrival(() => expect(text()).toContain('1.23 TOK'))
    expect(text()).toContain('$3,098.11')
    expect(text()).toContain('0.001 TOK')
    expect(text()).toContain('12,345,678,901,234,567,890.99 TOK')
  })

  it('show untrusted text on one line, and no third-party image', async () => {
    const hostile = token('<img src=x onerror=alert(1)>\u202e\nUSDC', '1')
    await account([{ ...hostile, iconUrl: 'https://tracker.example/pixel.png' }])
    await arrival(() => expect(text()).toContain('<img src=x onerror=alert(1)> USDC'))
    expect(dialog().querySelectorAll('img')).toHaveLength(0)
    expect(text()).not.toContain('\u202e')
  })

  it('hide spam until it is asked for, and group unlisted tokens', async () => {
    await account([
      { ...token('Visit claim-usdc.com', '5', 1_000), listing: 'phishing' },
      { ...token('USD Coin', '7'), listing: 'copy' },
      { ...token('Saltmarsh', '8'), listing: 'unlisted' },
      { ...token('Dollar', '9', 1), listing: 'listed' },
    ])
    await arrival(() => expect(text()).toContain('1 spam item hidden'))
    expect(text()).toMatch(/Dollar.*Unlisted tokens.*Saltmarsh.*USD CoinCopied name/)
    expect(text()).not.toContain('claim')
    expect(text()).toContain('Total value $9.00')
    await press('Show')
    expect(text()).toMatch(/Unlisted tokens.*USD Coin.*Visit claim-usdc\.comSpam/)
    expect(text()).toContain('Total value $9.00')
    await press('Activity')
    await press('Tokens')
    await press('Hide')
    expect(text()).not.toContain('claim')
  })

  it('show the empty state, and what is hidden, if there is nothing but spam', async () => {
    await account([{ ...token('Visit claim-usdc.com', '5'), listing: 'phishing' }])
    await arrival(() => expect(text()).toContain('No tokens yet'))
    expect(text()).toContain('1 spam item hidden')
    await press('Show')
    expect(text()).toContain('Visit claim-usdc.com')
  })

  it('show the empty state if every network was queried', async () => {
    const base = { ...ethereum, id: 8453, name: 'Base', caipNetworkId: 'eip155:8453' } as const
    const none = [token('Ether', '0', 3), { ...token('Based', '0', 3), chainId: base.caipNetworkId }]
    await account(none, { networks: [ethereum, base] })
    await press('All networks')
    await arrival(() => expect(text()).toContain('No tokens yet'))
    expect(text()).toContain('Total value $0.00')
  })

  it('show the dapp’s endpoint balance, not zero, on a network that the service does not cover', async () => {
    await account([])
    await arrival(() => expect(text()).toContain('Tokens aren’t shown here'))
    expect(text()).toContain('Balance 1.250ETH')
    expect(text()).not.toContain('$')
    expect(text()).not.toContain('No tokens yet')
  })

  it('say that some may be missing if only the chain responds', async () => {
    const client: MoneyHost['client'] = (networkId) => ({
      networkId,
      rpc: { request: async () => '0xde0b6b3a7640000' },
      esplora: { get: fail, post: fail },
    })
    const app = await mount({ connections: { eip155: connected } }, testMoney({ client }))
    await app.open('Account')
    await arrival(() => expect(text()).toContain('1.00 ETH'))
    expect(text()).toContain('Some tokens can’t be shown right now.')
  })

  it('report a failure, and when to retry (spec §8)', async () => {
    const app = await mount({ connections: { eip155: connected } }, testMoney())
    await app.open('Account')
    await arrival(() => expect(text()).toContain('Couldn’t load your tokens'))
    expect(text()).toMatch(/Try again in (30|29) seconds/)
    expect(app.actions.notify).toHaveBeenCalledExactlyOnceWith('Token Balance Unavailable', 'bad')
  })

  it('are not reloaded within 30 s of a failure, however often the view opens (spec §9)', async () => {
    const balance = vi.fn(async () => Promise.reject(new Error('HTTP status code: 503')))
    const app = await mount({ connections: { eip155: connected } }, testMoney({ api: { balance } }))
    await app.open('Account')
    await arrival(() => expect(text()).toContain('Couldn’t load your tokens'))
    await app.set({ open: false })
    await app.open('Account')
    await press('NFTs')
    await press('Tokens')
    expect(balance).toHaveBeenCalledTimes(1)
    await app.set({ moves: 1 })
    await arrival(() => expect(balance).toHaveBeenCalledTimes(2))
  })

  it('show a total value', async () => {
    await account([token('Ether', '1.239', 2_500.5), token('Dollar', '1234567', 1), token('Dust', '7')])
    await arrival(() => expect(text()).toContain('Total value $1,237,665.11'))
  })

  it('have no value on a testnet, where the native balance is shown instead', async () => {
    await account([token('Ether', '5', 2_500)], {
      networks: [{ ...ethereum, testnet: true }],
      nativeBalance: { kind: 'ready', formatted: '0.00', symbol: 'ETH' },
    })
    await arrival(() => expect(text()).toContain('5.00 TOK'))
    expect(text()).toContain('Balance 0.00')
    expect(text()).toContain('Test network: tokens have no value')
    expect(text()).not.toContain('$')
  })

  it('are five at first; a list of a thousand renders only a few', async () => {
    await account(Array.from({ length: 1_000 }, (_, index) => token(`Token ${index}`, '1')))
    await arrival(() => expect(text()).toContain('All tokens1,000'))
    expect(dialog().querySelectorAll('[data-line]')).toHaveLength(4)
    await press('All tokens')
    await arrival(() => expect(title()).toBe('Tokens'))
    await arrival(() => expect(dialog().querySelectorAll('[data-line]').length).toBeGreaterThan(5))
    expect(dialog().querySelectorAll('[data-line]').length).toBeLessThan(40)
    await press('Back')
    expect(title()).toBe('Account')
  })

  it('are those of one network, or of all with network names', async () => {
    const base = { ...ethereum, id: 8453, name: 'Base', caipNetworkId: 'eip155:8453' } as const
    const { balance } = await account([token('Ether', '1', 3), { ...token('Based', '2'), chainId: 'eip155:8453' }], {
      networks: [ethereum, base],
    })
    await arrival(() => expect(text()).toContain('1.00 TOK'))
    expect(text()).not.toContain('Based')
    await press('All networks')
    await arrival(() => expect(text()).toContain('Based2.00 TOKBase'))
    expect(text()).toContain('Ether1.00 TOK$3.00Ethereum')
    expect(text()).toContain('Total value $3.00')
    expect(balance).toHaveBeenCalledTimes(3)
    await press('Only this network')
    await arrival(() => expect(text()).not.toContain('Based'))
  })

  it('do not load while the modal is closed, nor does the identity', async () => {
    const balance = vi.fn(async () => ({ balances: [] }))
    const identity = vi.fn(async () => ({ name: null, avatar: null }))
    const calls = () => [balance, identity].map(({ mock }) => mock.calls.length)
    const app = await mount({ connections: { eip155: connected } }, testMoney({ api: { balance, identity } }))
    await app.open('Account')
    await arrival(() => expect(calls()).toEqual([1, 1]))
    await app.set({ open: false })
    const other = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
    await app.set({
      connections: { eip155: { ...connected, accounts: [{ namespace: 'eip155', address: other, type: 'eoa' }] } },
    })
    // As many turns as both take once the modal is open.
    for (let turn = 0; turn < 10; turn += 1) await act(() => setImmediate())
    expect(calls()).toEqual([1, 1])
    await app.set({ open: true })
    await arrival(() => expect(calls()).toEqual([2, 2]))
  })

  it('show placeholders until the service responds', async () => {
    let respond = () => {}
    const slow = new Promise<void>((resolve) => {
      respond = resolve
    })
    const balance = () => slow.then(() => ({ balances: [token('Ether', '7')] }))
    const app = await mount({ connections: { eip155: connected } }, testMoney({ api: { balance } }))
    await app.open('Account')
    await arrival(() => expect(dialog().querySelectorAll('[role=tabpanel] [aria-busy=true]')).toHaveLength(1))
    respond()
    await arrival(() => expect(text()).toContain('7.00 TOK'))
    expect(dialog().querySelectorAll('[role=tabpanel] [aria-busy=true]')).toHaveLength(0)
  })

  it('stay as they were if they cannot be loaded again', async () => {
    const { balance, set, actions } = await account([token('Ether', '7')])
    await arrival(() => expect(text()).toContain('7.00 TOK'))
    balance.mockRejectedValue(new Error('offline'))
    await set({ moves: 1 })
    await arrival(() => expect(actions.notify).toHaveBeenCalledExactlyOnceWith('Token Balance Unavailable', 'bad'))
    // As many turns as the view takes to show the failure.
    for (let turn = 0; turn < 10; turn += 1) await act(() => setImmediate())
    expect(text()).toContain('7.00 TOK')
  })

  it('reload after money moved, bypassing the service’s cache once', async () => {
    const { balance, set } = await account([token('A', '1')])
    await arrival(() => expect(balance).toHaveBeenCalledTimes(1))
    await set({ moves: 1 })
    await arrival(() => expect(balance).toHaveBeenCalledTimes(2))
    expect(balance).toHaveBeenLastCalledWith(expect.objectContaining({ forceUpdate: true }), expect.anything())
    vi.setSystemTime(noon + 31_000)
    await set({ open: false })
    await set({ open: true })
    await arrival(() => expect(balance).toHaveBeenCalledTimes(3))
    expect(balance).toHaveBeenLastCalledWith(expect.not.objectContaining({ forceUpdate: true }), expect.anything())
  })
})
