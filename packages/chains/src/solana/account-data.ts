import * as z from 'zod/mini'

/** An account's data as a node tells it: the text, and that it is Base64. Not a `z.tuple`, which would be in the modal's first file for this alone. */
export const AccountData = z.custom<readonly [text: string, encoding: 'base64']>(
  (value) => Array.isArray(value) && value.length === 2 && typeof value[0] === 'string' && value[1] === 'base64',
)
