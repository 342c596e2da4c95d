/** Faults of one HTTP request to a node. */
export const transportFaults = ['limited', 'unavailable', 'hanging', 'cut', 'nullError'] as const
export type TransportFault = (typeof transportFaults)[number]

/**
 * Fates of one broadcast.
 * - `refused`: the node refuses it.
 * - `lost`: the node answers with its hash and forgets it.
 * - `late`: the node passes it on some blocks later.
 * - `unanswered`: the node passes it on, and the connection breaks before the answer.
 */
export const broadcastFates = ['refused', 'lost', 'late', 'unanswered'] as const
export type BroadcastFate = (typeof broadcastFates)[number]

/** Chances are per mille. */
export type Weather = {
  readonly transport: Readonly<Record<TransportFault, number>>
  readonly broadcast: Readonly<Record<BroadcastFate, number>>
  /** Max blocks by which the second node is behind. */
  readonly maxLag: number
  /** The node answers `pending` as `latest`. */
  readonly pendingIsLatest: boolean
  /** Blocks after which a node knows a receipt. */
  readonly receiptDelay: number
  /** Max blocks until a late broadcast is passed on. */
  readonly maxDelay: number
  /** The base fee moves by up to an eighth with each block; other fees and prices by up to a half. */
  readonly feesMove: boolean
  /** The node suggests no tip, though blocks pay one. */
  readonly hasNoTip: boolean
  /** Chance that a block replaces one to three of the last blocks. */
  readonly reorganisation: number
  /** Chance that a blockhash of Solana expires at once. */
  readonly expiry: number
}

export const weathers = {
  fair: {
    transport: { limited: 0, unavailable: 0, hanging: 0, cut: 0, nullError: 0 },
    broadcast: { refused: 0, lost: 0, late: 0, unanswered: 0 },
    maxLag: 0,
    pendingIsLatest: false,
    receiptDelay: 0,
    maxDelay: 0,
    feesMove: false,
    hasNoTip: false,
    reorganisation: 0,
    expiry: 0,
  },
  rough: {
    transport: { limited: 20, unavailable: 20, hanging: 5, cut: 10, nullError: 5 },
    broadcast: { refused: 100, lost: 60, late: 150, unanswered: 100 },
    maxLag: 2,
    pendingIsLatest: true,
    receiptDelay: 1,
    maxDelay: 5,
    feesMove: true,
    hasNoTip: true,
    reorganisation: 50,
    expiry: 60,
  },
} as const satisfies Record<string, Weather>

export type WeatherName = keyof typeof weathers
