import { mayAnswerLater } from '@postern/chains/nodes/unreachable'
import { Failure } from '@postern/protocol/failure'
import { describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { operationProbe } from '../operations/nonce'
import { testWallet } from '../testing/wallet'
import { bundlerOf, chainOf, isUnreachable, paymasterOf } from './endpoints'

const offline: typeof fetch = () => Promise.reject(new TypeError('Failed to fetch'))

async function where() {
  const { context } = await testWallet('offline', offline)
  return context
}

describe('wallet endpoints without a network', () => {
  it('report that the wallet service is unreachable, without internal details', async () => {
    const failure = await chainOf(await where())('eth_blockNumber', [], z.string()).catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(Failure)
    expect(failure).toMatchObject({ code: 'WALLET_SERVICE_UNREACHABLE' })
    expect(isUnreachable(failure)).toBe(true)
  })

  it('report BUNDLER_UNAVAILABLE for the bundler', async () => {
    const failure = await bundlerOf(await where())('eth_supportedEntryPoints', [], z.unknown()).catch(
      (error: unknown) => error,
    )
    expect(failure).toMatchObject({ code: 'BUNDLER_UNAVAILABLE' })
    expect(isUnreachable(failure)).toBe(true)
  })

  it.each([bundlerOf, paymasterOf])(
    'say that the network has none, as opposed to one that gives no answer: %o',
    async (endpoint) => {
      const { context } = await testWallet('none', offline, { page: { smartAccounts: [] } })
      const failure = await endpoint(context)('eth_supportedEntryPoints', [], z.unknown()).catch(
        (error: unknown) => error,
      )
      expect(failure).toMatchObject({
        code: 'UNSUPPORTED_METHOD',
        message: expect.stringContaining('no smart accounts'),
      })
      expect(mayAnswerLater(failure)).toBe(false)
    },
  )

  it('say that the network has no entry point, and that a node sends something else than a nonce', async () => {
    const nonceOf = async (result: string) => {
      const { context } = await testWallet('no entry point', async (_, init) => {
        const { id } = z.object({ id: z.number() }).parse(JSON.parse(String(init?.body)))
        return Response.json({ jsonrpc: '2.0', id, result })
      })
      return operationProbe(`0x${'1'.repeat(40)}`, context)
        .next(0n)
        .catch((error: unknown) => error)
    }
    const none = await nonceOf('0x')
    expect(none).toMatchObject({ code: 'UNSUPPORTED_METHOD' })
    expect(mayAnswerLater(none)).toBe(false)
    const unreadable = await nonceOf('0x01')
    expect(unreadable).toMatchObject({ code: 'WALLET_SERVICE_UNREACHABLE' })
    expect(mayAnswerLater(unreadable)).toBe(true)
  })

  it.each([
    [400, false],
    [401, false],
    [403, false],
    [404, false],
    [408, true],
    [413, false],
    [429, true],
    [500, true],
    [502, true],
  ])('answer later after status %i: %s', async (status, isLater) => {
    const { context } = await testWallet('status', async () => new Response('<html></html>', { status }))
    for (const endpoint of [chainOf, bundlerOf]) {
      const failure = await endpoint(context)('eth_chainId', [], z.unknown()).catch((error: unknown) => error)
      expect(mayAnswerLater(failure)).toBe(isLater)
    }
  })

  it('say that call data is too large, not that the service is away', async () => {
    const { context } = await testWallet('too large', async () =>
      Response.json({ reasons: [{ name: 'body', description: 'The body is over 131072 bytes' }] }, { status: 413 }),
    )
    const failure = await bundlerOf(context)('eth_sendUserOperation', [], z.string()).catch((error: unknown) => error)
    expect(failure).toMatchObject({
      code: 'INVALID_PARAMS',
      message: 'The call data is too large for the smart account. Send it from the standard account',
    })
  })

  it('are not unreachable if the endpoint returned an error', () => {
    expect(isUnreachable(new Failure('INTERNAL', { message: 'execution reverted', rpc: 3 }))).toBe(false)
    expect(isUnreachable(new TypeError('Failed to fetch'))).toBe(false)
  })
})
