import type { CaipNetworkId, Namespace } from '../types'

/** A connected account that a button shows. */
export type ShownAccount = {
  readonly namespace: Namespace
  readonly address: string
  readonly networkId: CaipNetworkId
}

/** The buttons' own words. The modal's catalogues (packages/ui) are not for the page: they would be its largest file. */
export type Words = {
  readonly connect: string
  readonly connecting: string
  /** Before an address, for screen readers. */
  readonly account: string
  /** Before a network's name, for screen readers. */
  readonly network: string
  readonly selectNetwork: string
  readonly unsupportedNetwork: string
}

export type DetailName = 'name' | 'avatar' | 'balance'

/** What the attributes `name`, `avatar` and `balance` show besides the address. Each is absent if unknown. */
export type Details = {
  /** Of the account that they belong to: `networkId:address`. */
  readonly key?: string | undefined
  readonly name?: string | undefined
  /** A `data:` image. */
  readonly avatar?: string | undefined
  /** With its symbol: `0.42 ETH`. */
  readonly balance?: string | undefined
}

/** What a button shows beyond English words and an address. */
export type Extras = { readonly words: Words; readonly details: Details }

/** English, and an address. */
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
