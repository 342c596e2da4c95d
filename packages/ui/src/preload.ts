/**
 * What goes before each `import()` of the built page, in place of the bundler's own (`scripts/preload-plugin.ts`).
 *
 * 1. Browsers remember that a module did not arrive, and refuse it from then on without asking anybody (HTML, "fetch a single module script"). So the files of
 *    a part, scripts and styles, are brought into the browser's cache first, and imported once all are there: what did not arrive can be asked for again.
 * 2. What the page has already, or is fetching, is not asked for twice.
 *
 * @param files Below the page's root: the part's own file, what it imports, and their styles.
 */
export async function preload<T>(load: () => Promise<T>, files: readonly string[] = []): Promise<T> {
  await Promise.all(files.map(arrival))
  return load()
}

const arrivals = new Map<string, Promise<void>>()

function arrival(file: string): Promise<void> {
  const known = arrivals.get(file)
  if (known !== undefined) return known
  const isOfPage = document.querySelector(`[src$="/${file}"],[href$="/${file}"]`) !== null
  const arriving = isOfPage ? Promise.resolve() : file.endsWith('.css') ? style(file) : script(file)
  arrivals.set(file, arriving)
  arriving.catch(() => arrivals.delete(file))
  return arriving
}

/** By no link: a browser remembers of that too that it failed. */
async function script(file: string): Promise<void> {
  const response = await fetch(`/${file}`)
  if (!response.ok) throw missing(file)
  // Only what was read to its end is in the cache.
  await response.arrayBuffer()
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

function missing(file: string): TypeError {
  return new TypeError(`${file} did not arrive`)
}
