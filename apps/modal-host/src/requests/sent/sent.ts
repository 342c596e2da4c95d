import type { SentByNamespace } from '@postern/chains/outcomes/outcome'
import type { ApprovalKind, ApprovalSubject, Namespace } from '@postern/protocol'

/** `hash` is for explorers: null until the chain gives one. */
export type Sent =
  /**
   * If it replaces another transaction, `hash` is the replaced one's: its outcome tells which of the two was included.
   */
  | { readonly kind: 'transaction'; readonly hash: string; readonly sent: SentByNamespace }
  /** The wallet's result came with the block. */
  | { readonly kind: 'included'; readonly hash: string }
  /** Explorers do not know `id`. The id of a replacement is that of the replaced operation. */
  | { readonly kind: 'operation'; readonly hash: null; readonly id: string }
  /** The id for wallet_getCallsStatus. */
  | { readonly kind: 'calls'; readonly hash: null; readonly id: string }

export type Subjects = { readonly [K in ApprovalKind]: Extract<ApprovalSubject, { kind: K }> }

/** What was sent for a subject. Null if nothing was, or if it cannot be identified. */
export type FindSent<S> = {
  readonly answered: (subject: S, answer: unknown, method: string) => Sent | null
  /** What was sent if the wallet did not answer; `hash` may have been sent. */
  readonly unanswered: (subject: S, hash: string) => Sent | null
}

export type FindSentIn<N extends Namespace> = {
  readonly [K in Extract<ApprovalKind, `${N}.${string}`>]: FindSent<Subjects[K]>
}

export const sendsNothing: FindSent<unknown> = { answered: () => null, unanswered: () => null }

export function onChain(sent: SentByNamespace): Sent {
  return { kind: 'transaction', hash: sent.hash, sent }
}
