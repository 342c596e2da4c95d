/** A text that a language lacks is shown in English, so a change needs no translator. */
export function warnOfUntranslated(file: string, missing: readonly string[]): void {
  const { console: terminal } = globalThis
  if (missing.length > 0) terminal.warn(`${file}: in English until translated: ${missing.join(', ')}`)
}
