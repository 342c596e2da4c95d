import type { SentByNamespace } from '@postern/chains/outcomes/outcome'
import type { ApprovalKind, ApprovalSubject, Namespace } from '@postern/protocol'

/** `hash` is for explorers. */
export type Sent =
  /** Of a replacement, `hash` is the replaced one's: its outcome tells which of the two was included. */
  | { readonly kind: 'transaction'; readonly hash: string; readonly sent: SentByNamespace }
  /** The wallet's result came with the block. */
  | { readonly kind: 'included'; readonly hash: string }
  /** Explorers do not know `id`. A replacement has the replaced operation's. */
  | { readonly kind: 'operation'; readonly hash: null; readonly id: string }
  /** For wallet_getCallsStatus. */
  | { readonly kind: 'calls'; readonly hash: null; readonly id: string }

export type Subjects = { readonly [K in ApprovalKind]: Extract<ApprovalSubject, { kind: K }> }

/** What was sent for a subject. Null if nothing was, or if it cannot be identified. */
export type FindSent<S> = {
  readonly answered: (subject: S, answer: unknown, method: string) => Sent | null
  /** The wallet did not answer; `hash` may have been sent. */
  readonly unanswered: (subject: S, hash: string) => Sent | null
}

export type FindSentIn<N extends Namespace> = {
  readonly [K in Extract<ApprovalKind, `${N}.${string}`>]: FindSent<Subjects[K]>
}

export const sendsNothing: FindSent<unknown> = { answered: () => null, unanswered: () => null }

export function onChain(sent: SentByNamespace): Sent {
  return { kind: 'transaction', hash: sent.hash, sent }
}
