/** The time of a test that sets no clock, far from the end of a day, a month and a year. Epoch ms. */
export const noon = Date.UTC(2026, 10, 21, 12)

/** A manual clock. */
export function clock(start = noon) {
  let time = start
  return {
    now: () => time,
    pass(ms: number) {
      time += ms
    },
  }
}
