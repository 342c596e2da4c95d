/**
 * The best match of a BCP 47 tag (or `zh_TW`), if any.
 * Tries the tag, its language (`de-AT`: `de`), then its language and script (`zh-TW`: `zh-Hant`).
 */
export function matchLocale<Locale extends string>(wanted: string, available: readonly Locale[]): Locale | undefined {
  const tag = wanted.replaceAll('_', '-')
  // Variants and extensions choose no catalogue, and the link's length limit may cut them off.
  const [head, language] = /^([a-z]{2,3})(?:-[a-z]{4})?(?:-(?:[a-z]{2}|\d{3}))?(?![a-z\d])/i.exec(tag) ?? []
  if (head === undefined || language === undefined) return undefined
  const find = (one: string) => available.find((locale) => locale.toLowerCase() === one.toLowerCase())
  return find(tag) ?? find(language) ?? find(`${language}-${new Intl.Locale(head).maximize().script}`)
}
