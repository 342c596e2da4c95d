/** Decides which ids of a dapp the next batch may have (EIP-5792). */
import type { Hex } from 'viem'
import type { ChainContext } from '../../../contract'
import { stillPending } from '../../sent-state'
import { type Accounts, accountsOf } from '../account/accounts'
import { callsFailure } from '../sent/calls-failure'
import { type CallsId, readCallsId } from '../sent/calls-id'
import type { Sent } from '../sent/sent'
import type { CallsKey, EarlierCalls } from '../sent/sent-calls'
import { findCalls, status } from './calls-status'
import { firstCallOf, isPastHour, type SendingSubject } from './refused-calls'

/** Refused batches whose id is free. */
export type RefusedCalls = {
  readonly newest: Hex
  /** Those that a block may still have, or have again. `hash`: of the first transaction, or of the operation. */
  readonly open: readonly { readonly callsId: Hex; readonly hash: Hex }[]
}

/** More open tries with different calls are refused. */
const maxOpen = 32

/**
 * Requires that no earlier batch of this id has been executed, or may be executed besides the next one. Returns the
 * refused batches that had the id.
 *
 * 1. A batch that the caller did not see refused has its id for ever, as do the wallet's own ids.
 * 2. A refused batch has its id while a block, node or bundler has it: a node may carry out what it refused.
 * 3. Its id is free once no block can have it, and while nothing knows it. In the second case, the next batch takes its
 *    nonce ({@link repeatCalls}): the chain accepts one of the two.
 * 4. A reorganisation may free the nonce that another transaction has used: for a while, that is the second case.
 * 5. Bytes belong to the batch that sent them last: the chain has them once (`sent.begin`).
 * 6. A batch of the visitor's other account, which nothing knows ten minutes after it was refused, frees its id.
 *
 * @throws {Failure} EIP-5792's 5720
 */
export async function requireFreeId(
  key: CallsKey,
  accounts: Accounts,
  context: ChainContext,
  sent: Sent,
): Promise<RefusedCalls | null> {
  if (readCallsId(key.id) !== null) throw callsFailure('duplicateId')
  const calls = await sent.calls(key)
  if (calls === null) return null
  const { callsId: newest, isRefused, refused = [] } = calls
  if (isRefused !== true) throw callsFailure('duplicateId')
  const tries = await Promise.all(
    [newest, ...refused].map(async (callsId) => {
      const id = readCallsId(callsId)
      const hash = id?.kind === 'operation' ? id.hash : id?.hashes[0]
      if (id === null || hash === undefined) throw callsFailure('duplicateId')
      const found = await findCalls(id, accounts, context, sent)
      if (found !== null && found.status !== status.offchainFailure) throw callsFailure('duplicateId')
      return { callsId, hash, isOpen: found === null || !(await isGone(id, hash, context, sent)) }
    }),
  )
  return { newest, open: tries.filter(({ isOpen }) => isOpen) }
}

/** 4. In this order, because the nonce of an operation whose hour is over may be unused: its note is not decided. */
async function isGone(id: CallsId, hash: Hex, context: ChainContext, sent: Sent): Promise<boolean> {
  if (id.kind === 'operation') {
    const there = { ...context, networkId: `eip155:${id.chainId}` } as const
    const { smart } = accountsOf(there)
    if (smart !== null && (await isPastHour({ account: smart, until: Number(id.validUntil) }, there))) return true
  }
  return sent.isFinal(hash)
}

/** Rules 3 and 6. @throws {Failure} REQUEST_PENDING if the refused batch may be executed besides this one */
export async function repeatCalls(
  refused: RefusedCalls | null,
  subject: SendingSubject,
  accounts: Accounts,
  sent: Sent,
): Promise<EarlierCalls | undefined> {
  const next = refused && firstCallOf(subject, accounts)
  if (refused === null || next === null) return undefined
  const { newest, open } = refused
  let repeated: Hex | null = null
  for (const { callsId, hash } of open) {
    const note = await sent.find(next.sender, hash)
    // Nothing knows it.
    const elsewhere = next.other && (await sent.find(next.other, hash))
    if (elsewhere !== null && !sent.isRecent(elsewhere)) continue
    if (note === null || BigInt(note.nonce) !== next.nonce) throw stillPending(hash)
    if (repeated === null && (await next.isSameIn(note))) repeated = callsId
  }
  const others = open.map(({ callsId }) => callsId).filter((callsId) => callsId !== repeated)
  const [oldest] = open.slice(maxOpen)
  if (oldest !== undefined) throw stillPending(oldest.hash)
  return { newest, repeated, others }
}
