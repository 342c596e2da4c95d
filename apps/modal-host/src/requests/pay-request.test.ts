import type { Connection, PaymentRequest } from '@postern/protocol'
import { Failure } from '@postern/protocol/failure'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { SignInPrompt } from '../snapshot/contract'
import { createModal } from '../snapshot/modal'
import { createSnapshotStore } from '../snapshot/store'
import { account, init, project, readyPage, type TestPage } from '../testing/test-page'
import { createPayRequest } from './pay-request'

const payment: PaymentRequest = {
  networkId: 'eip155:1',
  amount: '12.5',
  recipient: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
  reference: 'Order 7',
}
const receipt = { networkId: 'eip155:1', hash: `0x${'ab'.repeat(32)}`, from: account } as const
const connection: Connection = {
  status: 'connected',
  connector: { id: 'a', name: 'A', type: 'ANNOUNCED' },
  accounts: [{ namespace: 'eip155', address: account, type: 'eoa' }],
  networkId: 'eip155:1',
}
const question: SignInPrompt = {
  view: 'SIWXSignMessage',
  domain: 'd.example',
  namespace: 'eip155',
  networkId: 'eip155:1',
  address: account,
  wallet: { name: 'A' },
  isRequired: true,
  step: 'asked',
  error: null,
}

function setUp({ isOn = true, untilSignInKnown = Promise.resolve() } = {}) {
  const store = createSnapshotStore({ themeMode: 'light', locale: 'en', walletCount: 0, isTopLevel: false })
  store.setState(({ features }) => ({ features: { ...features, pay: isOn } }))
  const modal = createModal(store)
  const connect = vi.fn(async () => {
    store.setState({ connections: { eip155: connection } })
    return connection
  })
  const known = new Set(['eip155:1'])
  const check = vi.fn(async (request: PaymentRequest) => request)
  const requests = createPayRequest({
    store,
    modal,
    connect,
    isConfigured: (id) => known.has(id),
    check,
    untilSignInKnown: () => untilSignInKnown,
  })
  const begin = (signal = new AbortController().signal) => requests.pay(payment, signal)
  return { store, modal, connect, check, requests, begin }
}

const code = (value: unknown) => (value instanceof Failure ? value.code : value)
const codeOf = (promise: Promise<unknown>) => promise.then(code, code)
const shown = (store: ReturnType<typeof setUp>['store']) => expect.poll(() => store.getState().payment).not.toBe(null)

