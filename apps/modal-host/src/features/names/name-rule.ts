/** A name has at least 4 lower-case letters, digits or hyphens (spec §5), plus the registry's suffix. */
import { AccountName } from '@postern/protocol'

export type ParsedName =
  | { readonly kind: 'empty' | 'short' | 'long' | 'characters' | 'hyphen' }
  | { readonly kind: 'name'; readonly label: string; readonly name: string }

/**
 * Parses a typed name.
 *
 * 1. Surrounding white space, capitals and a typed suffix make no difference.
 * 2. A name starts and ends with a letter or a digit: a hyphen there is invalid in a host name (RFC 1123).
 * 3. Only `a–z`, `0–9` and `-`: no lookalike letters.
 *
 * @param suffix with its dot
 */
export function parseName(typed: string, suffix: string): ParsedName {
  const text = typed.trim().toLowerCase()
  const label = text.endsWith(suffix) ? text.slice(0, -suffix.length) : text
  if (label === '') return { kind: 'empty' }
  if (!/^[a-z0-9-]*$/.test(label)) return { kind: 'characters' }
  if (label.startsWith('-') || label.endsWith('-')) return { kind: 'hyphen' }
  if (label.length > maxLabelLength) return { kind: 'long' }
  return AccountName.safeParse(label).success ? { kind: 'name', label, name: `${label}${suffix}` } : { kind: 'short' }
}

export const maxLabelLength = 63
