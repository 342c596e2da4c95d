/** Such as "Chrome on Linux · app.example.com". */

import { parseUrl } from '@postern/base/parse-url'

/** In this order, because each browser but the last also claims to be the next. */
const browsers: readonly (readonly [string, RegExp])[] = [
  ['Edge', /\bEdg(?:e|A|iOS)?\//],
  ['Opera', /\bOPR\//],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Firefox', /\b(?:Firefox|FxiOS)\//],
  ['Chrome', /\b(?:Chrome|CriOS|HeadlessChrome)\//],
  ['Safari', /\bSafari\//],
]
const systems: readonly (readonly [string, RegExp])[] = [
  ['iPhone', /\biPhone\b/],
  ['iPad', /\biPad\b/],
  ['Android', /\bAndroid\b/],
  ['Windows', /\bWindows\b/],
  ['macOS', /\bMac OS X\b|\bMacintosh\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['Linux', /\bLinux\b/],
]

/** The gateway's limit, in characters. */
const maxLength = 128

/** @param origin empty if unknown */
export function deviceName(userAgent: string, origin: string): string {
  const find = (table: typeof browsers) => table.find(([, pattern]) => pattern.test(userAgent))?.[0]
  const system = find(systems)
  const browser = find(browsers) ?? 'Browser'
  const name = system === undefined ? browser : `${browser} on ${system}`
  const site = parseUrl(origin)?.host ?? ''
  return (site === '' ? name : `${name} · ${site}`).slice(0, maxLength)
}
