import { cancelled } from '@postern/chains/outcomes/cancelled'
import { unconfirmed } from '@postern/chains/outcomes/unconfirmed'
import { type ApprovalRequest, type ApprovalSubject, JsonRpcRequest, limits } from '@postern/protocol'
import { Failure } from '@postern/protocol/failure'
import { afterEach, describe, expect, it } from 'vitest'
import { waits } from '../connectors/embedded/wallet-frame/testing/test-frame'
import { type EmbeddedPage, embeddedPage, eoa, smartAccount } from '../testing/embedded-page'
import { confirmedHoldMs, failedHoldMs, sentHoldMs } from './approvals-machine'

let page: EmbeddedPage
afterEach(() => page.close())

const digest = 'ab'.repeat(32)
const message: ApprovalSubject = { kind: 'eip155.message', address: eoa, account: 'eoa', message: '0x68690a' }
const transfer = {
  kind: 'eip155.transaction' as const,
  from: eoa,
  nonce: '0',
  call: { to: smartAccount, value: '1', data: '0x' },
  fees: { gas: '21000' },
  unsigned: '0x02',
} satisfies ApprovalSubject
const operation: ApprovalSubject = {
  kind: 'eip155.userOperation',
  from: smartAccount,
  calls: [{ to: eoa, value: '1', data: '0x' }],
  fees: { gas: '21000' },
  sponsored: false,
  deploys: false,
  operation: {},
  hash: `0x${'12'.repeat(32)}`,
}
const hash = `0x${'12'.repeat(32)}`
const otherHash = `0x${'34'.repeat(32)}`

type Asked = { readonly id: string; readonly answer: Promise<unknown>; readonly wire: string }

async function signedIn(options?: Parameters<typeof embeddedPage>[0]): Promise<void> {
  page = await embeddedPage(options)
  await page.signIn()
  page.peer.handlers.RPC_REQUEST = () => waits
}

async function asked(
  subject: ApprovalSubject = message,
  changes: Partial<ApprovalRequest> = {},
  method = 'personal_sign',
): Promise<Asked> {
  let sending: ReturnType<EmbeddedPage['page']['send']> | undefined
  const id = await prepared(subject, changes, method, () => {
    sending = page.page.send('rpc', { namespace: 'eip155', method, params: [] })
  })
  if (sending === undefined) throw new Error('Nothing was asked')
  return { id, wire: sending.id, answer: sending.answered }
}

/** Returns the request's id. */
async function prepared(
  subject: ApprovalSubject,
  changes: Partial<ApprovalRequest>,
  method: string,
  begin: () => void,
): Promise<string> {
  const before = page.peer.count('RPC_REQUEST')
  begin()
  await page.peer.until(() => page.peer.count('RPC_REQUEST') === before + 1)
  const id = page.peer.asked.findLast(({ name }) => name === 'RPC_REQUEST')?.id ?? ''
  const request: ApprovalRequest = {
    id,
    method,
    networkId: 'eip155:1',
    origin: 'http://demo.localhost:4500',
    digest,
    subject,
    ...changes,
  }
  page.peer.say({ name: 'APPROVAL_REQUEST', request })
  await page.page.until(() => approval(id))
  return id
}

function approval(id: string) {
  return page.snapshot().approvals.find(({ request }) => request.id === id)
}

async function gone(id: string): Promise<void> {
  await page.page.until(() => approval(id) === undefined)
}

async function pass(milliseconds: number): Promise<void> {
  await page.peer.heard()
  page.clock.advance(milliseconds)
}

async function sent(): Promise<Asked> {
  const one = await answered()
  await page.page.until(() => approval(one.id)?.status.kind === 'sent')
  return one
}

async function answered(): Promise<Asked> {
  const one = await asked(transfer, {}, 'eth_sendTransaction')
  await approve(one.id)
  page.peer.answer('RPC_REQUEST', hash, one.id)
  await one.answer
  return one
}

/** By a press in the wallet's frame. */
async function approve(id: string): Promise<void> {
  page.peer.say({ name: 'APPROVED', id })
  await page.page.until(() => approval(id)?.status.kind === 'signing')
}

