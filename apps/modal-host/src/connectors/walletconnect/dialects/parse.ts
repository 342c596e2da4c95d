import { Failure } from '@postern/protocol/failure'
import type * as z from 'zod/mini'

/** Params of a request, or INVALID_PARAMS. Dapps that wrap the one object in an array mean the same. */
export function parseParams<T>(schema: z.ZodMiniType<T>, params: unknown): T {
  const parsed = schema.safeParse(Array.isArray(params) && params.length === 1 ? params[0] : params)
  if (!parsed.success) throw new Failure('INVALID_PARAMS', { cause: parsed.error })
  return parsed.data
}

/** A wallet's answer, or INTERNAL: what it said is not what was asked for. */
export function parseResult<T>(schema: z.ZodMiniType<T>, result: unknown): T {
  const parsed = schema.safeParse(result)
  if (!parsed.success) throw new Failure('INTERNAL', { cause: parsed.error })
  return parsed.data
}
