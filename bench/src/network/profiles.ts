import type { Rate } from './link'

export type ProfileName = 'broadband' | '4g' | 'slow-4g' | 'phone'

export type Profile = Rate & {
  /** How many times slower each process of the browser runs. */
  readonly slowdown: number
}

/** The same rate in both directions. */
export const profiles: { readonly [P in ProfileName]: Profile } = {
  broadband: { roundTripMs: 20, megabitsPerSecond: 50, slowdown: 1 },
  '4g': { roundTripMs: 60, megabitsPerSecond: 9, slowdown: 1 },
  'slow-4g': { roundTripMs: 150, megabitsPerSecond: 1.6, slowdown: 1 },
  phone: { roundTripMs: 60, megabitsPerSecond: 9, slowdown: 4 },
}

export const profileNames = Object.keys(profiles) as ProfileName[]
