import type { ApprovalRequest } from '@postern/protocol'
import * as z from 'zod/mini'
import type { Intent } from '../intent/intent'
import { namespaceOf } from '../signing/networks'
import type { Ladder } from '../storage/ladder'

/**
 * Addresses that a user has dealt with on a dapp, to detect first-time recipients.
 *
 * 1. They are stored in the wallet's own storage: the modal and the dapp can mark no recipient as known.
 * 2. Each user has a list per namespace and dapp, with the newest {@link maxAddresses}.
 */
export type KnownAddresses = {
  list(of: KnownOf): Promise<readonly string[]>
  add(of: KnownOf, addresses: readonly string[]): Promise<void>
}

type KnownOf = { readonly userId: string; readonly request: Pick<ApprovalRequest, 'networkId' | 'origin'> }

const maxAddresses = 100
const Known = z.array(z.string().check(z.maxLength(128))).check(z.maxLength(maxAddresses))

export function createKnownAddresses(ladder: Pick<Ladder, 'current'>): KnownAddresses {
  const read = (kept: unknown): readonly string[] => Known.safeParse(kept).data ?? []
  const nameOf = ({ userId, request }: KnownOf) => `known/${userId}/${namespaceOf(request.networkId)}/${request.origin}`
  const notes = async (of: KnownOf, change: (kept: unknown) => unknown) =>
    (await ladder.current()).store.notes(nameOf(of), change)
  return {
    list: async (of) => read(await notes(of, (kept) => kept)),
    async add(of, addresses) {
      if (addresses.length === 0) return
      await notes(of, (kept) => [...new Set([...addresses, ...read(kept)])].slice(0, maxAddresses))
    },
  }
}

/** The addresses that get money or rights by what is approved. */
export function counterpartiesOf(intent: Intent | null): readonly string[] {
  return (intent?.steps ?? []).flatMap(counterparties)
}

function counterparties(step: Intent['steps'][number]): readonly string[] {
  if (step.kind === 'transfer') return [step.to]
  if (step.kind === 'approve' || step.kind === 'permit' || step.kind === 'approveAll') return [step.spender]
  if (step.kind === 'swap') return [step.contract, step.recipient]
  if (step.kind === 'call') return [step.contract]
  if (step.kind === 'outputs') return step.outputs.flatMap(({ to, own }) => (own ? [] : [to]))
  return []
}
