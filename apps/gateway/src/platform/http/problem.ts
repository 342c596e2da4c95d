/** HTTP errors as in interop §3: `{status, reasons: [{name, description}]}`. */
import { tryParse } from '@postern/protocol'
import type { Context } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import type * as z from 'zod/mini'

export type Reason = { readonly name: string; readonly description: string }

/** The app turns it into the response; other errors become a 500 without details. */
export class Problem extends Error {
  override readonly name = 'Problem'
  constructor(
    readonly status: ContentfulStatusCode,
    readonly reasons: readonly Reason[],
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(reasons[0]?.description ?? 'Something went wrong')
  }
}

export function problem(
  status: ContentfulStatusCode,
  name: string,
  description: string,
  headers?: Record<string, string>,
): Problem {
  return new Problem(status, [{ name, description }], headers)
}

export function busy(): Problem {
  return problem(503, 'busy', 'Too many large responses at once: try again in a moment', { 'Retry-After': '2' })
}

export function unavailable(): Problem {
  return problem(503, 'unavailable', 'Not available for a moment: try again soon', { 'Retry-After': '5' })
}

export function problemResponse(context: Context, error: Problem): Response {
  return context.json({ status: 'error', reasons: error.reasons }, error.status, { ...error.headers })
}

/** @throws {Problem} 400 with a reason per invalid field. */
export function parseOrThrow<T extends z.ZodMiniType>(schema: T, value: unknown): z.output<T> {
  const parsed = tryParse(schema, value)
  if (parsed.success) return parsed.data
  const reasons = parsed.error.issues.map((issue) => ({
    name: issue.path.join('.') || 'request',
    description: issue.message,
  }))
  throw new Problem(400, reasons.length > 0 ? reasons : [{ name: 'request', description: 'Not readable' }])
}
