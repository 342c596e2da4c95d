import { readUnconfirmed } from '@postern/chains/outcomes/unconfirmed'
import type { ApprovalKind, ApprovalRequest } from '@postern/protocol'
import type { Failure } from '@postern/protocol/failure'
import * as z from 'zod/mini'
import { bip122Sent } from './bip122'
import { eip155Sent } from './eip155'
import { type FindSent, type Sent, type Subjects, sendsNothing } from './sent'
import { solanaSent } from './solana'

const finders: { readonly [K in ApprovalKind]: FindSent<Subjects[K]> } = {
  ...eip155Sent,
  ...solanaSent,
  ...bip122Sent,
  user: sendsNothing,
  unprepared: sendsNothing,
}

const CallsAnswer = z.object({ id: z.string().check(z.minLength(1), z.maxLength(8_194)) })

/** Null for a signature, or if the answer does not identify what was sent. */
export function sentBy({ subject, method }: ApprovalRequest, answer: unknown): Sent | null {
  if (method === 'wallet_sendCalls') {
    const calls = CallsAnswer.safeParse(answer)
    return calls.success ? { kind: 'calls', hash: null, id: calls.data.id } : null
  }
  return finderOf(subject.kind).answered(subject, answer, method)
}

/** What may have been sent, after a failure that leaves the outcome unknown. */
export function possiblySentBy({ subject, method }: ApprovalRequest, failure: Failure): Sent | null {
  const unconfirmed = readUnconfirmed(failure)
  if (unconfirmed === null) return null
  const { sentHash, callsId } = unconfirmed
  const isReplacement = 'replaces' in subject && subject.replaces !== undefined
  if (callsId !== undefined && !isReplacement) return { kind: 'calls', hash: null, id: callsId }
  return method === 'wallet_sendCalls' ? null : finderOf(subject.kind).unanswered(subject, sentHash)
}

function finderOf<K extends ApprovalKind>(kind: K): FindSent<Subjects[K]> {
  return finders[kind]
}
