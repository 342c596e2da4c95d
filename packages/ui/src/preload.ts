/**
 * Runs before each `import()` of the built page, in place of the bundler's preload (`scripts/vite/preload-plugin.ts`).
 *
 * 1. Browsers never request a module again after a failure (HTML, "fetch a single module script"). So a chunk's files
 *    load into the browser's cache before their import: a failed file can be requested again.
 * 2. A file that the page has, or is fetching, is not requested twice.
 * 3. A script that the server no longer has (404) is reported by {@link fileGone}: after an upgrade, a retry does not
 *    help.
 *
 * @param files Relative to the page's root: the chunk, its imports, and their styles.
 */
export async function preload<T>(load: () => Promise<T>, files: readonly string[] = []): Promise<T> {
  await Promise.all(files.map(arrival))
  return load()
}

/** Event of a window whose build has lost a file. */
export const fileGone = 'postern:file-gone'

export const fileMissing = 'FileMissing'

const arrivals = new Map<string, Promise<void>>()

function arrival(file: string): Promise<void> {
  const cached = arrivals.get(file)
  if (cached !== undefined) return cached
  const isOfPage = document.querySelector(`[src$="/${file}"],[href$="/${file}"]`) !== null
  const arriving = isOfPage ? Promise.resolve() : file.endsWith('.css') ? style(file) : script(file)
  arrivals.set(file, arriving)
  arriving.catch(() => arrivals.delete(file))
  return arriving
}

/** `fetch`, not a link: browsers cache a link's failure too. */
async function script(file: string): Promise<void> {
  const response = await fetch(`/${file}`).catch(() => null)
  if (response?.status === 404) dispatchEvent(new Event(fileGone))
  if (!response?.ok) throw missing(file)
  // Cached only when read to the end.
  await response.arrayBuffer().catch(() => {
    throw missing(file)
  })
}

function style(file: string): Promise<void> {
  const link = document.createElement('link')
  link.rel = 'stylesheet'
  link.href = `/${file}`
  return new Promise((resolve, reject) => {
    link.onload = () => resolve()
    link.onerror = () => {
      link.remove()
      reject(missing(file))
    }
    document.head.append(link)
  })
}

function missing(file: string): Error {
  return Object.assign(new Error(`${file} did not arrive`), { name: fileMissing })
}
