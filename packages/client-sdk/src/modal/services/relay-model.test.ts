/** Random walks of a dapp whose host is lost and loaded again; `PROPERTY_SEED` repeats them, `WALKS` sets their number. */
import { walks } from '@postern/base/testing/walks'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { WalletProvider } from '../../discovery/wallet-provider'
import { hostGone } from '../../link/link'
import { relayPageWallets } from './relay'

const which = fc.nat({ max: 3 })
const Step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('pay' as const), amount: fc.nat({ max: 1 }) }) },
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('answer' as const), which }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('lose' as const) }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('load' as const) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('cancel' as const), which }) },
)
type Step = typeof Step extends fc.Arbitrary<infer T> ? T : never

/** `host` ends with the host or with the dapp's request. */
type Payment = { readonly amount: number; host: AbortController; hash: unknown; isCancelled: boolean }

async function walk(steps: readonly Step[]): Promise<void> {
  const prompts: (() => void)[] = []
  let prompted = 0
  const wallet: WalletProvider = {
    request: () =>
      new Promise((resolve) => {
        prompted += 1
        const hash = `hash ${prompted}`
        prompts.push(() => resolve(hash))
      }),
    on: () => () => {},
  }
  const relay = relayPageWallets({ wallets: new Map([['w', wallet]]), now: () => 0, onWalletEvent: () => {} })
  const payments: Payment[] = []
  let isLoaded = true
  const open = () => payments.filter(({ hash, isCancelled }) => hash === undefined && !isCancelled)

  function ask(payment: Payment): void {
    const host = new AbortController()
    payment.host = host
    const params = [{ to: '0x1', value: `0x${payment.amount}` }]
    void relay.request({ wallet: 'w', method: 'eth_sendTransaction', params }, host.signal).then((hash) => {
      if (!host.signal.aborted) payment.hash = hash
    })
  }

  function take(step: Step): void {
    switch (step.kind) {
      case 'pay': {
        if (!isLoaded) return
        const payment = { amount: step.amount, host: new AbortController(), hash: undefined, isCancelled: false }
        payments.push(payment)
        ask(payment)
        return
      }
      case 'answer': {
        const [answer] = prompts.splice(step.which % Math.max(1, prompts.length), 1)
        answer?.()
        return
      }
      case 'lose':
        isLoaded = false
        for (const { host } of open()) host.abort(hostGone)
        return
      case 'load':
        if (!isLoaded) for (const payment of open()) ask(payment)
        isLoaded = true
        return
      case 'cancel': {
        const chosen = open()[step.which % Math.max(1, open().length)]
        if (chosen === undefined || !isLoaded) return
        chosen.isCancelled = true
        chosen.host.abort()
      }
    }
  }
  const turn = () => new Promise((resolve) => setImmediate(resolve))

  for (const step of steps) {
    take(step)
    await turn()
  }
  take({ kind: 'load' })
  while (prompts.length > 0) prompts.shift()?.()
  await turn()
  const hashes = payments.filter(({ isCancelled }) => !isCancelled).map(({ hash }) => hash)
  expect(hashes, 'every payment gets an answer').not.toContain(undefined)
  expect(new Set(hashes).size, 'no two payments get one answer').toBe(hashes.length)
  expect(prompted, 'no payment is asked for twice').toBeLessThanOrEqual(payments.length)
}

it('what a dapp asks of a wallet of the page, while the host is lost and loaded: asked once each', async () => {
  await fc.assert(fc.asyncProperty(fc.array(Step, { minLength: 20, maxLength: 20 }), walk), walks(100))
}, 3_600_000)
