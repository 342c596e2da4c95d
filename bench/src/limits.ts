/** The limits of what the bench measures; sizes have theirs in `scripts/lib/page-size.ts`. Times in ms. */
import type { ProfileName } from './network/profiles'

export const limits = {
  /** Of a frame that has loaded. */
  warmOpen: 16.7,
  /** Clicks on loopback. */
  coldClick: 160,
  presentClick: 33,
  hoverClick: 60,
  navigation: 230,
  /** On a machine where a bare channel takes `bareChannel`. */
  scriptTime: 5,
  bareChannel: 0.13,
  /** Times a bare channel. */
  roundTrip: 1.2,
  rowsInDocument: 60,
  step: 33,
} as const

export type NetworkFigures = {
  readonly ready: number
  readonly navigation: number
  readonly coldClick: number
  readonly hoverClick: number
  readonly presentClick: number
  /** Of the modal's and the SDK's files, until the first row is painted. */
  readonly requests: number
  readonly kilobytes: number
}

/** Across a network. A profile without a limit is a reference. */
export const networkLimits: { readonly [P in ProfileName]: Partial<NetworkFigures> } = {
  broadband: { navigation: 320 },
  '4g': {
    ready: 330,
    navigation: 700,
    coldClick: 450,
    hoverClick: 300,
    presentClick: 33,
    requests: 8,
    kilobytes: 150,
  },
  'slow-4g': { navigation: 1600 },
  phone: {},
}
