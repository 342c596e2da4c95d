// @vitest-environment happy-dom
import type { PaymentRequest } from '@postern/protocol'
import { Failure } from '@postern/protocol/failure'
import { act } from 'react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { address, arrival, button, connected, mount, press, text, title } from '../../boot/testing/mount-app'
import type { HostSnapshot } from '../../snapshot/contract'
import type { MoneyHost } from '../../snapshot/money'
import { testMoney } from '../testing/test-money'

const payment: PaymentRequest = {
  networkId: 'eip155:1',
  amount: '0.25',
  recipient: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
  reference: 'Order 7\u202e\n<b>',
}
const ether = 10n ** 18n
const hex = (amount: bigint) => `0x${amount.toString(16)}`

const answers: Readonly<Record<string, unknown>> = {
  eth_getBalance: hex(ether),
  eth_getBlockByNumber: { baseFeePerGas: hex(10n ** 9n) },
  eth_maxPriorityFeePerGas: '0x1',
  eth_gasPrice: hex(10n ** 9n),
  eth_estimateGas: hex(21_000n),
  eth_getCode: '0x',
}
const client: MoneyHost['client'] = (networkId) => ({
  networkId,
  rpc: {
    request: async ({ method, params }) => {
      if (chain.isSilent) return new Promise(() => {})
      if (method === 'eth_call' && JSON.stringify(params).includes('0x313ce567'))
        return JSON.stringify(params).includes(payment.recipient) ? '0x' : hex(6n).replace('0x', `0x${'0'.repeat(63)}`)
      if (method in answers) return answers[method]
      throw new Error(`Unexpected request: ${method}`)
    },
  },
  esplora: { get: () => Promise.reject(new Error()), post: () => Promise.reject(new Error()) },
})

const chain = { isSilent: false }
afterEach(() => {
  chain.isSilent = false
})

async function view(
  requests: Partial<PaymentRequest> = {},
  changes: Partial<HostSnapshot> = {},
  transact = vi.fn(() => 't'),
) {
  const app = await mount(
    { connections: { eip155: connected }, payment: { ...payment, ...requests }, ...changes },
    testMoney({ client, transact }),
  )
  await app.open('Pay')
  await arrival(() => expect(title()).toBe('Payment'))
  return { ...app, transact }
}

