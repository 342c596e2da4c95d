/**
 * Who an address says it is, and where a name leads.
 *
 * 1. What was found is kept for 5 min (spec §9), also that there is nothing; a failure is not kept.
 * 2. Only EVM addresses have names here; any other has none, and nobody is asked.
 */
import { type Identity, limits } from '@postern/protocol'
import { type Address, getAddress } from 'viem'
import type { Account } from '../account'
import { createKept } from '../kept'
import type { Ens } from './ens'

export type Identities = {
  /** @throws {UpstreamsFailedError} */
  of(account: Account): Promise<Identity>
  /** The address and the picture of a name that ends in `.eth`; null where nobody has it. @throws {UpstreamsFailedError} */
  resolveEns(name: string): Promise<{ readonly address: Address; readonly avatar: string | null } | null>
}

const nobody: Identity = { name: null, avatar: null }
const mostKept = 10_000

/** @param ens null where its network is not reached from here. */
export function createIdentities(ens: Ens | null, now: () => number): Identities {
  const byAddress = createKept<Identity>(limits.identityCache, mostKept, now)
  const byName = createKept<Awaited<ReturnType<Identities['resolveEns']>>>(limits.identityCache, mostKept, now)

  return {
    async of({ namespace, address }) {
      if (namespace !== 'eip155' || ens === null) return nobody
      return byAddress.get(address, async () => {
        const name = await ens.nameOf(getAddress(address))
        return name === null ? nobody : { name, avatar: await ens.avatarOf(name) }
      })
    },
    async resolveEns(name) {
      if (ens === null || !name.toLowerCase().endsWith('.eth')) return null
      return byName.get(name, async () => {
        const [address, avatar] = await Promise.all([ens.addressOf(name), ens.avatarOf(name)])
        return address === null ? null : { address, avatar }
      })
    },
  }
}
