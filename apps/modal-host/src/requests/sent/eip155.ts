import { TransactionHash } from '@postern/protocol'
import { type FindSentIn, onChain, type Sent, type Subjects, sendsNothing } from './sent'

export const eip155Sent: FindSentIn<'eip155'> = {
  'eip155.transaction': { answered: sentTransaction, unanswered: sentTransaction },
  'eip155.userOperation': {
    answered: sentOperation,
    unanswered: (subject, hash) => (subject.replaces === undefined ? null : sentOperation(subject, hash)),
  },
  // wallet_sendCalls, whose answer names the calls.
  'eip155.transactions': sendsNothing,
  'eip155.permissions': sendsNothing,
  'eip155.message': sendsNothing,
  'eip155.typedData': sendsNothing,
}

function sentTransaction(
  { from, nonce, call, replaces }: Subjects['eip155.transaction'],
  answer: unknown,
): Sent | null {
  const hash = TransactionHash.safeParse(answer)
  if (!hash.success) return null
  const { to = null, data, value } = replaces?.call ?? call
  return onChain({
    namespace: 'eip155',
    hash: replaces?.hash ?? hash.data,
    transaction: { from, nonce: Number(nonce), to, value: BigInt(value), data },
  })
}

function sentOperation({ replaces }: Subjects['eip155.userOperation'], answer: unknown, method?: string): Sent | null {
  const hash = TransactionHash.safeParse(answer)
  if (!hash.success) return null
  if (replaces === undefined && method === 'eth_sendTransaction') return { kind: 'included', hash: hash.data }
  return { kind: 'operation', hash: null, id: replaces?.hash ?? hash.data }
}
