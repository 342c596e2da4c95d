import { Failure } from '@postern/protocol/failure'
import type * as z from 'zod/mini'

/** Throws INVALID_PARAMS. Some dapps wrap the object in an array. */
export function parseParams<T>(schema: z.ZodMiniType<T>, params: unknown): T {
  const parsed = schema.safeParse(Array.isArray(params) && params.length === 1 ? params[0] : params)
  if (!parsed.success) throw new Failure('INVALID_PARAMS', { cause: parsed.error })
  return parsed.data
}

/** Parses a wallet's result, or throws INTERNAL. */
export function parseResult<T>(schema: z.ZodMiniType<T>, result: unknown): T {
  const parsed = schema.safeParse(result)
  if (!parsed.success) throw new Failure('INTERNAL', { cause: parsed.error })
  return parsed.data
}
