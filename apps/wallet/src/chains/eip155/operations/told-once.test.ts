/** That an earlier payment was carried out is said once: to a caller that hears it. */
import { manualClock } from '@postern/base/testing/manual-clock'
import { describe, expect, it } from 'vitest'
import { memoryNotes } from '../../notes'
import { safeAddress } from '../account/safe'
import { createEip155Chain } from '../chain'
import { testWallet } from '../testing/wallet'
import { weatherBundler } from '../testing/weather-bundler'

const friend = '0x00000000000000000000000000000000000F4153'
const account = await testWallet('told once', fetch, {
  accountType: 'smartAccount',
  page: { smartAccounts: [{ chainId: 31_337, paymaster: false }] },
})
const from = safeAddress(`0x${account.context.addresses.eip155.slice(2)}`)

function wallet() {
  const clock = manualClock(1_800_000_000_000)
  const bundler = weatherBundler(() => BigInt(Math.floor(clock.now() / 1_000)))
  const chain = createEip155Chain(memoryNotes(), clock)
  /** Called before each request. */
  let before: (body: string) => Response | undefined = () => undefined

  async function pay(end = new AbortController()): Promise<void> {
    bundler.onAbort(() => end.abort())
    const context: typeof account.context = {
      ...account.context,
      signal: end.signal,
      fetch: async (url, init) => {
        const answer = before(String(init?.body))
        end.signal.throwIfAborted()
        return answer ?? bundler.fetch(url, init)
      },
    }
    const calls = [{ to: friend, value: '0x1' }]
    const batch = { version: '2.0.0', from, chainId: '0x7a69', atomicRequired: true, calls }
    const { subject } = await chain.prepare('wallet_sendCalls', [batch], context)
    await chain.execute('wallet_sendCalls', subject, context)
    bundler.mine()
  }

  return {
    bundler,
    pay,
    during(next: typeof before) {
      before = next
    },
    paid: () => bundler.mined().length,
  }
}

describe('an operation that was carried out without a word to its caller', () => {
  it('is reported although the network gives no fees at that moment', async () => {
    const { bundler, during, pay, paid } = wallet()
    bundler.decide('cut')
    await expect(pay()).rejects.toMatchObject({ code: 'ABORTED' })
    bundler.mine()
    during((body) => (body.includes('eth_feeHistory') ? new Response('', { status: 503 }) : undefined))
    // Not NETWORK_UNREACHABLE: the same request would be prepared again, and pay.
    await expect(pay()).rejects.toMatchObject({ code: 'TRANSACTION_REPLACED' })
    expect(paid()).toBe(1)
  })

  it('is reported to the next caller if the one before left while the logs were read', async () => {
    const { bundler, during, pay, paid } = wallet()
    bundler.decide('denied')
    await expect(pay()).rejects.toMatchObject({ message: 'Internal error' })
    bundler.blind()
    bundler.mine()
    const end = new AbortController()
    during((body) => {
      if (body.includes('eth_getLogs')) end.abort()
      return undefined
    })
    await expect(pay(end)).rejects.toMatchObject({ code: 'ABORTED' })
    during(() => undefined)
    await expect(pay()).rejects.toMatchObject({ code: 'TRANSACTION_REPLACED' })
    expect(paid()).toBe(1)
  })
})
