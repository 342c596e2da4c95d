/** A node may carry out what it refused, while its caller asks again: both must not be made. */
import { isSameAddress } from '@postern/chains/same-address'
import type { ApprovalSubject } from '@postern/protocol'
import type { ChainContext } from '../../../contract'
import { isPastEnd, isRefused, stillPending } from '../../sent-state'
import type { Accounts } from '../account/accounts'
import { decodeCalls } from '../account/safe'
import { operationProbe } from '../operations/nonce'
import { readSigned } from '../operations/signed'
import { checkedOperation } from '../operations/user-operation'
import type { Sender, Sent, SentNote } from '../sent/sent'
import { firstOf } from '../transactions/replace'

export type SendingSubject = Extract<
  ApprovalSubject,
  { kind: 'eip155.transaction' | 'eip155.transactions' | 'eip155.userOperation' }
>

export type FirstCall = {
  readonly sender: Sender
  readonly nonce: bigint
  /** Whether the note makes the same call: of a batch of the plain account, the first one. */
  isSameIn(note: SentNote): Promise<boolean>
  /** The same for a note of the visitor's other account: of any batch, the first one. */
  isSameInOther(note: SentNote): Promise<boolean>
  /** The visitor's other account. */
  readonly other: Sender | null
}

export function firstCallOf(subject: SendingSubject, { chainId, eoa, smart }: Accounts): FirstCall | null {
  if (subject.kind === 'eip155.userOperation') {
    const { sender: account, nonce, callData } = checkedOperation(subject, chainId)
    const [first] = decodeCalls(callData) ?? []
    return {
      sender: { chainId, account },
      nonce,
      async isSameIn(note) {
        const read = await readOperation(note)
        return read?.operation.callData.toLowerCase() === callData.toLowerCase()
      },
      other: { chainId, account: eoa },
      isSameInOther: async (note) => isSame(first, (await firstOf(note))?.request),
    }
  }
  const [next] = subject.kind === 'eip155.transaction' ? [subject] : subject.transactions
  if (next === undefined) return null
  const { nonce, call } = next
  return {
    sender: { chainId, account: eoa },
    nonce: BigInt(nonce),
    isSameIn: async (note) => isSame(call, (await firstOf(note))?.request),
    other: smart && { chainId, account: smart },
    async isSameInOther(note) {
      const read = await readOperation(note)
      return isSame(call, decodeCalls(read?.operation.callData ?? '0x')?.[0])
    },
  }

  async function readOperation({ hash, signed }: SentNote) {
    return signed === undefined ? null : readSigned(signed, { chainId, hash, owner: eoa })
  }
}

type Call = { readonly to?: string | undefined; readonly value: bigint | string; readonly data: string }

function isSame(one: Call | undefined, other: Call | undefined): boolean {
  if (one === undefined || other === undefined) return false
  const isSameValue = BigInt(one.value) === BigInt(other.value)
  return (
    isSameAddress(one.to ?? '', other.to ?? '') && isSameValue && one.data.toLowerCase() === other.data.toLowerCase()
  )
}

/**
 * Requires that no refused transaction or operation may make the call besides the next one.
 *
 * 1. While the nonce of the refused one is unused, the next one has it (`settle.ts`): the chain takes one of the two.
 * 2. If another request has taken that nonce, of any site or device, the same call waits until the chain has decided,
 *    and a reorganisation cannot undo it. Other calls do not wait.
 * 3. Once the call was sent again with that nonce, the same call is a new one; so it is once no block can have the
 *    refused operation any more.
 * 4. The same call of the visitor's other account waits for ten minutes: no nonce ties the two.
 *
 * @throws {Failure} REQUEST_PENDING
 */
export async function requireNotRefused(
  subject: SendingSubject,
  accounts: Accounts,
  context: ChainContext,
  sent: Sent,
): Promise<void> {
  const next = firstCallOf(subject, accounts)
  if (next === null) return
  const notes = await sent.notFinal(next.sender)
  for (const note of notes) {
    const nonce = BigInt(note.nonce)
    // A transaction beyond a gap may wait for ever.
    const isBeyond = note.until === undefined && nonce > next.nonce
    if (!isRefused(note) || nonce === next.nonce || isBeyond || !(await next.isSameIn(note))) continue
    const rivals = notes.filter((other) => other.nonce === note.nonce && !isRefused(other))
    const isRepeated = (await Promise.all(rivals.map(next.isSameIn))).includes(true)
    if (!isRepeated && !(await isPastHour(note, context))) throw stillPending(note.hash)
  }
  for (const note of next.other === null ? [] : await sent.of(next.other))
    if (isRefused(note) && sent.isRecent(note) && (await next.isSameInOther(note))) throw stillPending(note.hash)
}

/** Whether no block can have the operation any more. A transaction has no end. */
export async function isPastHour(
  { account, until }: Pick<SentNote, 'account' | 'until'>,
  context: ChainContext,
): Promise<boolean> {
  return until !== undefined && isPastEnd(BigInt(until), await operationProbe(account, context).now())
}
