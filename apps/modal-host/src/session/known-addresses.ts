import { type Namespace, readStored } from '@postern/protocol'
import * as z from 'zod/mini'
import type { HostStorage } from '../services/storage'

/** Addresses that this visitor dealt with before, on this dapp: what a first-time recipient is told apart by. */
export type KnownAddresses = {
  list(namespace: Namespace): readonly string[]
  add(namespace: Namespace, addresses: readonly string[]): void
}

/** The newest ones of each namespace. */
const most = 100
const Known = z.array(z.string().check(z.maxLength(128))).check(z.maxLength(most))

export function createKnownAddresses(storage: HostStorage): KnownAddresses {
  const name = (namespace: Namespace) => `known.${namespace}`
  const list = (namespace: Namespace) => readStored(Known, storage.get(name(namespace))) ?? []
  return {
    list,
    add(namespace, addresses) {
      if (addresses.length === 0) return
      const all = [...new Set([...addresses, ...list(namespace)])].slice(0, most)
      storage.set(name(namespace), JSON.stringify(all))
    },
  }
}
