import { accountKey } from '@postern/chains/account-key'
import { type Account, readStored } from '@postern/protocol'
import * as z from 'zod/mini'
import type { HostStorage } from '../services/storage'

/**
 * Addresses that an account has dealt with on this dapp, to detect first-time recipients.
 *
 * 1. They are stored only in the frame's own storage. If the browser denies it, they live as long as the frame: the
 *    dapp's page could otherwise mark a recipient as known.
 * 2. Each account keeps the newest {@link maxAddresses}.
 * 3. Another user who signs in with the same browser sees none of them.
 */
export type KnownAddresses = {
  list(of: Owner): readonly string[]
  add(of: Owner, addresses: readonly string[]): void
}

type Owner = Pick<Account, 'namespace' | 'address'>

const maxAddresses = 100
const Known = z.array(z.string().check(z.maxLength(128))).check(z.maxLength(maxAddresses))

export function createKnownAddresses(storage: Pick<HostStorage, 'place' | 'get' | 'set'>): KnownAddresses {
  const name = (of: Owner) => `known.${accountKey(of)}`
  const memory = new Map<string, readonly string[]>()
  const isOurs = storage.place === 'frame'
  const list = (of: Owner) => (isOurs ? (readStored(Known, storage.get(name(of))) ?? []) : (memory.get(name(of)) ?? []))
  return {
    list,
    add(of, addresses) {
      if (addresses.length === 0) return
      const all = [...new Set([...addresses, ...list(of)])].slice(0, maxAddresses)
      if (isOurs) storage.set(name(of), JSON.stringify(all))
      else memory.set(name(of), all)
    },
  }
}
