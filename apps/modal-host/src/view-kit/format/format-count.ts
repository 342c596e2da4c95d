/** `Intl.NumberFormat` only for grouping: the first one costs 5 ms or more of the first paint. */
export function formatCount(count: number, locale: string): string {
  return count < 1000 ? String(count) : new Intl.NumberFormat(locale).format(count)
}

/** From 100 on: 487 is `480+`. */
export function formatRoundCount(count: number, locale: string): string {
  const isRound = count < 100 || count % 10 === 0
  return isRound ? formatCount(count, locale) : `${formatCount(count - (count % 10), locale)}+`
}
