import type { TrackedTransaction } from '../../src/snapshot/money'
import { address } from '../fixtures/snapshots'
import { sendStories } from './send'
import type { Story } from './story'

const hash = '0x8f3b2a6c1d9e4f70a1b2c3d4e5f60718293a4b5c6d7e8f901a2b3c4d5e6f7081'
const to = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'

function progress(status: TrackedTransaction['status'], awaits: RegExp): Story {
  const review = sendStories['send-review']
  if (review === undefined) throw new Error('There is no story of the review')
  const transaction: TrackedTransaction = {
    id: 'transaction',
    networkId: 'eip155:1',
    from: address,
    purpose: { kind: 'send', amount: '0.25', symbol: 'ETH', to },
    at: Date.UTC(2026, 0, 15, 12),
    status,
  }
  return {
    ...review,
    snapshot: { ...review.snapshot, transactions: [transaction] },
    press: ['Review', 'Send'],
    awaits,
  }
}

export const progressStories: Readonly<Record<string, Story>> = {
  'progress-declined': progress({ kind: 'declined' }, /declined|abgelehnt/),
  'progress-failed': progress(
    { kind: 'failed', code: 'CHAIN_DISCONNECTED', message: 'The wallet is on another network' },
    /not sent|nicht gesendet/,
  ),
  'progress-sent': progress({ kind: 'sent', hash }, /Waiting for|wartet|Warten/),
  'progress-confirmed': progress({ kind: 'ended', hash, outcome: { kind: 'confirmed' } }, /Confirmed|Bestätigt/),
  'progress-reverted': progress(
    { kind: 'ended', hash, outcome: { kind: 'reverted', reason: 'ERC20: transfer amount exceeds balance' } },
    /Transaction failed|fehlgeschlagen/,
  ),
  'progress-replaced': progress({ kind: 'ended', hash, outcome: { kind: 'replaced' } }, /./),
  'progress-unknown': progress({ kind: 'ended', hash, outcome: { kind: 'unknown' } }, /Not confirmed|Noch nicht/),
}