/** Advances past one poll of the chain, unless the poll before it came late and saw it. */
async function nextLook(isSeen: () => boolean): Promise<void> {
  const seen = page.page.until(isSeen)
  await page.peer.heard()
  if (!isSeen()) page.clock.advance(limits.rpcPollingInterval)
  await seen
}

/** Mines on the test's command. */
function devChain() {
  let status: '0x0' | '0x1' | null = null
  let looks = 0
  const receipt = () => ({
    transactionHash: hash,
    blockHash: `0x${'00'.repeat(32)}`,
    blockNumber: '0x9',
    gasUsed: '0x5208',
    status,
    logs: [],
  })
  const answer = ({ id, method }: JsonRpcRequest) => {
    if (method === 'eth_call') return { jsonrpc: '2.0', id, error: { code: 3, message: 'execution reverted: no' } }
    if (method === 'eth_getTransactionReceipt') {
      looks += 1
      return { jsonrpc: '2.0', id, result: status && receipt() }
    }
    return { jsonrpc: '2.0', id, result: '0x0' }
  }
  const fetch: typeof globalThis.fetch = async (_url, given) => {
    const body: unknown = JSON.parse(String(given?.body))
    return Response.json(
      Array.isArray(body) ? body.map((one) => answer(JsonRpcRequest.parse(one))) : answer(JsonRpcRequest.parse(body)),
    )
  }
  return {
    fetch,
    looks: () => looks,
    mine(next: '0x0' | '0x1') {
      status = next
    },
  }
}

