/** Faults of the on-ramp, which a test sets. */
import * as z from 'zod'

/**
 * `down`: 503. `slow`: responds after `ms`. `failing`: takes the payment, delivers nothing.
 * `slow-delivery`: delivers after `ms`, or with the next fault or `none`, after the user has returned. A fault stays
 * until `none`.
 */
export const Fault = z.object({
  kind: z.enum(['none', 'down', 'slow', 'slow-delivery', 'failing']),
  ms: z.int().min(0).max(600_000).default(5_000),
})
export type Fault = z.infer<typeof Fault>

export type Faults = {
  current(): Fault
  set(fault: Fault): void
  /** Aborts with the next fault. */
  ended(): AbortSignal
}

export function createFaults(): Faults {
  let fault: Fault = { kind: 'none', ms: 0 }
  let faultController = new AbortController()
  return {
    current: () => fault,
    set(next) {
      faultController.abort()
      faultController = new AbortController()
      fault = next
    },
    ended: () => faultController.signal,
  }
}
