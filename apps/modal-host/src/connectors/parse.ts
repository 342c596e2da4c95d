import { Failure } from '@postern/protocol/failure'
import type * as z from 'zod/mini'

/** Throws INTERNAL if the wallet's result does not match. */
export function parseResult<T>(schema: z.ZodMiniType<T>, result: unknown): T {
  const parsed = schema.safeParse(result)
  if (!parsed.success) throw new Failure('INTERNAL', { cause: parsed.error })
  return parsed.data
}
