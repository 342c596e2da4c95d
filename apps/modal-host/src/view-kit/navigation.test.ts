import { describe, expect, it } from 'vitest'
import { createHistory, type HistoryAction, historyReducer, type ViewHistory } from './navigation'

const walk = (...steps: readonly HistoryAction[]): ViewHistory => steps.reduce(historyReducer, createHistory('Connect'))
const views = ({ entries }: ViewHistory) => entries.map(({ view }) => view)

describe('navigation history', () => {
  it('goes one level in, and back to the same view', () => {
    const there = walk({ kind: 'push', view: 'AllWallets' })
    expect(views(there)).toEqual(['Connect', 'AllWallets'])
    expect(there.direction).toBe('forward')
    const back = historyReducer(there, { kind: 'back' })
    expect(back.entries).toEqual(createHistory('Connect').entries)
    expect(back.direction).toBe('back')
  })

  it('replaces a view without adding to the history', () => {
    const history = walk({ kind: 'push', view: 'EmailVerifyDevice' }, { kind: 'replace', view: 'EmailVerifyOtp' })
    expect(views(history)).toEqual(['Connect', 'EmailVerifyOtp'])
    expect(history.direction).toBe('replace')
  })

  it('clears the history on reset', () => {
    const history = walk(
      { kind: 'push', view: 'AllWallets' },
      { kind: 'push', view: 'GetWallet' },
      { kind: 'reset', view: 'Account' },
    )
    expect(views(history)).toEqual(['Account'])
  })

  it('goes back to Connect if the history is empty (spec §2)', () => {
    expect(views(historyReducer(createHistory('Networks'), { kind: 'back' }))).toEqual(['Connect'])
  })

  it('gives each visit its own key, and restores the key when going back', () => {
    const history = walk({ kind: 'push', view: 'AllWallets' }, { kind: 'back' }, { kind: 'push', view: 'AllWallets' })
    expect(history.entries.map(({ key }) => key)).toEqual([0, 2])
  })
})
