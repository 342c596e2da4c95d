/** `table`: by language, or by language and script (`zh-Hant`). */
export function inLanguage<T>(table: Readonly<Record<string, T>>, locale: string): T | undefined {
  try {
    const { language, script } = new Intl.Locale(locale).maximize()
    return table[language] ?? table[`${language}-${script}`]
  } catch {
    return undefined
  }
}
