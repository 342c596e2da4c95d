/**
 * What `postern.js` loads from beside itself, each part under its own address. Browsers remember that a module did not arrive, and refuse it from then on
 * without asking anybody (HTML, "fetch a single module script"): so each try after a failure has an address of its own.
 *
 * @param src Address of `postern.js`.
 * @param version Of this package: another one's parts are other files.
 */
export function partsBeside<Part>(
  src: string,
  version: string,
  load: (url: string) => Promise<Part>,
): (part: string) => Promise<Part> {
  const failures: Record<string, number> = {}
  return async (part) => {
    const failed = failures[part] ?? 0
    const url = new URL(`postern-${part}.js?v=${version}${failed > 0 ? `&try=${failed}` : ''}`, src)
    try {
      return await load(url.href)
    } catch (cause) {
      failures[part] = failed + 1
      throw cause
    }
  }
}
