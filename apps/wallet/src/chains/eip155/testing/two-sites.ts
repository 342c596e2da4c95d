/** One account on two sites, whose frames have separate storage, and a node in any weather. */
import { manualClock } from '@postern/base/testing/manual-clock'
import { type Hex, numberToHex } from 'viem'
import * as z from 'zod/mini'
import { memoryNotes } from '../../notes'
import { createEip155Chain } from '../chain'
import { testWallet } from './wallet'
import { weatherNode } from './weather-node'

export const friend: Hex = '0x00000000000000000000000000000000000F4153'
/** Above what a replacement of a payment with suggested fees offers. */
export const dear = { maxFeePerGas: numberToHex(40n * 10n ** 9n), maxPriorityFeePerGas: numberToHex(20n * 10n ** 9n) }
export const minute = 60_000

const Status = z.object({ status: z.number() })
const Id = z.object({ id: z.string() })

export async function twoSites(seed: string) {
  const account = await testWallet(seed, fetch, { page: { smartAccounts: [] } })
  const from: Hex = `0x${account.context.addresses.eip155.slice(2)}`
  const node = weatherNode(from)
  const clock = manualClock(1_800_000_000_000)

  function site() {
    const storage = memoryNotes()
    const chain = createEip155Chain(storage, clock)
    const context = (fetch = node.fetch) => {
      const end = new AbortController()
      node.onAbort(() => end.abort())
      return { ...account.context, fetch, signal: end.signal }
    }
    const prepareReplacement = async (hash: string, kind: 'speedUp' | 'cancel', fetch = node.fetch) => {
      const made = await chain.prepareReplacement?.({ hash, kind }, context(fetch))
      const subject = made?.subject
      if (subject?.kind !== 'eip155.transaction') throw new Error('is a transaction')
      return subject
    }
    const execute = async (subject: Parameters<typeof chain.execute>[1], fetch = node.fetch) =>
      z.string().parse(await chain.execute('eth_sendTransaction', subject, context(fetch)))
    return {
      storage,
      prepareReplacement,
      execute,
      async pay(value: bigint, more = {}) {
        const params = [{ from, to: friend, value: numberToHex(value), ...more }]
        const { subject } = await chain.prepare('eth_sendTransaction', params, context())
        return execute(subject)
      },
      async payBatch(value: bigint) {
        const calls = [{ to: friend, value: numberToHex(value) }]
        const batch = { version: '2.0.0', from, chainId: '0x7a69', atomicRequired: false, calls }
        const { subject } = await chain.prepare('wallet_sendCalls', [batch], context())
        return Id.parse(await chain.execute('wallet_sendCalls', subject, context())).id
      },
      status: async (id: string) => Status.parse(await chain.answer('wallet_getCallsStatus', [id], context())).status,
      waiting: async () => (await chain.waiting?.(context())) ?? [],
      replace: async (hash: string, kind: 'speedUp' | 'cancel') => execute(await prepareReplacement(hash, kind)),
    }
  }

  return {
    from,
    node,
    clock,
    one: site(),
    other: site(),
    paid: (value: bigint) => node.mined().filter((one) => one.value === value).length,
  }
}
