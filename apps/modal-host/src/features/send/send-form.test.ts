import { describe, expect, it } from 'vitest'
import { currencyOf, ethereum } from '../testing/test-networks'
import { afterSent, forOwner, type Reviewed, type SendForm, withReview } from './send-form'

const owner = { networkId: 'eip155:1', address: '0x1' } as const
const form: SendForm = {
  owner,
  token: '0xToken',
  amount: { text: '1', unit: 'token' },
  all: false,
  recipient: '0x2',
  choice: 'fast',
  reviewed: null,
  sent: 'a',
}

describe('the form', () => {
  it('stays with its owner', () => expect(forOwner(form, owner)).toBe(form))

  it('resets for another network or account; the recipient stays for the same account on the same chain', () => {
    expect(forOwner(form, { ...owner, networkId: 'eip155:10' })).toMatchObject({
      token: 'native',
      amount: { text: '' },
      recipient: '0x2',
    })
    expect(forOwner(form, { ...owner, address: '0x3' })).toMatchObject({
      recipient: '',
      amount: { text: '' },
      sent: null,
    })
    expect(forOwner(form, { ...owner, networkId: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp' })).toMatchObject({
      recipient: '',
    })
  })

  it('is empty after a send, and unchanged after a rejection', () => {
    expect(afterSent(form, 'went')).toMatchObject({ recipient: '', amount: { text: '' }, token: 'native', sent: null })
    expect(afterSent(form, 'none')).toMatchObject({ recipient: '0x2', amount: { text: '1' }, sent: null })
  })

  it('keeps the pending transaction until the wallet responds', () => {
    expect(afterSent(form, 'asking')).toBe(form)
  })

  it('does not repeat a pending transfer of the whole balance because the fee has changed', () => {
    const reviewed: Reviewed = {
      network: ethereum,
      account: { namespace: 'eip155', address: '0x1', type: 'eoa' },
      token: currencyOf(ethereum, 10n),
      amount: 9n,
      all: true,
      to: '0x2',
      name: null,
      choice: 'normal',
    }
    const pending = { ...form, reviewed }
    expect(withReview(pending, { ...reviewed, amount: 8n }).sent).toBe('a')
    expect(withReview(pending, { ...reviewed, all: false }).sent).toBeNull()
    expect(withReview({ ...form, reviewed: { ...reviewed, all: false } }, { ...reviewed, all: false }).sent).toBe('a')
  })
})
