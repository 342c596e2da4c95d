import { accountKey } from '@postern/chains/account-key'
import { type Account, readStored } from '@postern/protocol'
import * as z from 'zod/mini'
import type { HostStorage } from '../services/storage'

/**
 * Addresses that an account dealt with before, on this dapp: what a first-time recipient is told apart by.
 *
 * 1. They are kept in the frame's own storage alone. Where the browser denies that, the dapp's page would keep them, and a dapp that asks for a transfer would say
 *    itself whom the visitor knows: then they last as long as the frame, and nothing that the page has is believed.
 * 2. The newest {@link most} of each account.
 * 3. Whoever else signs in with the same browser knows nobody of them.
 */
export type KnownAddresses = {
  list(of: Owner): readonly string[]
  add(of: Owner, addresses: readonly string[]): void
}

type Owner = Pick<Account, 'namespace' | 'address'>

const most = 100
const Known = z.array(z.string().check(z.maxLength(128))).check(z.maxLength(most))

export function createKnownAddresses(storage: Pick<HostStorage, 'place' | 'get' | 'set'>): KnownAddresses {
  const name = (of: Owner) => `known.${accountKey(of)}`
  const memory = new Map<string, readonly string[]>()
  const isOurs = storage.place === 'frame'
  const list = (of: Owner) => (isOurs ? (readStored(Known, storage.get(name(of))) ?? []) : (memory.get(name(of)) ?? []))
  return {
    list,
    add(of, addresses) {
      if (addresses.length === 0) return
      const all = [...new Set([...addresses, ...list(of)])].slice(0, most)
      if (isOurs) storage.set(name(of), JSON.stringify(all))
      else memory.set(name(of), all)
    },
  }
}
