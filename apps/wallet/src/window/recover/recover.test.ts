import { describe, expect, it } from 'vitest'
import { methodsOf, type RecoverEvent, type RecoverState, reduceRecover } from './recover'

const choice: RecoverState = { step: 'choice', chosen: null, complaint: '' }
const wentOn: RecoverEvent = { type: 'wentOn', complaint: 'Choose', title: 'code.title' }
const after = (...events: readonly RecoverEvent[]) => events.reduce(reduceRecover, choice)

describe('reduceRecover', () => {
  it('stays at the choice until a method is chosen', () => {
    expect(after(wentOn)).toEqual({ ...choice, complaint: 'Choose' })
    expect(after({ type: 'chosen', method: 'passphrase' }, wentOn)).toEqual({
      step: 'passphrase',
    })
  })

  it('ignores progress that arrives after the stretching', () => {
    const state = after({ type: 'passphraseTaken' }, { type: 'progressed', part: 0.5 })
    expect(state).toEqual({ step: 'stretching', part: 0.5 })
    const asking = reduceRecover(state, { type: 'workBegan', title: 'code.title' })
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

describe('methodsOf', () => {
  it('offers a passkey first where the browser has it, and the service last, if the project allows it', () => {
    expect(methodsOf({ hasPasskey: true, rule: 'any' })).toEqual(['passkey', 'passphrase', 'gateway'])
    expect(methodsOf({ hasPasskey: false, rule: 'any' })).toEqual(['passphrase', 'passkey', 'gateway'])
    expect(methodsOf({ hasPasskey: true, rule: 'hardened' })).toEqual(['passkey', 'passphrase'])
    expect(methodsOf({ hasPasskey: false, rule: 'hardened' })).toEqual(['passphrase', 'passkey'])
  })
})
