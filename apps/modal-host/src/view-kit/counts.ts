/** How numbers of wallets are written: the only numbers of the first paint. */

/**
 * A number of wallets. A first `Intl.NumberFormat` takes 5 ms and more of the first paint, so only what has to be grouped
 * comes to that.
 */
export function exactCount(count: number, locale: string): string {
  return count < 1000 ? String(count) : new Intl.NumberFormat(locale).format(count)
}

/** The same rounded, with a plus, once nobody counts them: 487 is `480+`. */
export function roundCount(count: number, locale: string): string {
  const isRound = count < 100 || count % 10 === 0
  return isRound ? exactCount(count, locale) : `${exactCount(count - (count % 10), locale)}+`
}

/** Which form of a word goes with a number, for a message's `select`: a message's own `plural` makes an `Intl.NumberFormat` even where it shows no number. */
export function pluralForm(count: number, locale: string): Intl.LDMLPluralRule {
  return new Intl.PluralRules(locale).select(count)
}
