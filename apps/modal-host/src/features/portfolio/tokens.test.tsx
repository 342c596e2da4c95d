// @vitest-environment happy-dom
import type { TokenBalance } from '@postern/protocol'
import { describe, expect, it, vi } from 'vitest'
import { arrival, connected, dialog, mount, press, text, title } from '../../modal/testing/mount-app'
import type { MoneyHost } from '../contract'
import { testMoney } from '../testing/test-money'

function token(name: string, numeric: string, price = 0): TokenBalance {
  const quantity = { decimals: '18', numeric }
  return { name, symbol: 'TOK', chainId: 'eip155:1', address: `eip155:1:${name}`, price, quantity, iconUrl: '' }
}

const unasked = () => Promise.reject(new Error('Nobody asks it'))

async function account(balances: readonly TokenBalance[]) {
  const balance = vi.fn(async () => ({ balances: [...balances] }))
  const app = await mount({ connections: { eip155: connected } }, testMoney({ api: { balance } }))
  await app.open('Account')
  await press('Tokens')
  await arrival(() => expect(title()).toBe('Tokens'))
  return { ...app, balance }
}

describe('the tokens of an account', () => {
  it('have their amounts rounded down, and their worth where somebody knows a price', async () => {
    await account([token('Ether', '1.239', 2_500.5), token('Dust', '0.0019'), token('Big', '12345678901234567890.999')])
    await arrival(() => expect(text()).toContain('1.23 TOK'))
    expect(text()).toContain('$3,098.11')
    expect(text()).toContain('0.001 TOK')
    expect(text()).toContain('12,345,678,901,234,567,890.99 TOK')
  })

  it('are strangers’ words: text in one line, and no picture from elsewhere', async () => {
    const hostile = token('<img src=x onerror=alert(1)>\u202e\nUSDC', '1')
    await account([{ ...hostile, iconUrl: 'https://tracker.example/pixel.png' }])
    await arrival(() => expect(text()).toContain('<img src=x onerror=alert(1)> USDC'))
    expect(dialog().querySelectorAll('section img')).toHaveLength(0)
    expect(text()).not.toContain('\u202e')
  })

  it('say that there are none', async () => {
    await account([])
    await arrival(() => expect(text()).toContain('No tokens yet'))
  })

  it('say that there may be more where only the chain answers', async () => {
    const client: MoneyHost['client'] = (networkId) => ({
      networkId,
      rpc: { request: async () => '0xde0b6b3a7640000' },
      esplora: { get: unasked, post: unasked },
    })
    const app = await mount({ connections: { eip155: connected } }, testMoney({ client }))
    await app.open('Account')
    await press('Tokens')
    await arrival(() => expect(text()).toContain('1.00 ETH'))
    expect(text()).toContain('Other tokens cannot be listed right now.')
  })

  it('say when nobody answers, and when to try again', async () => {
    const app = await mount({ connections: { eip155: connected } }, testMoney())
    await app.open('Account')
    await press('Tokens')
    await arrival(() => expect(text()).toContain('Token Balance Unavailable'))
    expect(text()).toMatch(/Try again in (30|29) seconds/)
  })

  it('are read anew once money moved', async () => {
    const { balance, set } = await account([token('A', '1')])
    await arrival(() => expect(balance).toHaveBeenCalledTimes(1))
    await set({ moves: 1 })
    await arrival(() => expect(balance).toHaveBeenCalledTimes(2))
    expect(balance).toHaveBeenLastCalledWith(expect.objectContaining({ forceUpdate: true }), expect.anything())
  })
})
