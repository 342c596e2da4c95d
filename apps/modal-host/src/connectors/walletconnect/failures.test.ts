import { Failure } from '@postern/protocol/failure'
import { describe, expect, it, test } from 'vitest'
import { forDapp, toFailure } from './failures'

describe('toFailure', () => {
  it.each([
    [{ code: 5000, message: 'User rejected.' }, 'USER_REJECTED'],
    [{ code: 5002, message: 'User rejected methods.' }, 'USER_REJECTED'],
    [{ code: 4001, message: 'No' }, 'USER_REJECTED'],
    [{ code: 5100, message: 'Unsupported chains.' }, 'CHAIN_NOT_SUPPORTED'],
    [{ code: 5101, message: 'Unsupported methods.' }, 'UNSUPPORTED_METHOD'],
    [{ code: 6000, message: 'User disconnected.' }, 'DISCONNECTED'],
    [{ code: 6, message: 'Request expired. Please try again.' }, 'TIMEOUT'],
    [{ code: 0, message: 'Proposal expired' }, 'TIMEOUT'],
    [{ code: 4902, message: 'Unrecognized chain' }, 'CHAIN_NOT_ADDED'],
    [new Error('Failed to publish payload, please try again. id:1 tag:1108'), 'RELAY_UNREACHABLE'],
    [new Error('No internet connection detected. Please restart your network and try again.'), 'RELAY_UNREACHABLE'],
    [
      new Error('WebSocket connection closed abnormally with code: 3000 (Unauthorized: invalid key)'),
      'INVALID_PROJECT_ID',
    ],
    [
      new Error('WebSocket connection closed abnormally with code: 3000 (Unauthorized: origin not allowed)'),
      'ORIGIN_NOT_ALLOWED',
    ],
    [new Error("No matching key. session topic doesn't exist: abc"), 'DISCONNECTED'],
    [{ code: -32000, message: 'execution reverted' }, 'UNKNOWN'],
    [undefined, 'UNKNOWN'],
  ])('maps %j', (thrown, code) => {
    expect(toFailure(thrown).code).toBe(code)
  })

  it('gives the relay’s own words, not those of its socket', () => {
    const thrown = new Error('WebSocket connection closed abnormally with code: 3000 (Unauthorized: invalid key)')
    expect(toFailure(thrown).message).toBe('Unauthorized: invalid key')
  })

  it('keeps the wallet’s message and code, and returns a Failure unchanged', () => {
    expect(toFailure({ code: 5000, message: 'Not today' })).toMatchObject({ message: 'Not today', rpc: 5000 })
    const failure = new Failure('ABORTED')
    expect(toFailure(failure)).toBe(failure)
  })
})

test('forDapp reports a rejection as 4001 (EIP-1193), and everything else unchanged', () => {
  expect(forDapp({ code: 5000, message: 'Not today' })).toMatchObject({ rpc: 4001, message: 'Not today' })
  expect(forDapp({ code: 4902, message: 'Unrecognized chain' })).toMatchObject({ rpc: 4902 })
})
