const names = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' })

/** An ISO 3166-1 alpha-2 code, as in a proxy's header; null for other text. */
export function regionCode(text: string | undefined): string | null {
  const isKnown = text !== undefined && /^[A-Z]{2}$/.test(text) && text !== 'ZZ' && names.of(text) !== undefined
  return isKnown ? text : null
}
