import { manualClock } from '@postern/base/testing/manual-clock'
import { describe, expect, it } from 'vitest'
import type { ConnectorEvent } from '../../connector'
import type { ClientHolder } from '../client/client-holder'
import { evmAccount, hostOptions, hostStorage, otherEvmAccount } from '../testing/set-up'
import { createSessionRecords } from './records'
import { createSessionView } from './session-view'

const third = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
/** What was announced is normalised, stored and shown. */
async function tick(): Promise<void> {
  for (let turn = 0; turn < 50; turn += 1) await Promise.resolve()
}

function view(accounts: readonly string[], normalise?: (addresses: readonly string[]) => Promise<readonly string[]>) {
  const clock = manualClock(1_000_000)
  const { options } = hostOptions('ws://unused')
  const storage = hostStorage()
  const records = createSessionRecords(storage)
  const session = {
    topic: 't',
    namespaces: { eip155: { accounts: accounts.map((one) => `eip155:1:${one}`), methods: [], events: [] } },
  }
  let tell: (change: object) => void = () => {}
  const holder = {
    stored: () => session,
    listen(_: string, listener: (change: object) => void) {
      tell = listener
      return () => {}
    },
  } as never as ClientHolder
  const shown = createSessionView(
    {
      ...options,
      clock,
      holder,
      records,
      ...(normalise && { normalise: (_, addresses) => normalise(addresses) }),
    },
    'eip155',
    't',
  )
  const events: ConnectorEvent[] = []
  const announce = (...data: readonly string[]) =>
    tell({ kind: 'event', event: { params: { chainId: 'eip155:1', event: { name: 'accountsChanged', data } } } })
  return { clock, records, shown, events, announce, session, listen: () => shown.listen((one) => events.push(one)) }
}

const active = (shown: ReturnType<typeof view>['shown']) => shown.current()?.accounts[0].address

describe('after an announcement that the session never confirms', () => {
  it('2. the account that the user had chosen before is active again', async () => {
    const { clock, shown, announce, session, listen } = view([evmAccount, otherEvmAccount])
    await shown.load(session as never)
    listen()
    // The user chooses the second account of the session in the wallet.
    announce(otherEvmAccount)
    await tick()
    clock.advance(5_000)
    await tick()
    expect(active(shown)).toBe(otherEvmAccount)
    // The wallet announces one that the session never gets.
    announce(third)
    await tick()
    clock.advance(5_000)
    await tick()
    expect(active(shown)).toBe(otherEvmAccount)
  })

  it('2. an account announced when the wait of the one before ends is shown for 5 s too', async () => {
    let release = () => {}
    let isHeld = false
    const { clock, shown, announce, session, listen } = view([evmAccount], async (addresses) => {
      if (isHeld && addresses.includes(third)) await new Promise<void>((resolve) => (release = resolve))
      return addresses
    })
    await shown.load(session as never)
    listen()
    announce(otherEvmAccount)
    await tick()
    isHeld = true
    clock.advance(4_999)
    announce(third)
    await tick()
    clock.advance(1)
    await tick()
    release()
    await tick()
    expect(active(shown)).toBe(third)
  })

  it('4. nothing is emitted once the namespace was left', async () => {
    const { clock, records, shown, events, announce, session, listen } = view([evmAccount])
    await shown.load(session as never)
    listen()
    announce(otherEvmAccount)
    await tick()
    records.change('t', (record) => ({ ...record, left: ['eip155'] }))
    const before = events.length
    clock.advance(5_000)
    await tick()
    expect(events.slice(before)).toEqual([])
  })
})
