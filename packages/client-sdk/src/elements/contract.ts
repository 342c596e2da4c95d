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
  readonly network: string
  readonly selectNetwork: string
  readonly unsupportedNetwork: string
}

export type DetailName = 'name' | 'avatar' | 'balance'

export type Details = {
  /** `networkId:address`. */
  readonly key?: string | undefined
  readonly name?: string | undefined
  /** A `data:` image. */
  readonly avatar?: string | undefined
  /** `0.42 ETH`. */
  readonly balance?: string | undefined
}

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
