import type { WalletUser } from '@postern/protocol'
import { describe, expect, it } from 'vitest'
import { type EmbeddedEvent, initialEmbedded, maxFrameReloads, reduceEmbedded } from './embedded-machine'

const user: WalletUser = { address: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266', chainId: 1 }
const signedIn: EmbeddedEvent = { type: 'userChanged', user }
const lost: EmbeddedEvent = { type: 'frameLost' }
const toBase: EmbeddedEvent = { type: 'networkSwitched', namespace: 'eip155', networkId: 'eip155:8453' }
const toPolygon: EmbeddedEvent = { type: 'networkSwitched', namespace: 'eip155', networkId: 'eip155:137' }

const after = (...events: readonly EmbeddedEvent[]) =>
  events.reduce((state, event) => reduceEmbedded(state, event)[0], initialEmbedded)

describe('reduceEmbedded', () => {
  it('shows a new user', () => {
    expect(reduceEmbedded(initialEmbedded, signedIn)).toEqual([
      { ...initialEmbedded, user },
      [{ type: 'showUser', user }],
    ])
  })

  it('1. the end of a session forgets it everywhere and makes pending results stale', () => {
    const before = after(signedIn, { type: 'tokenChanged', token: 'token' }, toBase, { type: 'accountChosen' })
    expect(reduceEmbedded(before, { type: 'sessionEnded' })).toEqual([
      { ...initialEmbedded, endedSessions: 1, accountChoices: 2 },
      [{ type: 'clearStore' }, { type: 'showUser', user: null }, { type: 'disconnectAll' }],
    ])
  })

  it('2. a failed switch restores the network before it', () => {
    const networkId = 'eip155:137'
    const failed = (previous: 'eip155:8453' | undefined): EmbeddedEvent => ({
      type: 'switchFailed',
      namespace: 'eip155',
      networkId,
      previous,
    })
    expect(after(toBase, toPolygon, failed('eip155:8453')).networks).toEqual({ eip155: 'eip155:8453' })
    expect(after(toPolygon, failed(undefined)).networks).toEqual({})
  })

  it('2. a switch that fails after a later one changes nothing', () => {
    const failed: EmbeddedEvent = {
      type: 'switchFailed',
      namespace: 'eip155',
      networkId: 'eip155:8453',
      previous: undefined,
    }
    expect(after(toBase, toPolygon, failed).networks).toEqual({ eip155: 'eip155:137' })
  })

  it('3. reloads a lost frame up to three times, and again after the user connected', () => {
    const [reloaded, commands] = reduceEmbedded(after(signedIn), lost)
    expect(reloaded.frameReloads).toBe(1)
    expect(commands).toEqual([{ type: 'rereadUser', lost: user }])
    const tired = after(signedIn, ...Array<EmbeddedEvent>(maxFrameReloads).fill(lost))
    expect(reduceEmbedded(tired, lost)).toEqual([tired, []])
    expect(reduceEmbedded(reduceEmbedded(tired, { type: 'granted' })[0], lost)[1]).toHaveLength(1)
  })

  it('3. does not reload a frame without a user', () => {
    expect(reduceEmbedded(initialEmbedded, lost)).toEqual([initialEmbedded, []])
  })
})
