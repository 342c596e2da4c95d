import type { OnRampOptions } from '@postern/protocol'

const usual = 'USD'

/** Only ISO 4217 codes: no quote can be requested for others. */
export function currenciesOf({ paymentCurrencies }: OnRampOptions): readonly string[] {
  return paymentCurrencies.flatMap(({ id }) => (/^[A-Za-z]{3}$/.test(id) ? [id] : []))
}

export function currencyOf(chosen: string | null, options: OnRampOptions): string {
  const ids = currenciesOf(options)
  if (chosen !== null && ids.includes(chosen)) return chosen
  return ids.includes(usual) ? usual : (ids[0] ?? usual)
}

/** `'US Dollar'` in the user's language, or the code. */
export function currencyName(code: string, locale: string): string {
  try {
    return new Intl.DisplayNames(locale, { type: 'currency' }).of(code) ?? code
  } catch {
    return code
  }
}
