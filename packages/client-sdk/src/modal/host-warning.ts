/** localhost, its subdomains and the common loopback addresses. */
export const developmentOrigin = /^https?:\/\/(([^/]+\.)?localhost|127\.0\.0\.1|\[::1\])(:|$)/

/** `origin`: the default host. */
export function warnOfHost(window: Pick<typeof globalThis, 'console' | 'origin'>, origin: string): void {
  if (!developmentOrigin.test(origin) || developmentOrigin.test(window.origin)) return
  window.console.warn(`Postern: set \`host\` to the origin of your gateway. The default is ${origin}.`)
}
