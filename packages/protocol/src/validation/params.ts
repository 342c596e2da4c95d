import type * as z from 'zod/mini'
import { errors } from '../errors'
import { Failure } from '../failure'
import { describeIssues, issueMessage } from './issues'

/** Enough to fix a request. */
const maxIssues = 4

/**
 * @example
 * parseParams(z.tuple([z.object({ to: Address })]), [{}]) // Invalid method parameters: [0].to: Required
 * @throws {Failure} INVALID_PARAMS
 */
export function parseParams<T>(schema: z.ZodMiniType<T>, params: unknown): T {
  const parsed = schema.safeParse(params, { error: issueMessage })
  if (parsed.success) return parsed.data
  const wrong = describeIssues(parsed.error.issues.slice(0, maxIssues))
  throw new Failure('INVALID_PARAMS', { message: `${errors.INVALID_PARAMS.message}: ${wrong}`, cause: parsed.error })
}

/** Also accepts the object in a list. */
export function parseObjectParams<T>(schema: z.ZodMiniType<T>, params: unknown): T {
  return parseParams(schema, Array.isArray(params) && params.length === 1 ? params[0] : params)
}
