/** Null if invalid. (`URL.canParse` needs Safari 17 and Chrome 120.) */
export function parseUrl(text: string, base?: string): URL | null {
  try {
    return new URL(text, base)
  } catch {
    return null
  }
}
