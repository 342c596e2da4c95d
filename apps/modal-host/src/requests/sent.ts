import type { SentByNamespace } from '@postern/chains/outcomes/outcome'
import { readUnconfirmed } from '@postern/chains/outcomes/unconfirmed'
import { type ApprovalRequest, type ApprovalSubject, TransactionHash } from '@postern/protocol'
import type { Failure } from '@postern/protocol/failure'
import * as z from 'zod/mini'

type Subject<K extends ApprovalSubject['kind']> = Extract<ApprovalSubject, { kind: K }>

/** `hash` is for explorers: null until the chain gives one. */
export type Sent =
  /** If it replaces another one, `hash` is that one's: its outcome tells which of the two was included. */
  | { readonly kind: 'transaction'; readonly hash: string; readonly sent: SentByNamespace }
  /** The result came with the block. */
  | { readonly kind: 'included'; readonly hash: string }
  /** Explorers do not know `id`. A replacement's is the replaced one's. */
  | { readonly kind: 'operation'; readonly hash: null; readonly id: string }
  /** The id for wallet_getCallsStatus. */
  | { readonly kind: 'calls'; readonly hash: null; readonly id: string }

const CallsAnswer = z.object({ id: z.string().check(z.minLength(1), z.maxLength(8_194)) })
const SolanaAnswer = z.object({ signature: z.string().check(z.regex(/^[1-9A-HJ-NP-Za-km-z]{64,90}$/)) })
const BitcoinId = z.string().check(z.regex(/^[0-9a-f]{64}$/))
const BitcoinAnswer = z.object({ txid: BitcoinId })

/** Null for a signature, or if the result does not identify it. */
export function sentBy({ subject, method }: ApprovalRequest, result: unknown): Sent | null {
  if (method === 'wallet_sendCalls') {
    const answer = CallsAnswer.safeParse(result)
    return answer.success ? { kind: 'calls', hash: null, id: answer.data.id } : null
  }
  switch (subject.kind) {
    case 'eip155.transaction': {
      const hash = TransactionHash.safeParse(result)
      return hash.success ? onEvm(subject, subject.replaces?.hash ?? hash.data) : null
    }
    case 'eip155.userOperation': {
      const hash = TransactionHash.safeParse(result)
      if (!hash.success) return null
      if (subject.replaces !== undefined) return { kind: 'operation', hash: null, id: subject.replaces.hash }
      return method === 'eth_sendTransaction'
        ? { kind: 'included', hash: hash.data }
        : { kind: 'operation', hash: null, id: hash.data }
    }
    case 'solana.transactions': {
      const answer = SolanaAnswer.safeParse(result)
      const [transaction] = subject.transactions
      if (!subject.sends || !answer.success || transaction === undefined) return null
      return onChain({ namespace: 'solana', hash: answer.data.signature, transaction })
    }
    case 'bip122.psbt': {
      const { replaces } = subject
      if (replaces !== undefined) return BitcoinId.safeParse(result).success ? onBitcoin(subject, replaces.hash) : null
      const answer = BitcoinAnswer.safeParse(result)
      return subject.sends && answer.success ? onBitcoin(subject, answer.data.txid) : null
    }
    default:
      return null
  }
}

function onChain(sent: SentByNamespace): Sent {
  return { kind: 'transaction', hash: sent.hash, sent }
}

function onEvm({ from, nonce, call, replaces }: Subject<'eip155.transaction'>, hash: string): Sent {
  const { to = null, data, value } = replaces?.call ?? call
  return onChain({
    namespace: 'eip155',
    hash,
    transaction: { from, nonce: Number(nonce), to, value: BigInt(value), data },
  })
}

function onBitcoin({ psbt, address, replaces }: Subject<'bip122.psbt'>, hash: string): Sent {
  return onChain({ namespace: 'bip122', hash, psbt: replaces?.psbt ?? psbt, address })
}

/** The same after a failure that leaves the outcome unknown. */
export function possiblySentBy(request: ApprovalRequest, failure: Failure): Sent | null {
  const known = readUnconfirmed(failure)
  if (known === null) return null
  const { sentHash, callsId } = known
  const { subject } = request
  const isReplacement = 'replaces' in subject && subject.replaces !== undefined
  if (callsId !== undefined && !isReplacement) return { kind: 'calls', hash: null, id: callsId }
  return sentBy(
    request,
    subject.kind === 'eip155.transaction' || isReplacement ? sentHash : { signature: sentHash, txid: sentHash },
  )
}
