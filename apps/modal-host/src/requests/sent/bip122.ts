import * as z from 'zod/mini'
import { type FindSentIn, onChain, type Sent, type Subjects, sendsNothing } from './sent'

const TransactionId = z.string().check(z.regex(/^[0-9a-f]{64}$/))
const Answer = z.object({ txid: z.unknown() })

export const bip122Sent: FindSentIn<'bip122'> = {
  'bip122.psbt': {
    // A replacement's answer is the id itself.
    answered: (subject, answer) =>
      sentPsbt(subject, subject.replaces === undefined ? Answer.safeParse(answer).data?.txid : answer),
    unanswered: sentPsbt,
  },
  'bip122.message': sendsNothing,
}

function sentPsbt({ psbt, address, sends, replaces }: Subjects['bip122.psbt'], answer: unknown): Sent | null {
  const txid = TransactionId.safeParse(answer)
  if (!txid.success || (replaces === undefined && !sends)) return null
  return onChain({
    namespace: 'bip122',
    hash: replaces?.hash ?? txid.data,
    psbt: replaces?.psbt ?? psbt,
    address,
  })
}
