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

  it('are not unreachable if the endpoint returned an error', () => {
    expect(isUnreachable(new Failure('INTERNAL', { message: 'execution reverted', rpc: 3 }))).toBe(false)
    expect(isUnreachable(new TypeError('Failed to fetch'))).toBe(false)
  })
})
