/** Which links of a wallet's entry may become something that a visitor clicks. */

export function isHttps(link: string): boolean {
  return /^https:\/\/[^\s]+$/.test(link) && URL.canParse(link)
}

/** A scheme that starts an app, and none that a browser itself understands. */
export function isAppScheme(link: string): boolean {
  const browser = /^(https?|wss?|ftp|file|data|blob|javascript|vbscript|about|intent|view-source):/i
  return /^[a-z][a-z0-9+.-]*:\/\/[^\s]*$/i.test(link) && !browser.test(link)
}
