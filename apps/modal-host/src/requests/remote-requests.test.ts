import { Failure } from '@postern/protocol/failure'
import { manualClock } from '@postern/protocol/testing/manual-clock'
import { describe, expect, it } from 'vitest'
import type { Connector } from '../connectors/connector'
import { createModal } from '../snapshot/modal'
import { createSnapshotStore } from '../snapshot/store'
import { createRemoteRequests, showDelayMs } from './remote-requests'

const phone = { type: 'WALLET_CONNECT', name: 'Lantern', imageUrl: 'https://lantern.example/icon.png' } as const

function setUp(options: { readonly isShown?: boolean } = {}) {
  const store = createSnapshotStore({ themeMode: 'light', locale: 'en', walletCount: 0, isTopLevel: false })
  const modal = createModal(store)
  const clock = manualClock()
  const requests = createRemoteRequests({ store, modal, clock, isShown: true, ...options })
  /** As the wallet's connector: settles by its answer or its signal. */
  function ask(
    connector: Pick<Connector, 'type' | 'name' | 'imageUrl'> = phone,
    signal = new AbortController().signal,
  ) {
    let answer = (_: unknown) => {}
    const done = requests.during(connector, signal, (ended) => {
      ended.throwIfAborted()
      return new Promise((resolve, reject) => {
        answer = resolve
        ended.addEventListener('abort', () => reject(ended.reason))
      })
    })
    done.catch(() => {})
    return { done, answer: (value: unknown) => answer(value) }
  }
  const state = () => {
    const { open, opening, walletRequests } = store.getState()
    return { view: open ? opening.view : null, waiting: walletRequests.map(({ name }) => name) }
  }
  return { store, modal, clock, requests, ask, state, late: () => clock.advance(showDelayMs) }
}

describe('createRemoteRequests', () => {
  it('1. names the wallet that is asked, until it answers', async () => {
    const { ask, late, state, store } = setUp()
    const { done, answer } = ask()
    expect(state()).toEqual({ view: null, waiting: [] })
    late()
    expect(state()).toEqual({ view: 'WalletRequest', waiting: ['Lantern'] })
    expect(store.getState().walletRequests[0]).toMatchObject({ imageUrl: phone.imageUrl })
    answer('0x1')
    expect(await done).toBe('0x1')
    expect(state()).toEqual({ view: null, waiting: [] })
  })

  it('1. shows nothing for an answer at once, for another kind of wallet, or if the page shows its own', async () => {
    const quick = setUp()
    const { done, answer } = quick.ask()
    answer(1)
    await done
    quick.late()
    quick.ask({ type: 'ANNOUNCED', name: 'Tide' })
    quick.late()
    expect(quick.state()).toEqual({ view: null, waiting: [] })
    const off = setUp({ isShown: false })
    off.ask()
    off.late()
    expect(off.state()).toEqual({ view: null, waiting: [] })
  })

  it('2. waits until the user has closed another view', async () => {
    const { ask, late, modal, state, clock } = setUp()
    modal.open('Swap')
    const { done, answer } = ask()
    late()
    expect(state().view).toBe('Swap')
    modal.close()
    expect(state().view).toBeNull()
    clock.advance(1_000)
    expect(state().view).toBe('WalletRequest')
    answer(1)
    await done
    expect(state().view).toBeNull()
  })

  it('2. leaves a view alone that was opened over it', async () => {
    const { ask, late, modal, state } = setUp()
    const { done, answer } = ask()
    late()
    modal.open('Account')
    answer(1)
    await done
    expect(state()).toEqual({ view: 'Account', waiting: [] })
  })

  it('4. stays open for an approval of the embedded wallet that came over it, and closes after that', async () => {
    const { ask, late, state, store } = setUp()
    const { done, answer } = ask()
    late()
    store.setState({ approvals: [{} as never] })
    answer(1)
    await done
    expect(state()).toEqual({ view: 'WalletRequest', waiting: [] })
    store.setState({ approvals: [] })
    expect(state()).toEqual({ view: null, waiting: [] })
  })

  it('3. Cancel rejects the request on screen, and shows the next one', async () => {
    const { ask, late, requests, state, store } = setUp()
    const [first, second] = [ask(), ask({ ...phone, name: 'Tide' })]
    late()
    expect(state().waiting).toEqual(['Lantern', 'Tide'])
    requests.cancel(store.getState().walletRequests[0]?.id ?? '')
    await expect(first.done).rejects.toMatchObject({ code: 'USER_REJECTED', rpc: 4001 })
    expect(state()).toEqual({ view: 'WalletRequest', waiting: ['Tide'] })
    second.answer(1)
    await second.done
    expect(state().view).toBeNull()
  })

  it('3. closing the card rejects what it shows', async () => {
    const { ask, late, modal, state, clock } = setUp()
    const { done } = ask()
    late()
    modal.close()
    await expect(done).rejects.toMatchObject({ code: 'USER_REJECTED' })
    clock.advance(1_000)
    expect(state()).toEqual({ view: null, waiting: [] })
  })

  it('4. closes when the dapp gives up, and with the page', async () => {
    const { ask, late, state, requests } = setUp()
    const page = new AbortController()
    const { done } = ask(phone, page.signal)
    late()
    page.abort(new Failure('ABORTED'))
    await expect(done).rejects.toMatchObject({ code: 'ABORTED' })
    expect(state()).toEqual({ view: null, waiting: [] })
    ask()
    requests.end()
    late()
    expect(state()).toEqual({ view: null, waiting: [] })
  })
})
