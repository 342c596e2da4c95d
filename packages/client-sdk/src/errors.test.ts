import { errors, isErrorCode } from '@postern/protocol'
import { describe, expect, test } from 'vitest'
import { adapterTexts } from './adapters/call'
import { failure, PosternError, ProviderRpcError, texts } from './errors'
import { linkTexts } from './link/failures'
import { alertTexts } from './modal/alert'
import { modalTexts } from './modal/failures'

describe('texts', () => {
  test.each(Object.entries({ ...texts, ...linkTexts, ...modalTexts, ...adapterTexts }))(
    '%s matches the catalogue',
    (code, [message, rpc]) => {
      if (!isErrorCode(code)) throw new Error(`${code} is not in the catalogue`)
      expect({ message, rpc }).toEqual({ message: errors[code].message, rpc: errors[code].rpc })
      expect(failure('DISCONNECTED').docs).toBe(errors.DISCONNECTED.docs)
    },
  )

  test.each(Object.entries(alertTexts))('the alert of %s matches the catalogue', (code, [title, text]) => {
    if (!isErrorCode(code)) throw new Error(`${code} is not in the catalogue`)
    expect({ title, text }).toEqual(errors[code].alert)
  })
})

describe('errors', () => {
  test('have a stable code, the number, the cause and a docs link', () => {
    const cause = new Error('why')
    expect(failure('USER_REJECTED', cause)).toMatchObject({
      name: 'PosternError',
      code: 'USER_REJECTED',
      rpc: 4001,
      cause,
      docs: 'docs/reference/errors.md#user_rejected',
    })
  })

  test('of a provider use the number as their code, or -32603 without one', () => {
    expect(new ProviderRpcError(failure('UNAUTHORIZED'))).toMatchObject({ code: 4100, reason: 'UNAUTHORIZED' })
    expect(new ProviderRpcError(failure('IFRAME_LOAD_FAILED'))).toMatchObject({
      code: -32603,
      reason: 'IFRAME_LOAD_FAILED',
    })
    const own = new PosternError({ code: 'CHAIN_NOT_ADDED', message: 'm', rpc: 4902, data: { a: 1 } })
    expect(new ProviderRpcError(own)).toMatchObject({ code: 4902, data: { a: 1 }, cause: own })
  })
})
