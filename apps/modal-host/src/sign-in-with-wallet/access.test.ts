import { manualClock } from '@postern/base/testing/manual-clock'
import type { Connection, Namespace } from '@postern/protocol'
import { expect, it, vi } from 'vitest'
import { createSignInAccess } from './access'
import type { SignInPrompts } from './prompts'

const connected: Connection = {
  status: 'connected',
  connector: { id: 'a', name: 'A', type: 'ANNOUNCED' },
  accounts: [{ namespace: 'eip155', address: '0x01', type: 'eoa' }],
  networkId: 'eip155:1',
}
const gone: Connection = { status: 'disconnected' }

function setUp(failures = 0) {
  const clock = manualClock()
  const looks: [Namespace, Connection['status']][] = []
  const prompts = {
    look: (namespace: Namespace, { status }: Connection) => looks.push([namespace, status]),
    end: vi.fn(),
  }
  let left = failures
  let arrive = () => {}
  const load = vi.fn(async () => {
    if (left-- > 0) throw new TypeError('Failed to fetch')
    await new Promise<void>((resolve) => {
      arrive = resolve
    })
    return prompts as unknown as SignInPrompts
  })
  const onLost = vi.fn(async () => {})
  const access = createSignInAccess({ load, clock, onLost })
  return { access, clock, looks, load, onLost, prompts, arrive: () => arrive() }
}

it('1. passes on every connection in order, also earlier ones, and then settles', async () => {
  const { access, looks, arrive, load } = setUp()
  access.onConnection('solana', gone)
  expect(load).not.toHaveBeenCalled()
  access.onConnection('eip155', connected)
  access.onConnection('eip155', gone)
  let isSettled = false
  const settled = access.settled().then(() => {
    isSettled = true
  })
  await expect.poll(() => load).toHaveBeenCalledTimes(1)
  await Promise.resolve()
  expect([looks, isSettled]).toEqual([[], false])
  arrive()
  await settled
  expect(looks).toEqual([
    ['eip155', 'connected'],
    ['eip155', 'disconnected'],
  ])
})

it('2. retries the load, and reports the connection as lost when it keeps failing', async () => {
  const { access, clock, onLost, load, looks, arrive } = setUp(2)
  access.onConnection('eip155', connected)
  for (const wait of [1_000, 3_000]) {
    await expect.poll(() => clock.pending()).toBe(1)
    clock.advance(wait)
  }
  await expect.poll(() => load).toHaveBeenCalledTimes(3)
  arrive()
  await access.settled()
  expect(looks).toHaveLength(1)
  expect(onLost).not.toHaveBeenCalled()

  const never = setUp(4)
  never.access.onConnection('eip155', connected)
  for (const wait of [1_000, 3_000, 10_000]) {
    await expect.poll(() => never.clock.pending()).toBe(1)
    never.clock.advance(wait)
  }
  await never.access.settled()
  expect(never.onLost).toHaveBeenCalledWith('eip155')
})

it('3. ends prompts that load after the end, without calling them', async () => {
  const { access, load, looks, onLost, prompts, arrive } = setUp()
  access.onConnection('eip155', connected)
  await expect.poll(() => load).toHaveBeenCalled()
  access.end()
  arrive()
  await access.settled()
  expect(prompts.end).toHaveBeenCalled()
  // Without the page there is no sign-in state: do not disconnect for that.
  expect(looks).toEqual([])
  expect(onLost).not.toHaveBeenCalled()
})
