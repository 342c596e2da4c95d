import * as z from 'zod/mini'
import { type FindSentIn, onChain, type Sent, type Subjects, sendsNothing } from './sent'

const Signature = z.string().check(z.regex(/^[1-9A-HJ-NP-Za-km-z]{64,90}$/))
const Answer = z.object({ signature: z.unknown() })

export const solanaSent: FindSentIn<'solana'> = {
  'solana.transactions': {
    answered: (subject, answer) => sentTransaction(subject, Answer.safeParse(answer).data?.signature),
    unanswered: sentTransaction,
  },
  'solana.message': sendsNothing,
}

function sentTransaction(
  { sends, transactions: [transaction] }: Subjects['solana.transactions'],
  answer: unknown,
): Sent | null {
  const signature = Signature.safeParse(answer)
  if (!sends || !signature.success || transaction === undefined) return null
  return onChain({ namespace: 'solana', hash: signature.data, transaction })
}
