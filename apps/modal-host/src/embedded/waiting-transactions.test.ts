import type { ApprovalRequest, WaitingTransaction } from '@postern/protocol'
import { Failure } from '@postern/protocol/failure'
import { afterEach, expect, it } from 'vitest'
import { waits } from '../connectors/embedded/wallet-frame/testing/test-frame'
import { type EmbeddedPage, embeddedPage, eoa, smartAccount } from '../testing/embedded-page'

let page: EmbeddedPage
afterEach(() => page.close())

const [hash, newest] = [`0x${'12'.repeat(32)}`, `0x${'34'.repeat(32)}`]
const waiting: WaitingTransaction = {
  networkId: 'eip155:1',
  from: eoa,
  hash,
  newest: hash,
  to: smartAccount,
  value: '1',
  isPlain: true,
}
const cancel = { networkId: 'eip155:1', hash, kind: 'cancel' } as const

async function signedIn(): Promise<void> {
  page = await embeddedPage()
  await page.signIn()
  page.peer.handlers.GET_WAITING_TRANSACTIONS = () => ({ transactions: [waiting] })
  page.peer.handlers.REPLACE_TRANSACTION = () => waits
}

/** Returns the request's id. */
async function replacing(): Promise<string> {
  page.actions.replaceTransaction(cancel)
  await page.peer.until(() => page.peer.count('REPLACE_TRANSACTION') === 1)
  return page.peer.asked.findLast(({ name }) => name === 'REPLACE_TRANSACTION')?.id ?? ''
}

const message = () => page.snapshot().snackbar?.text

it('1. is what the wallet says, and ends with the session', async () => {
  await signedIn()
  page.actions.refreshWaiting(['eip155:1'])
  await page.page.until(() => page.snapshot().waiting.length === 1)
  expect(page.peer.payload('GET_WAITING_TRANSACTIONS')).toEqual({ networkIds: ['eip155:1'] })
  page.peer.handlers.GET_WAITING_TRANSACTIONS = () => {
    throw new Failure('INTERNAL')
  }
  page.actions.refreshWaiting(['eip155:1'])
  await page.peer.heard()
  expect(page.snapshot().waiting).toEqual([waiting])
  page.peer.say({ name: 'SESSION_ENDED' })
  await page.page.until(() => page.snapshot().waiting.length === 0)
})

it('2. names a hash and what to do, and the frame draws the approval', async () => {
  await signedIn()
  const id = await replacing()
  expect(page.peer.payload('REPLACE_TRANSACTION')).toEqual(cancel)
  const call = { to: smartAccount, value: '1', data: '0x' }
  const request: ApprovalRequest = {
    id,
    method: 'eth_sendTransaction',
    networkId: 'eip155:1',
    origin: 'http://demo.localhost:4500',
    digest: 'ab'.repeat(32),
    subject: {
      kind: 'eip155.transaction',
      from: eoa,
      nonce: '0',
      call: { to: eoa, value: '0', data: '0x' },
      fees: { gas: '21000' },
      unsigned: '0x02',
      replaces: { kind: 'cancel', hash, newest: hash, isFollowed: true, call, fees: { gas: '21000' } },
    },
  }
  page.peer.say({ name: 'APPROVAL_REQUEST', request })
  await page.peer.until(() => page.peer.count('SHOW_APPROVAL') === 1)
  expect(page.peer.payload('SHOW_APPROVAL')).toEqual({ id, asker: 'visitor' })
  page.peer.say({ name: 'APPROVED', id })
  page.peer.answer('REPLACE_TRANSACTION', { hash: newest }, id)
  await page.page.until(() => page.snapshot().approvals.length === 0)
})

it('3. says why nothing was sent', async () => {
  await signedIn()
  const id = await replacing()
  page.peer.refuse('REPLACE_TRANSACTION', new Failure('TRANSACTION_MINED'), id)
  await page.page.until(() => message() === 'This transaction already went through')
})

it('3. says nothing after the user declined', async () => {
  await signedIn()
  const id = await replacing()
  page.peer.refuse('REPLACE_TRANSACTION', new Failure('USER_REJECTED'), id)
  await page.peer.heard()
  expect(message()).toBeUndefined()
})
