import * as z from 'zod/mini'

/** Base64 text and its encoding, as nodes return it. A `z.tuple` would enter the entry chunk for this alone. */
export const AccountData = z.custom<readonly [text: string, encoding: 'base64']>(
  (value) => Array.isArray(value) && value.length === 2 && typeof value[0] === 'string' && value[1] === 'base64',
)
