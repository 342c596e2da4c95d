import { manualClock } from '@postern/base/testing/manual-clock'
import { Failure } from '@postern/protocol/failure'
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
    unanswered?: 'OUTCOME_UNKNOWN',
  ) {
    let answer = (_: unknown) => {}
    const done = requests.during(connector, signal, (ended) => {
      ended.throwIfAborted()
      return new Promise((resolve, reject) => {
        answer = resolve
        ended.addEventListener('abort', () => reject(unanswered ? new Failure(unanswered) : ended.reason))
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

  describe('3. after Cancel of a payment that the phone still shows', () => {
    async function cancelled() {
      const { store, ask, late, requests, ...more } = setUp()
      const asked = ask(phone, undefined, 'OUTCOME_UNKNOWN')
      late()
      const id = store.getState().walletRequests[0]?.id ?? ''
      requests.cancel(id)
      await expect(asked.done).rejects.toMatchObject({ code: 'OUTCOME_UNKNOWN' })
      const left = () => store.getState().walletRequests.map(({ isLeft = false }) => isLeft)
      return { store, ask, late, requests, id, left, ...more }
    }

    it('says so until the user closes the card', async () => {
      const { requests, id, state, left } = await cancelled()
      expect([state(), left()]).toEqual([{ view: 'WalletRequest', waiting: ['Lantern'] }, [true]])
      requests.cancel(id)
      expect(state()).toEqual({ view: null, waiting: [] })
    })

    it('says no more once the modal is closed, or the next request comes', async () => {
      const closed = await cancelled()
      closed.modal.close()
      expect(closed.state()).toEqual({ view: null, waiting: [] })
      const next = await cancelled()
      const { done, answer } = next.ask()
      next.late()
      expect([next.state().view, next.left()]).toEqual(['WalletRequest', [false]])
      answer('0x1')
      await done
      expect(next.state()).toEqual({ view: null, waiting: [] })
    })

    it('says no more once the next request is answered, however soon', async () => {
      const { ask, state } = await cancelled()
      const { done, answer } = ask()
      answer('0x1')
      await done
      expect(state()).toEqual({ view: null, waiting: [] })
    })

    it('comes after the requests that wait', async () => {
      const { store, ask, late, requests, state } = setUp()
      const first = ask(phone, undefined, 'OUTCOME_UNKNOWN')
      const second = ask({ ...phone, name: 'Tide' })
      late()
      requests.cancel(store.getState().walletRequests[0]?.id ?? '')
      await expect(first.done).rejects.toMatchObject({ code: 'OUTCOME_UNKNOWN' })
      expect(state().waiting).toEqual(['Tide', 'Lantern'])
      second.answer('0x1')
      await second.done
      expect(state()).toEqual({ view: 'WalletRequest', waiting: ['Lantern'] })
    })

    it('says nothing if the user closed the card itself', async () => {
      const { ask, late, modal, state } = setUp()
      const { done } = ask(phone, undefined, 'OUTCOME_UNKNOWN')
      late()
      modal.close()
      await expect(done).rejects.toMatchObject({ code: 'OUTCOME_UNKNOWN' })
      expect(state()).toEqual({ view: null, waiting: [] })
    })
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
