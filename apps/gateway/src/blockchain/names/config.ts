import * as z from 'zod/mini'

/** The ending of the names that are registered here: labels of lower-case letters, digits and hyphens, with a dot in front. */
const Suffix = z.pipe(
  z.string().check(z.toLowerCase(), z.regex(/^\.?[a-z0-9]+(?:-[a-z0-9]+)*(?:\.[a-z0-9]+(?:-[a-z0-9]+)*){0,2}$/)),
  z.pipe(
    z.transform((text: string) => (text.startsWith('.') ? text : `.${text}`)),
    z.string().check(
      z.maxLength(64),
      z.refine((suffix) => suffix !== '.eth' && !suffix.endsWith('.eth')),
    ),
  ),
)

/**
 * `POSTERN_NAMES`: `.postern`, `names.example.com`. Null where it is not set: then none are registered.
 * @param problems takes one line where it is wrong.
 */
export function readNameSuffix(text: string | undefined, problems: string[]): string | null {
  if (text === undefined) return null
  const parsed = Suffix.safeParse(text)
  if (parsed.success) return parsed.data
  problems.push('POSTERN_NAMES must be an ending such as .postern or names.example.com, and none of ENS')
  return null
}
