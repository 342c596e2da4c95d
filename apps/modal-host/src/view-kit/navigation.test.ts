import { describe, expect, it } from 'vitest'
import { type Move, move, type Way, wayTo } from './navigation'

const walk = (...steps: readonly Move[]): Way => steps.reduce(move, wayTo('Connect'))
const views = ({ places }: Way) => places.map(({ view }) => view)

describe('the way through the views', () => {
  it('goes one step in, and back to what was there', () => {
    const there = walk({ kind: 'in', view: 'AllWallets' })
    expect(views(there)).toEqual(['Connect', 'AllWallets'])
    expect(there.direction).toBe('in')
    const back = move(there, { kind: 'back' })
    expect(back.places).toEqual(wayTo('Connect').places)
    expect(back.direction).toBe('back')
  })

  it('puts a view in the place of another without a step of its own', () => {
    const way = walk({ kind: 'in', view: 'EmailVerifyDevice' }, { kind: 'beside', view: 'EmailVerifyOtp' })
    expect(views(way)).toEqual(['Connect', 'EmailVerifyOtp'])
    expect(way.direction).toBe('beside')
  })

  it('forgets the way with a reset', () => {
    const way = walk(
      { kind: 'in', view: 'AllWallets' },
      { kind: 'in', view: 'GetWallet' },
      { kind: 'reset', view: 'Account' },
    )
    expect(views(way)).toEqual(['Account'])
  })

  it('leads to Connect where there is nothing to go back to', () => {
    expect(views(move(wayTo('Networks'), { kind: 'back' }))).toEqual(['Connect'])
  })

  it('gives each arrival a key of its own, and a view that is come back to the one it had', () => {
    const way = walk({ kind: 'in', view: 'AllWallets' }, { kind: 'back' }, { kind: 'in', view: 'AllWallets' })
    expect(way.places.map(({ key }) => key)).toEqual([0, 2])
  })
})
