/**
 * An amount of smallest units in whole ones, cut to `places` decimals and never rounded up (spec §9: 3 for a balance).
 * Exact at any size: no number type of the engine is involved.
 *
 * @example formatUnits(1_234_567n, 6, 3) // '1.234'
 */
export function formatUnits(amount: bigint, decimals: number, places: number): string {
  const digits = (amount < 0n ? -amount : amount).toString().padStart(decimals + 1, '0')
  const whole = digits.slice(0, digits.length - decimals)
  const fraction = digits
    .slice(digits.length - decimals)
    .slice(0, places)
    .padEnd(places, '0')
  const isZero = /^0*$/.test(whole + fraction)
  const sign = amount < 0n && !isZero ? '-' : ''
  return places === 0 ? `${sign}${whole}` : `${sign}${whole}.${fraction}`
}
