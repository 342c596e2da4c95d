import * as z from 'zod/mini'

/** With a leading dot. */
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

/** `POSTERN_NAMES`, such as `names.example.com`. @param problems one line if invalid. */
export function readNameSuffix(text: string | undefined, problems: string[]): string | null {
  if (text === undefined) return null
  const parsed = Suffix.safeParse(text)
  if (parsed.success) return parsed.data
  problems.push('POSTERN_NAMES must be an ending such as .postern or names.example.com, and none of ENS')
  return null
}
