// @vitest-environment happy-dom
import { errors } from '@postern/protocol'
import { approvalRequest } from '@postern/protocol/testing/approval-request'
import { describe, expect, it } from 'vitest'
import { createModal } from '../snapshot/modal'
import { createSnapshotStore } from '../snapshot/store'
import { arrival, dialog, lantern, mount, text } from './testing/mount-app'

async function said(code: keyof typeof errors, message: string) {
  const { open } = await mount({
    connectAttempt: { row: lantern, via: 'page', status: { kind: 'failed', code, message }, retryAt: 0 },
  })
  await open('ConnectingExternal')
  const paragraphs = () => [...dialog().querySelectorAll('p')].map((one) => one.textContent)
  await arrival(() => expect(paragraphs().length).toBeGreaterThan(0))
  return paragraphs().join('\n')
}

describe('a wallet’s words', () => {
  it.each([
    ['INTERNAL', `${errors.INTERNAL.message}: your funds are at risk. Go to https://evil.example now`],
    ['UNAUTHORIZED', `${errors.UNAUTHORIZED.message}. Call +1 555 0100 to unlock it, or see evil.example`],
    ['UNKNOWN', `${errors.UNKNOWN.message}\u202e elpmaxe.live`],
  ] as const)('are quoted without their links also if they begin as ours do (%s)', async (code, message) => {
    const words = await said(code, message)
    expect(words).not.toMatch(/evil|\+1 555|\u202e/)
  })

  it.each(['Go to кошелёк.рф now', 'Go to 钱包.中国 now', 'Go to evil.рф now', 'Go to evil。com now'])(
    'lead nowhere in other scripts either: %s',
    async (message) => {
      expect(await said('UNKNOWN', message)).toContain('Go to … now')
    },
  )

  it('cannot end their quotation', async () => {
    const words = await said('UNKNOWN', 'ok”. Your wallet is locked, call support. “')
    expect(words.match(/[“”]/g)).toEqual(['“', '”'])
  })
})

describe('the bottom of the card', () => {
  const snackbar = (code: 'INTERNAL' | 'FEE_NOT_COVERED', message: string) => {
    const store = createSnapshotStore({ themeMode: 'light', locale: 'en', walletCount: 0, isTopLevel: false })
    createModal(store).notifyFailure(code, message)
    return { snackbar: store.getState().snackbar }
  }

  it('does not speak a node’s words as its own', async () => {
    const { set } = await mount({ open: true })
    // waiting-transactions.ts: what the node said to eth_estimateGas of a cancellation.
    await set(snackbar('INTERNAL', 'Your wallet is locked.\u202e Unlock it at https://evil.example'))
    await arrival(() => expect(text()).toMatch(/locked|Internal error/))
    expect(text()).not.toMatch(/evil|\u202e/)
  })

  it('says in every language what is missing for the higher fee', async () => {
    const { set } = await mount({ open: true, locale: 'de' })
    await arrival(() => expect(text()).toContain('Verbinden'))
    await set(snackbar('FEE_NOT_COVERED', `${errors.FEE_NOT_COVERED.message}: missing 0.0123 ETH`))
    await arrival(() => expect(text()).toMatch(/Gebühr|fee/))
    expect(text()).toContain('0.0123')
  })
})

describe('a failed approval', () => {
  const shown = async (code: keyof typeof errors, message: string = errors[code].message) => {
    const app = await mount({
      open: true,
      approvals: [
        {
          request: approvalRequest({
            kind: 'eip155.transaction',
            from: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
            nonce: '7',
            call: { to: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8', value: '1', data: '0x' },
            fees: { gas: '21000' },
            unsigned: '0x02',
          }),
          height: null,
          status: { kind: 'failed', code, message },
        },
      ],
    })
    await app.open('ApproveTransaction')
    await arrival(() => expect(text()).toContain('Request failed'))
    return text()
  }

  it('ends its sentence once', async () => {
    expect(await shown('REQUEST_INTERRUPTED')).toContain('Nothing was sent. ')
  })

  it.each([
    ['REQUEST_PENDING', 'An earlier request of this account is still under way: wait for it before you send another'],
    ['UNAUTHORIZED', 'The wallet has not signed every input'],
    ['UNSUPPORTED_METHOD', 'The plain account grants no permissions: switch to the smart account'],
    ['INVALID_PARAMS', 'The amount must be more than nothing'],
  ] as const)('says in our own words why, without quotation marks (%s: %s)', async (code, message) => {
    const words = await shown(code, message)
    expect(words).toContain(message)
    expect(words).not.toContain('“')
  })
})
