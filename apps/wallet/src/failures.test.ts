import { describe, expect, it } from 'vitest'
import { GatewayError } from './account/gateway'
import { toFailure } from './failures'

const told = (...given: ConstructorParameters<typeof GatewayError>) => {
  const { code, message } = toFailure(new GatewayError(...given), () => {})
  return { code, message }
}

describe('toFailure', () => {
  it.each([
    ['TOO_MANY_ATTEMPTS', 30, 'Too many attempts. Try again in 30 s.'],
    ['TOO_MANY_ATTEMPTS', 4_321, 'Too many attempts. Try again in 73 min.'],
    ['CHALLENGE_REQUIRED', 61, 'Too many attempts. Try again in 2 min.'],
    ['TOO_MANY_ATTEMPTS', null, 'Too many attempts'],
  ] as const)('says when to try again after %s, %s', (failure, retryAfter, message) => {
    expect(told(failure, retryAfter)).toEqual({ code: 'TOO_MANY_ATTEMPTS', message })
  })

  it.each([
    [4, 'Wrong code. Tries left: 4.'],
    [0, 'Wrong code. Tries left: 0. Request a new code.'],
    [null, 'Wrong code'],
  ])('says how many tries a code has left: %s', (triesLeft, message) => {
    expect(told('WRONG_CODE', null, triesLeft)).toEqual({ code: 'WRONG_CODE', message })
  })

  it('3. reads a part that does not load as an unreachable service, and reports nothing', () => {
    const reported: string[] = []
    const missing = Object.assign(new Error('assets/code.js did not arrive'), { name: 'FileMissing' })
    expect(toFailure(missing, (kind) => reported.push(kind)).code).toBe('WALLET_SERVICE_UNREACHABLE')
    expect(toFailure(new TypeError('x is undefined'), (kind) => reported.push(kind)).code).toBe('INTERNAL')
    expect(reported).toEqual(['TypeError'])
  })
})
