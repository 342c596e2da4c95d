import { manualClock } from '@postern/base/testing/manual-clock'
import { limits } from '@postern/protocol'
import { Failure } from '@postern/protocol/failure'
import { describe, expect, it } from 'vitest'
import type { Session } from '../client/client'
import { awaitApproval } from './attempt'
import { createPairingMaker, type Pairing } from './pairing'

const shownFor = limits.pairingLifetime - limits.pairingExpiryThreshold
const turns = async () => {
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve()
}

function pairings(clock = manualClock()) {
  const made: (Pairing & { readonly dropped: () => boolean; readonly answer: (session: Session | Error) => void })[] =
    []
  let isBroken = false
  return {
    clock,
    made,
    break: (broken: boolean) => {
      isBroken = broken
    },
    make: async () => {
      if (isBroken) throw new Failure('RELAY_UNREACHABLE')
      let settle: (session: Session | Error) => void = () => {}
      let isDropped = false
      const approval = new Promise<Session>((resolve, reject) => {
        settle = (answer) => (answer instanceof Error ? reject(answer) : resolve(answer))
      })
      approval.catch(() => {})
      const pairing = {
        code: { uri: `wc:${made.length}`, expiresAt: clock.now() + limits.pairingLifetime },
        approval,
        drop: () => {
          isDropped = true
          settle(new Failure('TIMEOUT'))
        },
        dropped: () => isDropped,
        answer: settle,
      }
      made.push(pairing)
      return pairing
    },
  }
}

function begin() {
  const source = pairings()
  const shown: (string | null)[] = []
  const late: Session[] = []
  const controller = new AbortController()
  const approval = awaitApproval({
    take: source.make,
    clock: source.clock,
    signal: controller.signal,
    onPairing: (code) => shown.push(code?.uri ?? null),
    onLate: (session) => late.push(session),
  })
  approval.catch(() => {})
  return { ...source, shown, late, approval, abort: () => controller.abort() }
}

const session: Session = JSON.parse('{"topic":"t"}')

describe('awaitApproval', () => {
  it('1. replaces a code with less than 10 s left (spec §4, §9)', async () => {
    const { clock, shown } = begin()
    await turns()
    clock.advance(shownFor - 1)
    await turns()
    expect(shown).toEqual([null, 'wc:0'])
    clock.advance(1)
    await turns()
    expect(shown).toEqual([null, 'wc:0', 'wc:1'])
  })

  it('2, 3. accepts a response to a replaced code, and drops the others', async () => {
    const { clock, made, approval } = begin()
    await turns()
    clock.advance(shownFor)
    await turns()
    made[0]?.answer(session)
    expect(await approval).toBe(session)
    expect(made.map(({ dropped }) => dropped())).toEqual([false, true])
    expect(clock.pending()).toBe(0)
  })

  it('2. lets a replaced code expire', async () => {
    const { clock, made, approval } = begin()
    await turns()
    clock.advance(shownFor)
    await turns()
    made[0]?.answer(new Failure('TIMEOUT'))
    await turns()
    made[1]?.answer(session)
    expect(await approval).toBe(session)
  })

  it('3. accepts a rejection from any code', async () => {
    const { clock, made, approval } = begin()
    await turns()
    clock.advance(shownFor)
    await turns()
    made[0]?.answer(new Failure('USER_REJECTED'))
    await expect(approval).rejects.toMatchObject({ code: 'USER_REJECTED' })
    expect(made[1]?.dropped()).toBe(true)
  })

  it('3. drops every code on abort, including one being created', async () => {
    const { made, approval, abort, clock } = begin()
    abort()
    await expect(approval).rejects.toMatchObject({ code: 'ABORTED' })
    await turns()
    expect(made.map(({ dropped }) => dropped())).toEqual([true])
    expect(clock.pending()).toBe(0)
  })

  it('3. passes on a session approved after the attempt ended, so that it is closed', async () => {
    const { made, approval, late, abort } = begin()
    await turns()
    made[0]?.answer(session)
    abort()
    await expect(approval).rejects.toMatchObject({ code: 'ABORTED' })
    await turns()
    expect(late).toEqual([session])
  })

  it('4. rejects with TIMEOUT when the fifth and last code expires', async () => {
    const { clock, shown, approval } = begin()
    await turns()
    for (let code = 0; code < 5; code += 1) {
      clock.advance(shownFor)
      await turns()
    }
    await expect(approval).rejects.toMatchObject({ code: 'TIMEOUT' })
    expect(shown).toHaveLength(6)

    const other = begin()
    await turns()
    other.made[0]?.answer(new Failure('TIMEOUT'))
    await expect(other.approval).rejects.toMatchObject({ code: 'TIMEOUT' })
  })

  it('5. rejects if a code cannot be created', async () => {
    const attempt = begin()
    await turns()
    attempt.break(true)
    attempt.clock.advance(shownFor)
    await expect(attempt.approval).rejects.toMatchObject({ code: 'RELAY_UNREACHABLE' })
  })
})

describe('createPairingMaker', () => {
  it('1. drops a pairing that is not taken in time', async () => {
    const source = pairings()
    const maker = createPairingMaker(source.clock, source.make)
    maker.prepare(['eip155'])
    await turns()
    source.clock.advance(shownFor)
    await turns()
    expect(source.made[0]?.dropped()).toBe(true)
    expect((await maker.take(['eip155'])).code.uri).toBe('wc:1')
  })

  it('2. returns the prepared pairing once, and only for the same namespaces', async () => {
    const source = pairings()
    const maker = createPairingMaker(source.clock, source.make)
    maker.prepare(['eip155', 'solana'])
    maker.prepare(['solana', 'eip155'])
    expect((await maker.take(['eip155'])).code.uri).toBe('wc:1')
    expect((await maker.take(['solana', 'eip155'])).code.uri).toBe('wc:0')
    expect((await maker.take(['solana', 'eip155'])).code.uri).toBe('wc:2')
    expect(source.clock.pending()).toBe(0)
  })

  it('3. creates a pairing on demand if none could be prepared', async () => {
    const source = pairings()
    const maker = createPairingMaker(source.clock, source.make)
    source.break(true)
    maker.prepare(['eip155'])
    source.break(false)
    expect((await maker.take(['eip155'])).code.uri).toBe('wc:0')
  })

  it('drops its pairing when it ends', async () => {
    const source = pairings()
    const maker = createPairingMaker(source.clock, source.make)
    maker.prepare(['eip155'])
    await turns()
    maker.end()
    await turns()
    expect(source.made[0]?.dropped()).toBe(true)
    expect(source.clock.pending()).toBe(0)
  })
})
