/** Exact, never rounded up. @example formatUnits(1_234_567n, 6, 3) // '1.234' */
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

/** Base units from a typed decimal (`12`, `0.5`, `.5`, `12.`), or null. @example parseUnits('1.5', 6) // 1_500_000n */
export function parseUnits(text: string, decimals: number): bigint | null {
  const [, whole = '', fraction = ''] = /^(\d{0,78})(?:\.(\d*))?$/.exec(text) ?? []
  if (whole + fraction === '' || fraction.length > decimals) return null
  return BigInt(whole + fraction.padEnd(decimals, '0'))
}

/** No trailing zeros. */
export function exactUnits(amount: bigint, decimals: number): string {
  return withoutZeros(formatUnits(amount, decimals, decimals))
}

/** `'1.50'` is `'1.5'`, `'2.00'` is `'2'`, `'20'` stays. */
export function withoutZeros(decimal: string): string {
  return decimal.includes('.') ? decimal.replace(/\.?0+$/, '') : decimal
}
