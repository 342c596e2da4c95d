import { type ApprovalRequest, namespaceOf } from '@postern/protocol'
import * as z from 'zod/mini'
import type { Intent, KnownParties } from '../../intent/intent'
import type { Ladder } from '../../storage/ladder'
import { sends } from './sends'

/**
 * Addresses that a user has dealt with on a dapp, to detect first-time recipients.
 *
 * 1. They are in the wallet's own storage: the modal and the dapp can mark no recipient as known.
 * 2. Each user has a list per namespace and dapp, with the newest {@link maxAddresses} of each kind.
 * 3. Only sent transactions count ({@link KnownParties}).
 */
export type KnownAddresses = {
  list(of: KnownOf): Promise<KnownParties>
  add(of: KnownOf, parties: KnownParties): Promise<void>
}

type KnownOf = { readonly userId: string; readonly request: Pick<ApprovalRequest, 'networkId' | 'origin'> }

const maxAddresses = 100
const Addresses = z.array(z.string().check(z.maxLength(128))).check(z.maxLength(maxAddresses))
const Known = z.object({ recipients: Addresses, contracts: Addresses })

export const noParties: KnownParties = { recipients: [], contracts: [] }

export function createKnownAddresses(ladder: Pick<Ladder, 'current'>): KnownAddresses {
  const read = (kept: unknown): KnownParties => Known.safeParse(kept).data ?? noParties
  const nameOf = ({ userId, request }: KnownOf) => `known/${userId}/${namespaceOf(request.networkId)}/${request.origin}`
  const notes = async (of: KnownOf, change: (kept: unknown) => unknown) =>
    (await ladder.current()).store.notes(nameOf(of), change)
  const merged = (newer: readonly string[], older: readonly string[]) =>
    [...new Set([...newer, ...older])].slice(0, maxAddresses)
  return {
    list: async (of) => read(await notes(of, (kept) => kept)),
    async add(of, { recipients, contracts }) {
      if (recipients.length === 0 && contracts.length === 0) return
      await notes(of, (kept) => {
        const known = read(kept)
        return {
          recipients: merged(recipients, known.recipients),
          contracts: merged(contracts, known.contracts),
        }
      })
    },
  }
}

/** Rule 3. */
export function counterpartiesOf({ subject }: Pick<ApprovalRequest, 'subject'>, intent: Intent | null): KnownParties {
  if (intent === null || !sends(subject)) return noParties
  return {
    recipients: intent.steps.flatMap(recipientsOf),
    contracts: intent.steps.flatMap(contractsOf),
  }
}

type Step = Intent['steps'][number]

function recipientsOf(step: Step): readonly string[] {
  if (step.kind === 'transfer') return step.amount.raw === '0' ? [] : [step.to]
  if (step.kind === 'outputs') return step.outputs.flatMap(({ to, own }) => (own ? [] : [to]))
  return []
}

function contractsOf(step: Step): readonly string[] {
  if (step.kind === 'swap' || step.kind === 'call') return [step.contract]
  return []
}
