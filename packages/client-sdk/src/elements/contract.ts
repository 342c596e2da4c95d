import type { CaipNetworkId, Namespace } from '../types/index'

export type ShownAccount = {
  readonly namespace: Namespace
  readonly address: string
  readonly networkId: CaipNetworkId
}

/** The modal's catalogues (packages/ui) would be the page's largest file. */
export type Words = {
  readonly connect: string
  readonly connecting: string
  /** Screen readers read it before an address. */
  readonly account: string
  /** Screen readers read it before a network's name. */
  readonly network: string
  readonly selectNetwork: string
  readonly unsupportedNetwork: string
}

export type DetailName = 'name' | 'avatar' | 'balance'

/** By the attributes `name`, `avatar` and `balance`. Absent if unknown. */
export type Details = {
  /** `networkId:address`. */
  readonly key?: string | undefined
  readonly name?: string | undefined
  /** A `data:` image. */
  readonly avatar?: string | undefined
  /** `0.42 ETH`. */
  readonly balance?: string | undefined
}

/** Beyond English words and an address. */
export type Extras = { readonly words: Words; readonly details: Details }

export const noExtras: Extras = {
  words: {
    connect: 'Connect wallet',
    connecting: 'Connecting…',
    account: 'Account',
    network: 'Network',
    selectNetwork: 'Select network',
    unsupportedNetwork: 'Unsupported network',
  },
  details: {},
}
