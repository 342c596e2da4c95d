import { describe, expect, it } from 'vitest'
import { type RecoverEvent, type RecoverState, reduceRecover } from './recover'

const choice: RecoverState = { step: 'choice', chosen: null, complaint: '' }
const after = (...events: readonly RecoverEvent[]) => events.reduce(reduceRecover, choice)

describe('reduceRecover', () => {
  it('stays at the choice until a method is chosen', () => {
    expect(after({ type: 'wentOn', complaint: 'Choose' })).toEqual({ ...choice, complaint: 'Choose' })
    expect(after({ type: 'chosen', method: 'passphrase' }, { type: 'wentOn', complaint: 'Choose' })).toEqual({
      step: 'passphrase',
    })
  })

  it('ignores progress that arrives after the stretching', () => {
    const state = after({ type: 'passphraseTaken' }, { type: 'progressed', part: 0.5 })
    expect(state).toEqual({ step: 'stretching', part: 0.5 })
    const asking = reduceRecover(state, { type: 'codeAsked' })
    expect(reduceRecover(asking, { type: 'progressed', part: 1 })).toBe(asking)
  })

  it('ignores what happens to a code that is no longer asked for', () => {
    expect(after({ type: 'code', event: { type: 'resent' } })).toEqual(choice)
  })

  it('2. goes back to an empty choice, with the reason', () => {
    const back = after({ type: 'chosen', method: 'passkey' }, { type: 'wentBack', complaint: 'Cancelled' })
    expect(back).toEqual({ ...choice, complaint: 'Cancelled' })
  })
})
