import { readFileSync } from 'node:fs'
import { docsOf, errors, isErrorCode } from '@postern/protocol'
import { fixes } from '@postern/protocol/errors/fixes'
import { Failure, toLinkError } from '@postern/protocol/failure'
import { describe, expect, test } from 'vitest'
import { isLinkError } from '../link/guards'
import { alertTexts } from '../modal/alert/alert'
import { modalTexts } from '../modal/failures'
import { failure, PosternError, ProviderRpcError, texts } from './errors'
import { requestFailure, requestTexts } from './failures'

describe('texts', () => {
  test.each(Object.entries({ ...texts, ...requestTexts, ...modalTexts }))(
    '%s matches the catalogue',
    (code, [message, fix, rpc]) => {
      if (!isErrorCode(code)) throw new Error(`${code} is not in the catalogue`)
      expect({ message, fix, rpc }).toEqual({
        message: errors[code].message,
        fix: fixes[code],
        rpc: errors[code].rpc,
      })
      expect(failure('DISCONNECTED').docs).toBe(docsOf('DISCONNECTED'))
    },
  )

  test.each(Object.entries(alertTexts))('the alert of %s matches the catalogue', (code, [title, text]) => {
    if (!isErrorCode(code)) throw new Error(`${code} is not in the catalogue`)
    expect({ title, text }).toEqual(errors[code].alert)
  })
})

test('every error has a section of the page that `docs` names', () => {
  const page = readFileSync(new URL('../../../../docs/reference/errors.md', import.meta.url), 'utf8')
  const sections = new Set([...page.matchAll(/^## (\w+)$/gm)].map(([, code = '']) => code.toLowerCase()))
  for (const code of Object.keys(errors).filter(isErrorCode)) {
    const { pathname, hash } = new URL(docsOf(code))
    expect(pathname).toBe('/reference/errors')
    expect(sections).toContain(hash.slice(1))
  }
})

test('an error of the host keeps what it says to do', () => {
  const fromHost = { ...toLinkError(new Failure('SIWX_CONFLICT')), fix: fixes.SIWX_CONFLICT }
  expect(isLinkError(fromHost)).toBe(true)
  expect(new PosternError(fromHost).fix).toBe(fixes.SIWX_CONFLICT)
})

describe('errors', () => {
  test('have a stable code, the number, the cause, what to do and the URL of their page', () => {
    const cause = new Error('why')
    expect(requestFailure('USER_REJECTED', cause)).toMatchObject({
      name: 'PosternError',
      code: 'USER_REJECTED',
      rpc: 4001,
      cause,
      docs: 'https://docs.postern.dev/reference/errors#user_rejected',
      fix: 'The user declined. Let them try again.',
    })
  })

  test('of a provider use the number as their code, or -32603 without one', () => {
    expect(new ProviderRpcError(failure('UNAUTHORIZED'))).toMatchObject({ code: 4100, reason: 'UNAUTHORIZED' })
    expect(new ProviderRpcError(failure('LOAD_FAILED'))).toMatchObject({
      code: -32603,
      reason: 'LOAD_FAILED',
    })
    const own = new PosternError({ code: 'CHAIN_NOT_ADDED', message: 'm', rpc: 4902, data: { a: 1 } })
    expect(new ProviderRpcError(own)).toMatchObject({ code: 4902, data: { a: 1 }, cause: own })
  })
})