describe('a payment', () => {
  it('shows who asks, the amount, the recipient and the fee', async () => {
    await view()
    await arrival(() => expect(text()).toContain('saltmarsh.example requests a payment'))
    expect(text()).toContain('−\u202F0.25\u00A0ETH')
    expect(text()).toContain('For: Order 7 <b>')
    expect(text()).toContain(payment.recipient)
    await arrival(() => expect(text()).toMatch(/≈\u202F0\.000021/))
  })

  it('asks the wallet for what was shown, and settles once it is sent', async () => {
    const hash = `0x${'ab'.repeat(32)}`
    const purpose = { kind: 'pay', amount: '0.25', symbol: 'ETH', to: payment.recipient } as const
    const known = { id: 't', networkId: 'eip155:1', from: address, purpose, at: 0 } as const
    const { transact, store, actions, set } = await view()
    transact.mockImplementation(() => {
      store.setState({ transactions: [{ ...known, status: { kind: 'asking' } }] })
      return known.id
    })
    await arrival(() => expect(button('Pay').getAttribute('aria-disabled')).toBeNull())
    await press('Pay')
    await arrival(() => expect(title()).toBe('Transaction'))
    expect(transact).toHaveBeenCalledExactlyOnceWith(
      expect.objectContaining({
        networkId: 'eip155:1',
        method: 'eth_sendTransaction',
        params: [expect.objectContaining({ to: payment.recipient, value: hex(ether / 4n) })],
        purpose,
      }),
    )
    expect(actions.settlePayment).not.toHaveBeenCalled()
    await set({ transactions: [{ ...known, status: { kind: 'sent', hash } }] })
    expect(actions.settlePayment).toHaveBeenCalledExactlyOnceWith({ networkId: 'eip155:1', hash, from: address })
  })

  it('asks the wallet once, however often the view reopens, and ends when sent', async () => {
    const purpose = { kind: 'pay', amount: '0.25', symbol: 'ETH', to: payment.recipient } as const
    const known = { id: 't', networkId: 'eip155:1', from: address, purpose, at: 0 } as const
    const { transact, store, set } = await view()
    transact.mockImplementation(() => {
      store.setState({ transactions: [{ ...known, status: { kind: 'asking' } }] })
      return known.id
    })
    await arrival(() => expect(button('Pay').getAttribute('aria-disabled')).toBeNull())
    await press('Pay')
    await arrival(() => expect(title()).toBe('Transaction'))
    await press('Back')
    await arrival(() => expect(title()).toBe('Payment'))
    await arrival(() => expect(button('Pay').getAttribute('aria-disabled')).toBeNull())
    await press('Pay')
    await arrival(() => expect(title()).toBe('Transaction'))
    expect(transact).toHaveBeenCalledOnce()
    await set({ payment: null, transactions: [{ ...known, status: { kind: 'sent', hash: `0x${'ab'.repeat(32)}` } }] })
    await press('Back')
    await arrival(() => expect(title()).toBe('Account'))
  })

  it('cannot exceed the balance', async () => {
    await view({ amount: '1.5' })
    await arrival(() => expect(text()).toContain('Not enough ETH.'))
    expect(button('Pay').getAttribute('aria-disabled')).toBe('true')
  })

  it('is rejected if the token cannot have that amount', async () => {
    await view({ token: '0x5FbDB2315678afecb367f032d93F642f64180aa3', amount: '0.0000001' })
    await arrival(() => expect(text()).toContain('Invalid amount'))
  })

  it('stays on the requested network, whatever the wallet’s', async () => {
    const { actions } = await view({}, { connections: { eip155: { ...connected, networkId: 'eip155:10' } } })
    await arrival(() => expect(text()).toContain('Switch networks to pay.'))
    await press('Switch network')
    expect(actions.switchNetwork).toHaveBeenCalledWith('eip155:1')
  })

  it('closes when declined', async () => {
    const { actions } = await view()
    await arrival(() => expect(text()).toContain('requests a payment'))
    await press('Decline')
    expect(actions.close).toHaveBeenCalled()
  })

  it('asks no wallet if it was closed while the chain was asked', async () => {
    const { transact, store } = await view()
    await arrival(() => expect(button('Pay').getAttribute('aria-disabled')).toBeNull())
    await act(async () => {
      button('Pay').click()
      store.setState({ payment: null })
    })
    expect(transact).not.toHaveBeenCalled()
  })

  it('is not paid from another account than the one shown', async () => {
    const { transact, store } = await view()
    await arrival(() => expect(button('Pay').getAttribute('aria-disabled')).toBeNull())
    const accounts = [{ namespace: 'eip155', address: payment.recipient, type: 'eoa' }] as const
    await act(async () => {
      button('Pay').click()
      store.setState({ connections: { eip155: { ...connected, accounts: [...accounts] } } })
    })
    expect(transact).not.toHaveBeenCalled()
  })

  it('is replaced by the next payment, and is never paid instead', async () => {
    const { set } = await view()
    await arrival(() => expect(text()).toContain('−\u202F0.25\u00A0ETH'))
    await set({ payment: null })
    await set({ payment: { ...payment, amount: '0.5' } })
    await arrival(() => expect(text()).toContain('−\u202F0.5\u00A0ETH'))
    expect(text()).not.toContain('0.25')
  })

  it('never pays the previous recipient while the chain has not responded for the new one', async () => {
    const { set, transact } = await view()
    await arrival(() => expect(button('Pay').getAttribute('aria-disabled')).toBeNull())
    const other = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
    await set({ payment: null })
    chain.isSilent = true
    await set({ payment: { ...payment, recipient: other } })
    await arrival(() => expect(text()).toContain(other))
    await act(async () => button('Pay').click())
    expect(transact).not.toHaveBeenCalled()
    expect(button('Pay').getAttribute('aria-disabled')).toBe('true')
  })

  it('does not wait for the previous payment, nor show its failure', async () => {
    const transact = vi.fn((): string => {
      throw new Failure('UNKNOWN', { message: 'The wallet is out of paper' })
    })
    const { set } = await view({}, {}, transact)
    await arrival(() => expect(button('Pay').getAttribute('aria-disabled')).toBeNull())
    await press('Pay')
    await arrival(() => expect(text()).toContain('out of paper'))
    await set({ payment: null })
    await set({ payment: { ...payment, amount: '0.5' } })
    await arrival(() => expect(text()).toContain('−\u202F0.5\u00A0ETH'))
    expect(text()).not.toContain('out of paper')
  })
})
