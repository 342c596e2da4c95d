import type { CaipNetworkId } from '@postern/protocol'

/** Test networks share one base58 form; regtest has its own bech32 prefix. */
export type AddressFamily = 'main' | 'test' | 'regtest' | 'anyTest'

export const familyOf: ReadonlyMap<CaipNetworkId, Exclude<AddressFamily, 'anyTest'>> = new Map([
  ['bip122:000000000019d6689c085ae165831e93', 'main'],
  ['bip122:000000000933ea01ad0ee984209779ba', 'test'],
  ['bip122:00000000da84f2bafbbc53dee25a72ae', 'test'],
  ['bip122:00000008819873e925422c1ff0f99f7c', 'test'],
  ['bip122:0f9188f13cb7b2c71f2a335e3a4fc328', 'regtest'],
])

/** BIP-173. */
export const familyOfPrefix: ReadonlyMap<string, AddressFamily> = new Map([
  ['bc', 'main'],
  ['tb', 'test'],
  ['bcrt', 'regtest'],
])
