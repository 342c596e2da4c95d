import type * as z from 'zod/mini'
import { LinkFailure } from '../../link/failure'

/** A request's parameters: an object, or a list with it as its one member. @throws {LinkFailure} INVALID_PARAMS */
export function objectParams<T>(schema: z.ZodMiniType<T>, params: unknown): T {
  const result = schema.safeParse(Array.isArray(params) && params.length === 1 ? params[0] : params)
  if (!result.success) throw new LinkFailure('INVALID_PARAMS', { cause: result.error })
  return result.data
}
