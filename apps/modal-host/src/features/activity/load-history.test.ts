import type { CaipNetworkId, TransactionItem } from '@postern/protocol'
import { describe, expect, it, vi } from 'vitest'
import type { BlockchainApi } from '../../snapshot/money'
import { loadNfts } from '../nfts/load-nfts'
import type { Scope } from '../portfolio/load-portfolio'
import { base, ethereum } from '../testing/test-networks'
import { loadHistory } from './load-history'

const single: Scope = { address: '0x01', networks: [ethereum], mayQueryWallet: false }
const several: Scope = { ...single, networks: [ethereum, base] }
const other: Scope = { ...single, address: '0x02', networks: [ethereum, base] }

function item(id: string, chain: CaipNetworkId): TransactionItem {
  const metadata = { operationType: 'send', status: 'confirmed', sentFrom: '', sentTo: '', minedAt: '', chain } as const
  return { id, metadata, transfers: null }
}

describe('loadHistory', () => {
  it('1. queries a single network, and drops items of others', async () => {
    const history = vi.fn<BlockchainApi['history']>(async () => ({
      data: [item('a', 'eip155:1'), item('b', 'eip155:10'), item('c', 'eip155:8453')],
      next: null,
    }))
    expect((await loadHistory({ history }, [single], null)).items.map(({ id }) => id)).toEqual(['a'])
    expect((await loadHistory({ history }, [several], null)).items.map(({ id }) => id)).toEqual(['a', 'c'])
    expect(history.mock.calls.map(([query]) => query)).toEqual([
      { address: '0x01', chainId: 'eip155:1' },
      { address: '0x01' },
    ])
  })

  it('2. resumes each account at its cursor, also a failed one', async () => {
    const history = vi.fn<BlockchainApi['history']>(async ({ address }) => ({
      data: [],
      next: address === '0x01' ? '7' : null,
    }))
    const first = await loadHistory({ history }, [several, other], null)
    expect([...(first.next ?? [])]).toEqual([['eip155:1+eip155:8453:0x01', '7']])
    history.mockImplementation(async ({ address }) => {
      if (address === '0x02') throw new Error('HTTP status code: 503')
      return { data: [], next: null }
    })
    const second = await loadHistory({ history }, [several, other], null)
    expect([...(second.next ?? [])]).toEqual([['eip155:1+eip155:8453:0x02', '']])
    await expect(loadHistory({ history }, [other], null)).rejects.toThrow('503')
  })
})

describe('loadNfts', () => {
  it('resumes each account at its cursor, also a failed one; rejects if all fail', async () => {
    const nfts = vi.fn<BlockchainApi['nfts']>(async ({ address }) => {
      if (address === '0x02') throw new Error('HTTP status code: 503')
      return { nfts: [], next: '25' }
    })
    const { next } = await loadNfts({ nfts }, [several, other], null)
    expect([...(next ?? [])]).toEqual([
      ['eip155:1+eip155:8453:0x01', '25'],
      ['eip155:1+eip155:8453:0x02', ''],
    ])
    await loadNfts({ nfts }, [several, other], next)
    expect(nfts).toHaveBeenNthCalledWith(3, { address: '0x01', cursor: '25' }, undefined)
    expect(nfts).toHaveBeenLastCalledWith({ address: '0x02' }, undefined)
    await expect(loadNfts({ nfts }, [other], null)).rejects.toThrow('503')
  })
})
