import { describe, expect, it } from 'vitest'
import type { MissingNetwork } from '../walletconnect/dialects/dialect'
import { networks } from '../walletconnect/testing/set-up'
import { grantNetwork } from './walletconnect-switch'

const base = networks.get('eip155:8453')
const both = ['wallet_switchEthereumChain', 'wallet_addEthereumChain']

function set(methods: readonly string[], answer: (method: string) => unknown, isGranted = true) {
  if (base === undefined) throw new Error('no Base')
  const asked: string[] = []
  const missing: MissingNetwork = {
    network: base,
    methods: new Set(methods),
    ask: async (method) => {
      asked.push(method)
      return answer(method)
    },
    untilGranted: async () => isGranted,
  }
  const done = grantNetwork(missing, async () => ({ chainId: '0x2105' }))
  return { asked, done }
}

const refuse = (code: number, message: string) => (method: string) => {
  if (method === 'wallet_switchEthereumChain') throw { code, message }
  return null
}

describe('grantNetwork', () => {
  it.each([
    [4902, 'Unrecognized chain ID'],
    [5000, 'Unknown chain'],
    [-32603, 'Internal error'],
  ])('1. adds the chain after %i', async (code, message) => {
    const { asked, done } = set(both, refuse(code, message))
    await done
    expect(asked).toEqual(both)
  })

  it.each([
    [5000, 'User rejected.'],
    [4001, 'no'],
    [-32603, 'User denied the request'],
  ])('1. does not ask again after a rejection (%i, %s)', async (code, message) => {
    const { asked, done } = set(both, refuse(code, message))
    await expect(done).rejects.toMatchObject({ code: 'USER_REJECTED' })
    expect(asked).toEqual(['wallet_switchEthereumChain'])
  })

  it('1. passes on a rejection of the chain; any other failure is CHAIN_NOT_SUPPORTED (spec §8)', async () => {
    const failing = (code: number, message: string) => (method: string) => {
      throw method === 'wallet_switchEthereumChain' ? { code: 4902, message: '' } : { code, message }
    }
    await expect(set(both, failing(5000, 'User rejected.')).done).rejects.toMatchObject({ code: 'USER_REJECTED' })
    await expect(set(both, failing(-32000, 'no such RPC')).done).rejects.toMatchObject({ code: 'CHAIN_NOT_SUPPORTED' })
    await expect(set(both, failing(6, 'Request expired.')).done).rejects.toMatchObject({ code: 'TIMEOUT' })
  })

  it('2. requires the chain in the session, even if the wallet reports success', async () => {
    await expect(set(both, () => null, false).done).rejects.toMatchObject({ code: 'CHAIN_NOT_SUPPORTED' })
  })

  it('3. uses only granted methods', async () => {
    const { asked, done } = set(['wallet_addEthereumChain'], () => null)
    await done
    expect(asked).toEqual(['wallet_addEthereumChain'])
    await expect(set([], () => null).done).rejects.toMatchObject({ code: 'CHAIN_NOT_SUPPORTED' })
  })
})
