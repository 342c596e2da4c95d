import type { PaymentRequest } from '@postern/protocol'
import { Failure } from '@postern/protocol/failure'
import { describe, expect, it } from 'vitest'
import { checkPayment } from './check-payment'

const recipient = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const token = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
const solana: PaymentRequest['networkId'] = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'
const bitcoin: PaymentRequest['networkId'] = 'bip122:000000000019d6689c085ae165831e93'
const fine: PaymentRequest = { networkId: 'eip155:1', amount: '12.5', recipient, token }
const codeOf = (payment: PaymentRequest) =>
  checkPayment(payment).then(
    () => 'fine',
    (thrown: unknown) => (thrown instanceof Failure ? thrown.code : thrown),
  )

describe('checkPayment', () => {
  it('formats the recipient for its network', async () => {
    expect(await checkPayment({ ...fine, recipient: recipient.toLowerCase() })).toEqual(fine)
    const onBitcoin = { networkId: bitcoin, amount: '0.001', recipient: 'BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4' }
    expect((await checkPayment({ ...onBitcoin })).recipient).toBe('bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4')
  })

  it.each([
    '',
    'ada.eth',
    'ethereum:0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
    '0x70997970c51812dc3A010C7d01b50e0d17dc79C8',
    '0x0000000000000000000000000000000000000000',
    '0x7099',
    'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
    `${recipient}\u202e`,
    ` ${recipient}`,
  ])('1. rejects %j as the recipient', async (wrong) => {
    expect(await codeOf({ ...fine, recipient: wrong })).toBe('INVALID_ADDRESS')
  })

  it.each(['0', '0.0', '0.000000000000000000'])('2. rejects an amount of %s', async (amount) => {
    expect(await codeOf({ ...fine, amount })).toBe('INVALID_PARAMS')
  })

  it('2. rejects an invalid token address', async () => {
    expect(await codeOf({ ...fine, token: 'USDC' })).toBe('INVALID_PARAMS')
    expect(await codeOf({ ...fine, networkId: solana, token })).toBe('INVALID_PARAMS')
    expect(
      await codeOf({
        networkId: bitcoin,
        amount: '1',
        recipient: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
        token: 'x',
      }),
    ).toBe('INVALID_PARAMS')
    expect(await codeOf(fine)).toBe('fine')
  })
})
