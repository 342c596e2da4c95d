/**
 * Browsers cache a module's load failure and never request it again (HTML, "fetch a single module script"), so each
 * retry uses a new URL.
 *
 * @param src URL of `postern.js`.
 * @param version Each version has its own parts.
 */
export function createChunkLoader<Part>(
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
