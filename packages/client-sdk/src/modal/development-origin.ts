/** Of this machine: localhost, its subdomains, and the loopback addresses that developers use. */
export const developmentOrigin = /^https?:\/\/(([^/]+\.)?localhost|127\.0\.0\.1|\[::1\])(:|$)/
