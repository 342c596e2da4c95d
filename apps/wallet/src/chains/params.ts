import { Failure } from '@postern/protocol/failure'
import type * as z from 'zod/mini'

/** An object, or a list with it as its only member. @throws {Failure} INVALID_PARAMS */
export function objectParams<T>(schema: z.ZodMiniType<T>, params: unknown): T {
  const result = schema.safeParse(Array.isArray(params) && params.length === 1 ? params[0] : params)
  if (!result.success) throw new Failure('INVALID_PARAMS', { cause: result.error })
  return result.data
}
