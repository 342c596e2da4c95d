import type { Namespace } from '@postern/protocol'
import type { SessionAddresses } from './dialect'

const maxAddressLength = 128

/** The same on every network of the namespace, without a purpose. */
export function plainAddresses(namespace: Namespace): SessionAddresses {
  return {
    areShared: true,
    read: (list) =>
      Array.isArray(list)
        ? list.flatMap((entry: unknown) =>
            typeof entry === 'string' && entry.length <= maxAddressLength ? [{ address: entry }] : [],
          )
        : [],
    describedIn: () => [],
    accountsOn: async (_, addresses) => addresses.map((address) => ({ namespace, address, type: 'eoa' })),
  }
}
