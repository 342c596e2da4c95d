/** localhost, its subdomains and the common loopback addresses. */
export const developmentOrigin = /^https?:\/\/(([^/]+\.)?localhost|127\.0\.0\.1|\[::1\])(:|$)/
