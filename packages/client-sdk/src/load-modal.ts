type ModalCode = typeof import('./modal/index')

const importModal = (): Promise<ModalCode> => import('./modal/index')
let retries = 0

/**
 * Loads the modal's code; after a failure once more, past the caches.
 * A browser may cache a module's load failure (HTML, "fetch a single module script"), so the second URL differs. Only
 * the browser's error names the bundler's file.
 */
export const loadModal = (): Promise<ModalCode> =>
  importModal().catch((cause: unknown) => {
    const [, url] = /imported module: (\S+)/.exec(String(cause)) ?? []
    return url === undefined ? importModal() : import(/* webpackIgnore: true */ /* @vite-ignore */ retryUrl(url))
  })

function retryUrl(url: string): string {
  const next = new URL(url)
  next.searchParams.set('retry', String(++retries))
  return next.href
}
