import { parseUrl } from '@postern/base/parse-url'
import { visibleText } from './visible-text'

/** The host; the full origin if not https, since the scheme then matters. */
export function originText(origin: string): string {
  const url = parseUrl(origin)
  if (url === null) return visibleText(origin)
  return url.protocol === 'https:' ? url.host : url.origin
}
