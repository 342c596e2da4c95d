/** The modal's code of the npm package. */
type ModalCode = typeof import('./modal/index')

const importModal = (): Promise<ModalCode> => import('./modal/index')
let retries = 0

/**
 * Loads the modal's code; if that fails, once more past the caches.
 *
 * A browser may remember that a module did not load (HTML, "fetch a single module script"). The second request has
 * another URL then. Only the browser's error says what the bundler called the file.
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
