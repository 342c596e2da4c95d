import { Failure } from '@postern/protocol/failure'
import type { ChainContext, WalletChain } from '../contract'

const signedMessage = '0x68656c6c6f'
export const waitingHash: `0x${string}` = `0x${'5'.repeat(64)}`

/**
 * A chain that signs anything. Returns it with the calls that reached it, by step. `failures`: of the next preparations,
 * each as often as it is in the list.
 */
export function testChain() {
  const seen: { step: 'answer' | 'prepare' | 'execute'; method: string; params?: unknown }[] = []
  const contexts: ChainContext[] = []
  const failures: Failure[] = []
  const chain: WalletChain = {
    async answer(method, params, context) {
      contexts.push(context)
      seen.push({ step: 'answer', method, params })
      return { answered: method }
    },
    async prepare(method, params, { addresses, origin }) {
      seen.push({ step: 'prepare', method, params })
      const failure = failures.shift()
      if (failure !== undefined) throw failure
      const isForeign = typeof params === 'object' && params !== null && 'foreign' in params
      return {
        subject: { kind: 'eip155.message', address: addresses.eip155, account: 'eoa', message: signedMessage },
        ...((isForeign || origin === '') && { blocked: 'DOMAIN_MISMATCH' }),
      }
    },
    async waiting({ networkId, addresses }) {
      return networkId === 'eip155:1'
        ? [{ networkId, from: addresses.eip155, hash: waitingHash, newest: waitingHash, value: '5', isPlain: true }]
        : []
    },
    async prepareReplacement({ hash, kind }, { addresses }) {
      seen.push({ step: 'prepare', method: kind, params: hash })
      if (hash !== waitingHash) throw new Failure('INVALID_PARAMS')
      return {
        method: 'eth_sendTransaction',
        subject: { kind: 'eip155.message', address: addresses.eip155, account: 'eoa', message: signedMessage },
      }
    },
    async execute(method, subject, { sign }) {
      seen.push({ step: 'execute', method })
      if (subject.kind !== 'eip155.message') throw new Error('unexpected')
      return sign({ kind: 'eip155.message', message: signedMessage })
    },
  }
  return { chain, seen, contexts, failures }
}
