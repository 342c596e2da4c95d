import { describe, expect, it } from 'vitest'
import { type Move, move, type Way, wayTo } from './navigation'

const walk = (...steps: readonly Move[]): Way => steps.reduce(move, wayTo('Connect'))
const views = ({ places }: Way) => places.map(({ view }) => view)

describe('navigation history', () => {
  it('goes one level in, and back to the same view', () => {
    const there = walk({ kind: 'in', view: 'AllWallets' })
    expect(views(there)).toEqual(['Connect', 'AllWallets'])
    expect(there.direction).toBe('in')
    const back = move(there, { kind: 'back' })
    expect(back.places).toEqual(wayTo('Connect').places)
    expect(back.direction).toBe('back')
  })

  it('replaces a view without adding to the history', () => {
    const way = walk({ kind: 'in', view: 'EmailVerifyDevice' }, { kind: 'beside', view: 'EmailVerifyOtp' })
    expect(views(way)).toEqual(['Connect', 'EmailVerifyOtp'])
    expect(way.direction).toBe('beside')
  })

  it('clears the history on reset', () => {
    const way = walk(
      { kind: 'in', view: 'AllWallets' },
      { kind: 'in', view: 'GetWallet' },
      { kind: 'reset', view: 'Account' },
    )
    expect(views(way)).toEqual(['Account'])
  })

  it('goes back to Connect if the history is empty', () => {
    expect(views(move(wayTo('Networks'), { kind: 'back' }))).toEqual(['Connect'])
  })

  it('gives each visit its own key, and restores the key when going back', () => {
    const way = walk({ kind: 'in', view: 'AllWallets' }, { kind: 'back' }, { kind: 'in', view: 'AllWallets' })
    expect(way.places.map(({ key }) => key)).toEqual([0, 2])
  })
})
