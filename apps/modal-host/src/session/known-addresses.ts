import { type Namespace, readStored } from '@postern/protocol'
import * as z from 'zod/mini'
import type { HostStorage } from '../services/storage'

/**
 * Addresses that this visitor dealt with before, on this dapp: what a first-time recipient is told apart by.
 *
 * 1. They are kept in the frame's own storage alone. Where the browser denies that, the dapp's page would keep them, and a dapp that asks for a transfer would say
 *    itself whom the visitor knows: then they last as long as the frame, and nothing that the page has is believed.
 * 2. The newest {@link most} of each namespace.
 */
export type KnownAddresses = {
  list(namespace: Namespace): readonly string[]
  add(namespace: Namespace, addresses: readonly string[]): void
}

const most = 100
const Known = z.array(z.string().check(z.maxLength(128))).check(z.maxLength(most))

export function createKnownAddresses(storage: Pick<HostStorage, 'place' | 'get' | 'set'>): KnownAddresses {
  const name = (namespace: Namespace) => `known.${namespace}`
  const memory = new Map<Namespace, readonly string[]>()
  const isOurs = storage.place === 'frame'
  const list = (namespace: Namespace) =>
    isOurs ? (readStored(Known, storage.get(name(namespace))) ?? []) : (memory.get(namespace) ?? [])
  return {
    list,
    add(namespace, addresses) {
      if (addresses.length === 0) return
      const all = [...new Set([...addresses, ...list(namespace)])].slice(0, most)
      if (isOurs) storage.set(name(namespace), JSON.stringify(all))
      else memory.set(namespace, all)
    },
  }
}
