/** The default host of a build for development, or a page in development. */
const isLocal = /localhost|\/127\.|\[::1\]/

/** For a page in production that left out `host`: `origin` is the default. */
export function warnOfHost(window: Pick<typeof globalThis, 'console' | 'origin'>, origin: string): void {
  if (!isLocal.test(origin) || isLocal.test(window.origin)) return
  window.console.warn(`Postern: set \`host\` to the origin of your gateway. Without it this page asks for ${origin}.`)
}
