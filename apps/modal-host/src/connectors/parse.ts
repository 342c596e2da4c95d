import { Failure } from '@postern/protocol/failure'
import type * as z from 'zod/mini'

/** A dapp's parameters: an object, or an array with it as its only member. Throws INVALID_PARAMS. */
export function parseParams<T>(schema: z.ZodMiniType<T>, params: unknown): T {
  const parsed = schema.safeParse(Array.isArray(params) && params.length === 1 ? params[0] : params)
  if (!parsed.success) throw new Failure('INVALID_PARAMS', { cause: parsed.error })
  return parsed.data
}

/** A wallet's result. Throws INTERNAL. */
export function parseResult<T>(schema: z.ZodMiniType<T>, result: unknown): T {
  const parsed = schema.safeParse(result)
  if (!parsed.success) throw new Failure('INTERNAL', { cause: parsed.error })
  return parsed.data
}