describe('createPayRequest', () => {
  it('1. rejects if it is off, on an unconfigured network, or while another payment is pending', async () => {
    await expect(setUp({ isOn: false }).begin()).rejects.toMatchObject({
      code: 'METHOD_NOT_FOUND',
      message:
        'The method does not exist or is not available: `features.pay` is off, in the dapp’s options or in its project',
    })
    const { requests, begin, store, modal } = setUp()
    const signal = new AbortController().signal
    expect(await codeOf(requests.pay({ ...payment, networkId: 'eip155:5' }, signal))).toBe('UNSUPPORTED_CHAIN')
    const first = codeOf(begin())
    expect(await codeOf(begin())).toBe('REQUEST_PENDING')
    await shown(store)
    modal.close()
    expect(await first).toBe('USER_REJECTED')
  })

  it('1. opens nothing for an invalid payment', async () => {
    const { check, connect, begin, store } = setUp()
    check.mockRejectedValueOnce(new Failure('INVALID_ADDRESS'))
    expect(await codeOf(begin())).toBe('INVALID_ADDRESS')
    expect(connect).not.toHaveBeenCalled()
    expect(store.getState()).toMatchObject({ open: false, payment: null })
  })

  it('4. waits for the result of a wallet that was asked before the close', async () => {
    const purpose = { kind: 'pay', amount: '1', symbol: 'ETH', to: '0x02' } as const
    const asked = { id: 't', networkId: 'eip155:1', from: account, purpose, at: 0 } as const
    const sent = setUp()
    const paid = sent.begin()
    await shown(sent.store)
    sent.store.setState({ transactions: [{ ...asked, status: { kind: 'asking' } }] })
    sent.modal.close()
    sent.store.setState({ transactions: [{ ...asked, status: { kind: 'sent', hash: receipt.hash } }] })
    sent.requests.settle(receipt)
    expect(await paid).toEqual(receipt)

    const declined = setUp()
    const no = codeOf(declined.begin())
    await shown(declined.store)
    declined.store.setState({ transactions: [{ ...asked, status: { kind: 'asking' } }] })
    declined.modal.close()
    declined.store.setState({ transactions: [{ ...asked, status: { kind: 'declined' } }] })
    expect(await no).toBe('USER_REJECTED')
  })

  it('4. waits for a transaction that was sent without a hash, since it may be paid', async () => {
    const purpose = { kind: 'pay', amount: '1', symbol: 'ETH', to: '0x02' } as const
    const asked = { id: 't', networkId: 'eip155:1', from: account, purpose, at: 0 } as const
    const { begin, store, modal, requests } = setUp()
    let ended: unknown = null
    const paying = codeOf(begin()).then((how) => {
      ended = how
      return how
    })
    await shown(store)
    store.setState({ transactions: [{ ...asked, status: { kind: 'sent', hash: null } }] })
    modal.close()
    await new Promise((resolve) => setImmediate(resolve))
    expect(ended).toBeNull()
    store.setState({
      transactions: [{ ...asked, status: { kind: 'ended', hash: null, outcome: { kind: 'unknown' } } }],
    })
    requests.settle(new Failure('TRANSACTION_UNCONFIRMED'))
    expect(await paying).toBe('TRANSACTION_UNCONFIRMED')
  })

  it('2. connects first, in the payment’s namespace; leaving rejects', async () => {
    const { connect, begin, store } = setUp()
    connect.mockRejectedValueOnce(new Failure('USER_REJECTED'))
    expect(await codeOf(begin())).toBe('USER_REJECTED')
    expect(connect).toHaveBeenCalledWith({ namespace: 'eip155' }, expect.any(AbortSignal))
    expect(store.getState()).toMatchObject({ open: false, payment: null })
  })

  it('2. waits until the connection was shown: closing then keeps the payment open', async () => {
    const { connect, begin, requests, store, modal } = setUp()
    const row = { id: 'a', name: 'A', group: 'injected', connectors: [] } as const
    connect.mockImplementationOnce(async () => {
      const connectAttempt = { row, via: 'page', status: { kind: 'connected' }, retryAt: 0 } as const
      store.setState({ connections: { eip155: connection }, connectAttempt })
      return connection
    })
    const paid = begin()
    await expect.poll(() => store.getState().connectAttempt).not.toBeNull()
    expect(store.getState().payment).toBeNull()
    modal.close()
    store.setState({ connectAttempt: null })
    await shown(store)
    expect(store.getState()).toMatchObject({ open: true, opening: { view: 'Pay' } })
    requests.settle(receipt)
    expect(await paid).toEqual(receipt)
  })

  it.each([
    ['in the next namespace', true],
    ['nowhere else', false],
  ])('2. waits for sign-in, whose close does not settle the payment: asked %s', async (_, isNext) => {
    const { begin, requests, store, modal } = setUp()
    store.setState({ signInPrompt: question, open: true, opening: { key: 1, view: 'SIWXSignMessage' } })
    const paid = begin()
    await expect.poll(() => store.getState().connections.eip155?.status).toBe('connected')
    store.setState({ signInPrompt: null })
    if (isNext) {
      store.setState({ signInPrompt: { ...question, namespace: 'solana' } })
      await Promise.resolve()
      expect(store.getState().payment).toBeNull()
      store.setState({ signInPrompt: null })
    }
    modal.close()
    await shown(store)
    expect(store.getState()).toMatchObject({ open: true, opening: { view: 'Pay' } })
    requests.settle(receipt)
    expect(await paid).toEqual(receipt)
  })

  it('2. waits until it is known whether the user must sign in', async () => {
    let known = () => {}
    const untilSignInKnown = new Promise<void>((resolve) => {
      known = resolve
    })
    const { begin, store, modal } = setUp({ untilSignInKnown })
    const paid = codeOf(begin())
    await expect.poll(() => store.getState().connections.eip155?.status).toBe('connected')
    await Promise.resolve()
    expect(store.getState().payment).toBeNull()
    known()
    await shown(store)
    modal.close()
    expect(await paid).toBe('USER_REJECTED')
  })

  it('2. does nothing for a request that the page already cancelled', async () => {
    const { begin, connect, store } = setUp()
    expect(await codeOf(begin(AbortSignal.abort()))).toBe('ABORTED')
    expect(connect).not.toHaveBeenCalled()
    expect(store.getState()).toMatchObject({ open: false, payment: null })
  })

  it('3. rejects when the connection ends', async () => {
    const { begin, store } = setUp()
    const paid = codeOf(begin())
    await shown(store)
    store.setState({ connections: { eip155: { status: 'disconnected' } } })
    expect(await paid).toBe('USER_REJECTED')
  })

  it('2. rejects when the user skips a required sign-in and is disconnected', async () => {
    const { begin, store } = setUp()
    store.setState({ signInPrompt: question })
    const paid = codeOf(begin())
    await expect.poll(() => store.getState().connections.eip155?.status).toBe('connected')
    store.setState({ connections: {}, signInPrompt: null })
    expect(await paid).toBe('USER_REJECTED')
    expect(store.getState()).toMatchObject({ open: false, payment: null })
  })

  it('2. rejects when the page cancels during sign-in', async () => {
    const { begin, store } = setUp()
    store.setState({ signInPrompt: question })
    const controller = new AbortController()
    const aborted = codeOf(begin(controller.signal))
    await expect.poll(() => store.getState().connections.eip155?.status).toBe('connected')
    controller.abort()
    expect(await aborted).toBe('ABORTED')
  })

  it('3. resolves once with the receipt; a later close changes nothing', async () => {
    const { requests, begin, store, modal } = setUp()
    const paid = begin()
    await shown(store)
    expect(store.getState()).toMatchObject({ open: true, opening: { view: 'Pay' }, payment })
    requests.settle(receipt)
    modal.close()
    expect(await paid).toEqual(receipt)
    await expect.poll(() => store.getState().payment).toBe(null)
  })

  it('3. rejects when the user closes; a cancel from the page closes the modal', async () => {
    const closed = setUp()
    const no = codeOf(closed.begin())
    await shown(closed.store)
    closed.modal.close()
    expect(await no).toBe('USER_REJECTED')

    const cancelled = setUp()
    const controller = new AbortController()
    const aborted = codeOf(cancelled.begin(controller.signal))
    await shown(cancelled.store)
    controller.abort()
    expect(await aborted).toBe('ABORTED')
    expect(cancelled.store.getState().open).toBe(false)
  })

  it('a late receipt does not settle the next payment', async () => {
    const { requests, begin, store, modal } = setUp()
    requests.settle(receipt)
    const next = codeOf(begin())
    await shown(store)
    modal.close()
    expect(await next).toBe('USER_REJECTED')
  })
})

