/** Names that somebody may ask for: a label of at least 4 letters, digits or hyphens (spec §5), written in lower case before the registry's ending. */
import { AccountName } from '@postern/protocol'

export type TypedName =
  | { readonly kind: 'empty' | 'short' | 'long' | 'characters' | 'hyphen' }
  /** One that the registry may have, with its ending. */
  | { readonly kind: 'name'; readonly label: string; readonly name: string }

/**
 * 1. What is typed is read as it is meant: white space around it, capitals and the ending that follows anyway make no difference.
 * 2. A name begins and ends with a letter or a digit: a hyphen there is lost in print, and no host may have one (RFC 1123).
 * 3. Nothing but `a–z`, `0–9` and `-`: no letter that looks like another one.
 *
 * @param suffix The registry's ending with its dot, such as `.postern`.
 */
export function readName(typed: string, suffix: string): TypedName {
  const text = typed.trim().toLowerCase()
  const label = text.endsWith(suffix) ? text.slice(0, -suffix.length) : text
  if (label === '') return { kind: 'empty' }
  if (!/^[a-z0-9-]*$/.test(label)) return { kind: 'characters' }
  if (label.startsWith('-') || label.endsWith('-')) return { kind: 'hyphen' }
  if (label.length > longest) return { kind: 'long' }
  return AccountName.safeParse(label).success ? { kind: 'name', label, name: `${label}${suffix}` } : { kind: 'short' }
}

/** A DNS label's. */
export const longest = 63
