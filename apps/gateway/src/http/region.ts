const names = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' })

/** English name of an ISO 3166-1 alpha-2 code, such as a proxy's header holds; null for other text. */
export function regionName(code: string | undefined): string | null {
  return code !== undefined && /^[A-Z]{2}$/.test(code) && code !== 'ZZ' ? (names.of(code) ?? null) : null
}
