import { visibleText } from './visible-text'

/** The full origin if it is not https, since the scheme then matters. */
export function originText(origin: string): string {
  if (!URL.canParse(origin)) return visibleText(origin)
  const url = new URL(origin)
  return url.protocol === 'https:' ? url.host : url.origin
}