describe('approvals', () => {
  it('1. has the frame draw the request, and learns there that the user approved it', async () => {
    await signedIn()
    const { id, answer } = await asked()
    expect(page.snapshot()).toMatchObject({ open: true, opening: { view: 'ApproveTransaction' } })
    expect(approval(id)).toMatchObject({ status: { kind: 'waiting' }, height: null })
    await page.peer.until(() => page.peer.count('SHOW_APPROVAL') === 1)
    expect(page.peer.payload('SHOW_APPROVAL')).toEqual({ id })
    page.peer.say({ name: 'SCREEN_HEIGHT', id, height: 320 })
    await page.page.until(() => approval(id)?.height === 320)
    await approve(id)
    page.peer.answer('RPC_REQUEST', '0xsigned', id)
    expect(await answer).toBe('0xsigned')
    await gone(id)
    await page.peer.until(() => page.peer.count('HIDE_APPROVAL') === 1)
    expect(page.snapshot().open).toBe(false)
  })

  it('1. shows requests in order, each once', async () => {
    await signedIn()
    const first = await asked()
    const second = await asked(transfer, {}, 'eth_sendTransaction')
    const shown = page.snapshot().approvals.map(({ request }) => request.id)
    expect(shown).toEqual([first.id, second.id])
    const again = page.snapshot().approvals[0]?.request
    if (again !== undefined) page.peer.say({ name: 'APPROVAL_REQUEST', request: { ...again, digest: 'cd'.repeat(32) } })
    await page.peer.heard()
    expect(page.snapshot().approvals).toHaveLength(2)
    await approve(first.id)
    page.peer.answer('RPC_REQUEST', '0xsigned', first.id)
    await gone(first.id)
    await page.peer.until(() => page.peer.count('SHOW_APPROVAL') === 2)
    expect(page.peer.payload('SHOW_APPROVAL')).toEqual({ id: second.id })
  })

  it('1. never approves a blocked request', async () => {
    await signedIn()
    const { id, answer } = await asked(message, { blocked: 'DOMAIN_MISMATCH' })
    page.peer.say({ name: 'APPROVED', id })
    await page.peer.heard()
    expect(approval(id)?.status.kind).toBe('waiting')
    page.peer.handlers.REJECT = () => {
      page.peer.refuse('RPC_REQUEST', new Failure('USER_REJECTED'), id)
      return undefined
    }
    page.actions.reject(id)
    await expect(answer).rejects.toMatchObject({ code: 'USER_REJECTED' })
  })

  it('2. an open modal restores its view and stays open', async () => {
    await signedIn()
    await page.page.request('open', { view: 'Account' })
    const { key } = page.snapshot().opening
    const { id } = await asked()
    expect(page.snapshot().opening).toEqual({ key, view: 'Account' })
    await approve(id)
    page.peer.answer('RPC_REQUEST', '0xsigned', id)
    await gone(id)
    expect(page.snapshot().open).toBe(true)
  })

  it('2. keeps open a modal that was opened for something else in the meantime', async () => {
    await signedIn()
    const { id } = await asked()
    await page.page.request('open', { view: 'Account' })
    page.actions.reject(id)
    expect(page.snapshot()).toMatchObject({ open: true, approvals: [] })
  })

  it('2. its own close aborts nothing that is still being prepared', async () => {
    await signedIn()
    const { id } = await asked()
    const preparing = page.page.send('rpc', { namespace: 'eip155', method: 'eth_sendTransaction', params: [] })
    await page.peer.until(() => page.peer.count('RPC_REQUEST') === 2)
    const aborts = page.peer.count('RPC_ABORT')
    await approve(id)
    page.peer.answer('RPC_REQUEST', '0xsigned', id)
    await page.page.until(() => !page.snapshot().open)
    await page.peer.heard()
    expect(page.peer.count('RPC_ABORT')).toBe(aborts)
    page.peer.answer('RPC_REQUEST', hash)
    expect(await preparing.answered).toBe(hash)
  })

  it('3. the user’s close rejects waiting requests and those being prepared, but not approved ones (spec §4)', async () => {
    await signedIn()
    const approved = await asked()
    const waiting = await asked(transfer, {}, 'eth_sendTransaction')
    const preparing = page.page.request('rpc', { namespace: 'eip155', method: 'wallet_sendCalls', params: [] })
    await page.peer.until(() => page.peer.count('RPC_REQUEST') === 3)
    await approve(approved.id)
    page.actions.close()
    expect(page.snapshot()).toMatchObject({ open: false, approvals: [] })
    await expect(waiting.answer).rejects.toMatchObject({ code: 'USER_REJECTED' })
    await expect(preparing).rejects.toMatchObject({ code: 'USER_REJECTED' })
    expect(page.peer.payload('REJECT')).toEqual({ id: waiting.id })
    page.peer.answer('RPC_REQUEST', '0xsigned', approved.id)
    expect(await approved.answer).toBe('0xsigned')
  })

  it('3. a later close rejects nothing that was approved before an earlier one', async () => {
    await signedIn()
    const { id, answer } = await asked(transfer, {}, 'eth_sendTransaction')
    await approve(id)
    page.actions.close()
    await page.page.request('open', { view: 'Account' })
    page.actions.close()
    await page.peer.heard()
    page.peer.answer('RPC_REQUEST', hash, id)
    expect(await answer).toBe(hash)
    expect(page.peer.count('RPC_ABORT')).toBe(0)
  })

  it('3. aborts the request if the frame does not accept the rejection', async () => {
    await signedIn()
    page.peer.handlers.REJECT = () => {
      throw new Failure('INVALID_REQUEST')
    }
    const { id, answer } = await asked()
    page.actions.reject(id)
    await expect(answer).rejects.toMatchObject({ code: 'USER_REJECTED' })
    await page.peer.until(() => page.peer.count('RPC_ABORT') > 0)
  })

  it('4. shows the hash of a sent transaction, and closes shortly after it is confirmed (spec §4)', async () => {
    const chain = devChain()
    await signedIn({ fetch: chain.fetch })
    const { id, answer } = await sent()
    expect(await answer).toBe(hash)
    expect(approval(id)?.status).toEqual({ kind: 'sent', hash })
    chain.mine('0x1')
    await nextLook(() => approval(id)?.status.kind === 'ended')
    expect(approval(id)?.status).toEqual({ kind: 'ended', hash, outcome: { kind: 'confirmed' } })
    expect(page.snapshot().open).toBe(true)
    await pass(confirmedHoldMs)
    expect(page.snapshot()).toMatchObject({ open: false, approvals: [] })
  })

  it('4. shows the failure until the user dismisses it or a moment has passed (spec §4)', async () => {
    await signedIn()
    for (const end of ['visitor', 'clock']) {
      const { id, answer } = await asked(transfer, {}, 'eth_sendTransaction')
      await approve(id)
      page.peer.refuse('RPC_REQUEST', new Failure('INSUFFICIENT_FUNDS'), id)
      await expect(answer).rejects.toMatchObject({ code: 'INSUFFICIENT_FUNDS' })
      expect(approval(id)?.status).toMatchObject({ kind: 'failed', code: 'INSUFFICIENT_FUNDS' })
      if (end === 'visitor') page.actions.reject(id)
      else await pass(failedHoldMs)
      expect(page.snapshot()).toMatchObject({ open: false, approvals: [] })
    }
    expect(page.peer.count('REJECT')).toBe(0)
  })

  it('5. fails a request that the frame cannot draw', async () => {
    await signedIn()
    page.peer.handlers.SHOW_APPROVAL = () => {
      throw new Failure('IFRAME_LOAD_FAILED')
    }
    const { id, answer } = await asked()
    await expect(answer).rejects.toMatchObject({ code: 'IFRAME_LOAD_FAILED' })
    expect(approval(id)?.status.kind).toBe('failed')
  })

  it('4. dismisses a request when the frame closes it or the dapp cancels it', async () => {
    await signedIn()
    const first = await asked()
    page.peer.say({ name: 'APPROVAL_CLOSED', id: first.id })
    await gone(first.id)
    const second = await asked()
    page.page.post({ v: 1, id: second.wire, kind: 'cancel' })
    await gone(second.id)
    expect(page.snapshot().open).toBe(false)
  })

  it.each([
    ['waiting', 'personal_sign', 'LINK_CLOSED', 'REQUEST_INTERRUPTED'],
    ['signing', 'personal_sign', 'LINK_CLOSED', 'REQUEST_INTERRUPTED'],
    ['waiting', 'eth_sendTransaction', 'LINK_CLOSED', 'REQUEST_INTERRUPTED'],
    ['signing', 'eth_sendTransaction', 'OUTCOME_UNKNOWN', 'unknown'],
    ['signing', 'wallet_sendCalls', 'OUTCOME_UNKNOWN', 'unknown'],
    ['signing', 'wallet_grantPermissions', 'OUTCOME_UNKNOWN', 'unknown'],
    ['signing', 'wallet_revokePermissions', 'OUTCOME_UNKNOWN', 'unknown'],
  ] as const)(
    '4. when the frame ends while it is %s, %s settles (%s), and the user reads its outcome',
    async (kind, method, code, words) => {
      await signedIn()
      const { id, answer } = await asked(message, {}, method)
      if (kind === 'signing') await approve(id)
      page.peer.current()?.port?.close()
      await expect(answer).rejects.toMatchObject({ code })
      expect(approval(id)?.status).toMatchObject(
        words === 'unknown' ? { kind: 'ended', outcome: { kind: words } } : { kind: 'failed', code: words },
      )
      if (words === 'unknown') page.actions.reject(id)
      else page.clock.advance(6_000)
      expect(page.snapshot()).toMatchObject({ open: false, approvals: [] })
    },
  )

  it('tells the frame a change of theme or language, and who asks (spec §3, §7)', async () => {
    await signedIn()
    await page.page.request('setTheme', { theme: { accent: '#6d4aff' }, colorScheme: 'dark' })
    await page.peer.until(() => page.peer.count('SYNC_THEME') >= 2)
    expect(page.peer.payload('SYNC_THEME')).toEqual({
      themeMode: 'dark',
      themeVariables: { accent: '#6d4aff' },
      locale: page.snapshot().locale,
    })
  })

  it('6. follows an unconfirmed transaction, and tells the dapp that its outcome is unknown', async () => {
    await signedIn({ fetch: devChain().fetch })
    const { id, answer } = await asked(operation, {}, 'eth_sendTransaction')
    await approve(id)
    page.peer.refuse('RPC_REQUEST', unconfirmed({ sentHash: hash, callsId: '0x01' }), id)
    await expect(answer).rejects.toMatchObject({
      code: 'TRANSACTION_UNCONFIRMED',
      data: { sentHash: hash, callsId: '0x01' },
    })
    expect(approval(id)?.status).toEqual({ kind: 'sent', hash: null })
    await page.peer.until(() => page.peer.count('RPC_REQUEST') === 2)
    expect(page.peer.payload('RPC_REQUEST')).toMatchObject({ method: 'wallet_getCallsStatus', params: ['0x01'] })
    page.peer.answer('RPC_REQUEST', { status: 200, receipts: [{ transactionHash: otherHash }] })
    await page.page.until(() => approval(id)?.status.kind === 'ended')
    expect(approval(id)?.status).toEqual({ kind: 'ended', hash: otherHash, outcome: { kind: 'confirmed' } })
  })

  it('6. bad news stays until the user dismisses it', async () => {
    const chain = devChain()
    await signedIn({ fetch: chain.fetch })
    const { id } = await sent()
    chain.mine('0x0')
    await nextLook(() => approval(id)?.status.kind === 'ended')
    expect(approval(id)?.status).toEqual({ kind: 'ended', hash, outcome: { kind: 'reverted', reason: 'no' } })
    await pass(60_000)
    expect(page.snapshot().open).toBe(true)
    page.actions.reject(id)
    expect(page.snapshot()).toMatchObject({ open: false, approvals: [] })
    expect(page.peer.count('REJECT')).toBe(0)
  })

  it('6. stays on screen for 25 s while the outcome is unknown (spec §9)', async () => {
    await signedIn({ fetch: devChain().fetch })
    const { id } = await sent()
    await pass(limits.sendTransactionWait - 1)
    expect(approval(id)?.status).toEqual({ kind: 'sent', hash })
    await pass(1)
    expect(page.snapshot()).toMatchObject({ open: false, approvals: [] })
  })

  it.each(['before', 'after'])('6. makes room for a request that comes %s it was seen', async (when) => {
    await signedIn({ fetch: devChain().fetch })
    const { id } = await sent()
    if (when === 'after') await pass(sentHoldMs)
    const next = await asked()
    if (when === 'before') {
      expect(page.snapshot().approvals[0]?.request.id).toBe(id)
      await pass(sentHoldMs)
    }
    expect(page.snapshot().approvals.map(({ request }) => request.id)).toEqual([next.id])
    expect(page.snapshot().open).toBe(true)
  })

  it('6. follows a replacement as what it replaces, and says that a cancellation came too late', async () => {
    const chain = devChain()
    await signedIn({ fetch: chain.fetch })
    const replaces = {
      kind: 'cancel' as const,
      hash,
      newest: hash,
      isFollowed: true,
      call: transfer.call,
      fees: transfer.fees,
    }
    const cancel = { ...transfer, call: { to: eoa, value: '0', data: '0x' }, replaces }
    const { id, answer } = await asked(cancel, {}, 'eth_sendTransaction')
    await approve(id)
    page.peer.answer('RPC_REQUEST', otherHash, id)
    await answer
    await page.page.until(() => approval(id)?.status.kind === 'sent')
    chain.mine('0x1')
    await nextLook(() => page.snapshot().snackbar !== null)
    expect(page.snapshot().snackbar).toMatchObject({ tone: 'bad', text: 'This transaction already went through' })
    expect(approval(id)?.status).toEqual({ kind: 'ended', hash, outcome: { kind: 'confirmed' } })
  })

  it('6. ends as cancelled if the user cancelled what the caller waits for', async () => {
    await signedIn()
    const { id, answer } = await asked(transfer, {}, 'eth_sendTransaction')
    await approve(id)
    const failure = cancelled({ sentHash: hash, transactionHash: otherHash })
    page.peer.refuse('RPC_REQUEST', failure, id)
    await expect(answer).rejects.toMatchObject({ code: 'TRANSACTION_REPLACED' })
    await page.page.until(() => approval(id)?.status.kind === 'ended')
    expect(approval(id)?.status).toEqual({ kind: 'ended', hash: otherHash, outcome: { kind: 'cancelled' } })
  })

  it('6. is followed off screen: bad news appears over another view', async () => {
    const chain = devChain()
    await signedIn({ fetch: chain.fetch })
    const { id } = await sent()
    page.actions.close()
    await page.page.request('open', { view: 'Account' })
    chain.mine('0x0')
    await nextLook(() => page.snapshot().snackbar !== null)
    expect(page.snapshot().snackbar).toMatchObject({ tone: 'bad', text: 'The transaction was reverted' })
    expect(approval(id)).toBeUndefined()
  })

  it('6. no longer needs the frame', async () => {
    const chain = devChain()
    await signedIn({ fetch: chain.fetch })
    const { id } = await sent()
    page.peer.current()?.port?.close()
    chain.mine('0x1')
    await nextLook(() => approval(id)?.status.kind === 'ended')
    expect(approval(id)?.status).toMatchObject({ outcome: { kind: 'confirmed' } })
  })

  it('7. leaves a feature’s transaction to the feature’s own view, but not the dapp’s requests', async () => {
    const chain = devChain()
    await signedIn({ fetch: chain.fetch })
    const { host } = page.page
    await page.page.request('open', { view: 'Account' })
    const money = await host.money()
    const purpose = { kind: 'send', amount: '1', symbol: 'ETH', to: eoa } as const
    const [params, networkId] = [[{ from: smartAccount, to: eoa, value: '0x1' }], 'eip155:1'] as const
    const own = await prepared(transfer, {}, 'eth_sendTransaction', () => {
      money.transact({ networkId, method: 'eth_sendTransaction', params, purpose })
    })
    expect(approval(own)?.asker).toBe('visitor')
    const dapps = await sent()
    expect(approval(dapps.id)?.asker).toBeUndefined()
    expect(approval(own)?.status.kind).toBe('waiting')
    page.actions.reject(dapps.id)

    await approve(own)
    page.peer.answer('RPC_REQUEST', otherHash, own)
    await gone(own)
    await page.page.until(() => host.store.getState().transactions[0]?.status.kind === 'sent')
    expect(page.snapshot().open).toBe(true)
  })

  it('7. a dapp request made through a view belongs to the dapp', async () => {
    await signedIn()
    const money = await page.page.host.money()
    const purpose = { kind: 'pay', amount: '1', symbol: 'ETH', to: eoa } as const
    const id = await prepared(transfer, {}, 'eth_sendTransaction', () => {
      money.transact({ networkId: 'eip155:1', method: 'eth_sendTransaction', params: [{}], purpose })
    })
    expect(approval(id)?.asker).toBe('dapp')
  })

  it('6. leaves nothing behind when the page goes', async () => {
    const chain = devChain()
    await signedIn({ fetch: chain.fetch })
    await sent()
    await page.page.until(() => chain.looks() > 0)
    page.close()
    expect(page.clock.pending()).toBe(0)
  })

  it('refreshes the balance after success (spec §4)', async () => {
    const balances: string[] = []
    await signedIn({
      fetch: async (_url, given) => {
        const { id, method } = JsonRpcRequest.parse(JSON.parse(String(given?.body)))
        balances.push(method)
        return Response.json({ jsonrpc: '2.0', id, result: '0x1' })
      },
    })
    await page.host.prefetch()
    await page.page.until(() => page.snapshot().nativeBalance.kind !== 'loading')
    const before = balances.length
    const { id, answer } = await asked()
    await approve(id)
    page.peer.answer('RPC_REQUEST', '0xsigned', id)
    await answer
    await page.page.until(() => page.snapshot().nativeBalance.kind === 'ready' && balances.length > before)
  })
})
