import { describe, expect, it } from 'vitest'
import type { Order, Purchase } from './order'
import { stageOf } from './stage'

const url = 'https://seller.example/'
const window = { isClosed: () => false, navigate: () => undefined, close: () => undefined }
const open: Order['handOver'] = { kind: 'open', url, window }
const purchase = (status: Purchase['status']): Purchase => ({
  status,
  hash: null,
  symbol: 'ETH',
  network: 'base',
  amount: '1',
})
const stage = (
  handOver: Order['handOver'],
  bought: Purchase | null = null,
  isClosed = false,
  news: 'none' | 'lost' | 'untold' = 'none',
) => stageOf({ handOver, purchase: bought }, { isClosed, news })

describe('stageOf', () => {
  it('follows a purchase from the click to its end', () => {
    expect(stage({ kind: 'preparing' })).toBe('preparing')
    expect(stage({ kind: 'failed', code: 'INTERNAL', message: '' })).toBe('unreachable')
    expect(stage({ kind: 'ready', url })).toBe('link')
    expect(stage(open)).toBe('waiting')
    expect(stage(open, purchase('pending'))).toBe('pending')
    expect(stage(open, purchase('delivered'))).toBe('delivered')
    expect(stage(open, purchase('failed'))).toBe('failed')
  })

  it('trusts the seller’s status over the window', () => {
    expect(stage(open, null, true)).toBe('closed')
    expect(stage(open, purchase('pending'), true)).toBe('pending')
    expect(stage(open, purchase('delivered'), true, 'lost')).toBe('delivered')
    expect(stage(open, null, false, 'lost')).toBe('lost')
  })

  it('promises nothing for a purchase that only the seller can query', () => {
    expect(stage(open, null, true, 'untold')).toBe('untold')
    expect(stage({ kind: 'ready', url }, null, false, 'untold')).toBe('link')
  })
})
