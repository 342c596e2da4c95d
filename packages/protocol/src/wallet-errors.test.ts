import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { LinkError } from './page-link/envelope'
import { fromWalletError, isMissingChain } from './wallet-errors'

const hostile = {
  get code(): never {
    throw new Error('no')
  },
  get message(): never {
    throw new Error('no')
  },
  get data(): never {
    throw new Error('no')
  },
}

describe('fromWalletError', () => {
  it('1. never throws, and always returns an error that can cross the link (spec §8)', () => {
    const anything = fc.anything({
      withBigInt: true,
      withMap: true,
      withSet: true,
      withDate: true,
      withNullPrototype: true,
    })
    const objects = fc.record(
      { code: anything, message: anything, data: anything, cause: anything },
      { requiredKeys: [] },
    )
    fc.assert(
      fc.property(fc.oneof(anything, objects), (thrown) => {
        const error = fromWalletError(thrown)
        expect(LinkError.safeParse(error).success).toBe(true)
        structuredClone(error)
      }),
    )
  })

  it('1. handles throwing getters and proxies', () => {
    expect(fromWalletError(hostile)).toEqual({ code: 'UNKNOWN', message: 'Unknown error' })
    const proxy = new Proxy(
      {},
      {
        get: () => {
          throw new Error('no')
        },
      },
    )
    expect(fromWalletError(proxy).code).toBe('UNKNOWN')
    const { proxy: revoked, revoke } = Proxy.revocable({}, {})
    revoke()
    expect(fromWalletError(revoked).code).toBe('UNKNOWN')
  })

  it.each([
    [4001, 'USER_REJECTED'],
    [5000, 'USER_REJECTED'],
    [4100, 'UNAUTHORIZED'],
    [4200, 'UNSUPPORTED_METHOD'],
    [4900, 'DISCONNECTED'],
    [4901, 'CHAIN_DISCONNECTED'],
    [4902, 'CHAIN_NOT_ADDED'],
    [-32002, 'REQUEST_PENDING'],
    [-32005, 'LIMIT_EXCEEDED'],
    [-32600, 'INVALID_REQUEST'],
    [-32601, 'METHOD_NOT_FOUND'],
    [-32602, 'INVALID_PARAMS'],
    [-32603, 'INTERNAL'],
    [-32000, 'UNKNOWN'],
    [1, 'UNKNOWN'],
  ])('2. maps the code %i to %s', (code, expected) => {
    expect(fromWalletError({ code, message: 'm' })).toEqual({ code: expected, message: 'm', rpc: code })
  })

  it('2. looks inside -32603 and errors without a code', () => {
    const missing = { code: -32603, message: 'm', data: { originalError: { code: 4902 } } }
    expect(fromWalletError(missing)).toMatchObject({ code: 'CHAIN_NOT_ADDED', rpc: 4902 })
    expect(fromWalletError(new Error('outer', { cause: { code: 4001 } }))).toMatchObject({
      code: 'USER_REJECTED',
      rpc: 4001,
    })
    expect(fromWalletError({ error: { code: -32002 } }).code).toBe('REQUEST_PENDING')
  })

  it('2. stops at an error that is its own cause', () => {
    const loop: { cause?: unknown } = {}
    loop.cause = loop
    expect(fromWalletError(loop).code).toBe('UNKNOWN')
  })

  it.each([
    'User rejected the request.',
    'MetaMask Tx Signature: User denied transaction signature.',
    'Request rejected by user',
    'Cancelled by user',
    'The user canceled the request',
    'user declined',
  ])('3. recognises a rejection by its text if the code does not tell: %s', (message) => {
    expect(fromWalletError(new Error(message))).toMatchObject({ code: 'USER_REJECTED', rpc: 4001, message })
    expect(fromWalletError(message).code).toBe('USER_REJECTED')
    expect(fromWalletError({ code: -32603, message })).toMatchObject({ code: 'USER_REJECTED', rpc: 4001 })
  })

  it.each(['insufficient funds for gas', 'transaction rejected by the node', 'execution reverted', 'nonce too low'])(
    '3. other texts are not rejections: %s',
    (message) => expect(fromWalletError({ code: -32000, message })).toEqual({ code: 'UNKNOWN', message, rpc: -32000 }),
  )

  it("3. recognises ethers' rejection", () => {
    expect(fromWalletError({ code: 'ACTION_REJECTED', message: 'no' })).toMatchObject({
      code: 'USER_REJECTED',
      rpc: 4001,
    })
  })

  it('4. truncates a message after 1,024 characters', () => {
    expect(fromWalletError(new Error('x'.repeat(5_000))).message).toHaveLength(1_024)
  })

  it('5. keeps revert data and drops data that cannot cross a frame', () => {
    expect(fromWalletError({ code: 3, message: 'execution reverted', data: '0x08c379a0' })).toEqual({
      code: 'UNKNOWN',
      message: 'execution reverted',
      rpc: 3,
      data: '0x08c379a0',
    })
    const cycle: { self?: unknown } = {}
    cycle.self = cycle
    for (const data of [cycle, () => 1, 'x'.repeat(10_000), 1n]) {
      expect(fromWalletError({ code: 4001, data })).not.toHaveProperty('data')
    }
  })

  it('6. passes Postern errors through', () => {
    expect(fromWalletError({ code: 'TIMEOUT', message: 'The request timed out' })).toEqual({
      code: 'TIMEOUT',
      message: 'The request timed out',
    })
  })
})

describe('isMissingChain', () => {
  it('4902, 5000 and 32603 mean that the chain must be added (spec §8), and a rejection does not', () => {
    for (const rpc of [4902, 5000, 32603, -32603]) expect(isMissingChain({ rpc })).toBe(true)
    for (const error of [{ rpc: 4001 }, { rpc: -32002 }, {}]) expect(isMissingChain(error)).toBe(false)
  })
})