describe('opening feature views', () => {
  let page: TestPage
  afterEach(() => page.close())
  const view = () => page.host.store.getState().opening.view

  it('falls back to the default view while disconnected', async () => {
    page = await readyPage()
    await page.request('open', { view: 'Send' })
    expect(view()).toBe('Connect')
  })

  it('falls back to the default view if the feature is off or unsupported by the gateway', async () => {
    page = await readyPage({
      project: project({ features: {} }),
      init: init({ features: { send: false, onramp: true } }),
    })
    await connected()
    for (const name of ['Send', 'OnRamp', 'RegisterAccountName']) {
      await page.request('open', { view: name })
      expect(view()).toBe('Account')
    }
    expect(page.warnings).toEqual([
      'Postern opens the default view: `features.send` is off, in the dapp’s options or in its project',
      'Postern opens the default view: the gateway or the account does not offer OnRamp',
      'Postern opens the default view: the gateway or the account does not offer RegisterAccountName',
    ])
  })

  it('opens the requested view, and passes arguments to Swap', async () => {
    page = await readyPage({
      project: project({ features: {}, money: { swapChainIds: ['eip155:1'], onramp: true, nameSuffix: '.postern' } }),
      init: init({ features: { onramp: true } }),
    })
    await connected()
    const swap = { amount: '1.5', fromToken: 'ETH' }
    await page.request('open', { view: 'Swap', swap })
    expect(page.host.store.getState().opening).toMatchObject({ view: 'Swap', swap })
    for (const name of ['Send', 'Receive', 'OnRamp', 'RegisterAccountName']) {
      await page.request('open', { view: name, swap })
      expect(page.host.store.getState().opening).toEqual({ key: expect.any(Number), view: name })
    }
  })

  it.each([{ amount: '-1' }, { amount: '1e3' }, { amount: '.5' }, { fromToken: '' }, { other: 1 }])(
    'rejects the arguments %j',
    async (swap) => {
      page = await readyPage()
      await expect(page.request('open', { view: 'Swap', swap })).rejects.toMatchObject({ code: 'INVALID_PARAMS' })
    },
  )

  async function connected(): Promise<void> {
    const answered = page.request('connect', { namespace: 'eip155' })
    const [row] = await page.until(() => {
      const { wallets } = page.host.store.getState()
      return wallets.length > 0 && wallets
    })
    if (row !== undefined) page.host.actions.connect(row, 'eip155')
    await answered
    page.host.actions.close()
  }
})
