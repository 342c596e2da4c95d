/** `integrity`: of each part, as for a `<script>` tag. */
export type ChunkLoaderOptions = {
  /** URL of `postern.js`. */
  readonly src: string
  /** Each version has its own parts. */
  readonly version: string
  readonly integrity: Readonly<Record<string, string>>
}

/** `preload` rejects another hash. */
export type ModuleLoader<Part> = {
  readonly preload: (url: string, integrity: string) => Promise<unknown>
  readonly load: (url: string) => Promise<Part>
}

export const partUrl = (part: string, src: string, version: string): string =>
  new URL(`postern-${part}.js?v=${version}`, src).href

/**
 * Loads parts of the script tag.
 *
 * 1. A part runs only with the hash that it had when `postern.js` was built.
 * 2. Browsers cache a module's load failure (HTML, "fetch a single module script"), so each retry uses a new URL.
 */
export function createChunkLoader<Part>(
  { src, version, integrity }: ChunkLoaderOptions,
  { preload, load }: ModuleLoader<Part>,
): (part: string) => Promise<Part> {
  const failures: Record<string, number> = {}
  return async (part) => {
    const failed = failures[part] ?? 0
    const url = `${partUrl(part, src, version)}${failed > 0 ? `&try=${failed}` : ''}`
    try {
      const hash = integrity[part]
      if (hash === undefined) throw new Error(`no part "${part}"`)
      await preload(url, hash)
      return await load(url)
    } catch (cause) {
      failures[part] = failed + 1
      throw cause
    }
  }
}

/**
 * Checks a module's hash, which `import()` does not take.
 * `import()` then returns the same module: the browser has one entry per URL, also for a refused one.
 * @param nonce for policies that require it
 */
export async function preloadModule(document: Document, nonce: string, url: string, integrity: string): Promise<void> {
  const link = document.createElement('link')
  // Safari before 17: checks a copy, which the import takes from the cache.
  if (!link.relList.supports('modulepreload')) {
    await fetch(url, { integrity, credentials: 'omit' })
    return
  }
  try {
    await new Promise((resolve, reject) => {
      Object.assign(link, { rel: 'modulepreload', href: url, integrity, crossOrigin: '', nonce })
      link.onload = resolve
      link.onerror = () => reject(new Error(`${url} did not load, or is not the file that was published`))
      document.head.append(link)
    })
  } finally {
    link.remove()
  }
}
