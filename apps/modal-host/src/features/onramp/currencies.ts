import type { OnRampOptions } from '@postern/protocol'

/** Where nobody chose: what most sellers have. */
const usual = 'USD'

/** What can be paid with: ISO 4217. Whatever else a seller calls a currency, none of its prices could be asked for. */
export function currenciesOf({ paymentCurrencies }: OnRampOptions): readonly string[] {
  return paymentCurrencies.flatMap(({ id }) => (/^[A-Za-z]{3}$/.test(id) ? [id] : []))
}

/** The currency that is paid with: the one chosen, if the seller takes it still. */
export function currencyOf(chosen: string | null, options: OnRampOptions): string {
  const ids = currenciesOf(options)
  if (chosen !== null && ids.includes(chosen)) return chosen
  return ids.includes(usual) ? usual : (ids[0] ?? usual)
}

/** `'US Dollar'`, in the visitor's language; the code itself where nobody knows it. */
export function currencyName(code: string, locale: string): string {
  try {
    return new Intl.DisplayNames(locale, { type: 'currency' }).of(code) ?? code
  } catch {
    return code
  }
}
