/**
 * The catalogue of `available` for a BCP 47 tag: of the tag itself, of its language (`de-AT`: `de`), or of its language
 * and script (`zh-TW`: `zh-Hant`). Undefined without one. Takes the `zh_TW` of other platforms too.
 */
export function matchLocale<Locale extends string>(wanted: string, available: readonly Locale[]): Locale | undefined {
  const tag = wanted.replaceAll('_', '-')
  // Variants and extensions choose no catalogue, and may be cut off: the link to the host limits the tag's length.
  const [head, language] = /^([a-z]{2,3})(?:-[a-z]{4})?(?:-(?:[a-z]{2}|\d{3}))?(?![a-z\d])/i.exec(tag) ?? []
  if (head === undefined || language === undefined) return undefined
  const find = (one: string) => available.find((locale) => locale.toLowerCase() === one.toLowerCase())
  return find(tag) ?? find(language) ?? find(`${language}-${new Intl.Locale(head).maximize().script}`)
}
