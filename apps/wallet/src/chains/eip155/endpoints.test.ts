import { Failure } from '@postern/protocol/failure'
import { describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { bundlerOf, chainOf, isUnreachable } from './endpoints'
import { testWallet } from './testing/wallet'

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
