import * as z from 'zod/mini'

/** `z.tuple` would enlarge the entry chunk. */
export const AccountData = z.custom<readonly [text: string, encoding: 'base64']>(
  (value) => Array.isArray(value) && value.length === 2 && typeof value[0] === 'string' && value[1] === 'base64',
)
