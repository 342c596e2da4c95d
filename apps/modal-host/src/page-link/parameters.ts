import { Failure } from '@postern/protocol/failure'
import { innermostIssues, pathText } from '@postern/protocol/validation/issue-path'
import type * as z from 'zod/mini'

type Path = readonly PropertyKey[]

/** An unknown key inside an ignored one needs another round. */
const maxRounds = 8

/**
 * Parses what a page passes.
 *
 * 1. With `onIgnored`, unknown keys are left out and reported once: an SDK may be newer than its host, and a dapp may
 *    pass the options of another kit.
 * 2. Anything else that does not fit is INVALID_PARAMS; its message and `data.issues` name each value by its path.
 */
export async function parseParameters<P>(
  schema: z.ZodMiniType<P>,
  raw: unknown,
  onIgnored?: (paths: readonly string[]) => void,
): Promise<P> {
  const ignored: string[] = []
  let value: unknown = raw ?? null
  for (let round = 0; round < maxRounds; round++) {
    const parsed = schema.safeParse(value)
    if (parsed.success) {
      if (ignored.length > 0) onIgnored?.(ignored)
      return parsed.data
    }
    const issues = innermostIssues(parsed.error.issues)
    const unknown = issues.flatMap((issue) =>
      issue.code === 'unrecognized_keys' ? issue.keys.map((key) => [...issue.path, key]) : [],
    )
    if (onIgnored === undefined || issues.some(({ code }) => code !== 'unrecognized_keys'))
      throw await failureOf(schema, value, onIgnored !== undefined)
    ignored.push(...unknown.map(pathText))
    value = unknown.reduce<unknown>((rest, path) => without(rest, path), value)
  }
  throw new Failure('INVALID_PARAMS')
}

async function failureOf(schema: z.ZodMiniType, value: unknown, ignoresUnknown: boolean): Promise<Failure> {
  try {
    const { parameterFailure } = await import('./parameter-failure')
    return parameterFailure(schema, value, ignoresUnknown)
  } catch {
    // The code did not load.
    return new Failure('INVALID_PARAMS')
  }
}

function without(value: unknown, [key, ...rest]: Path): unknown {
  if (typeof value !== 'object' || value === null || key === undefined) return value
  if (Array.isArray(value)) return value.map((each, index) => (index === key ? without(each, rest) : each))
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, each]) => {
      if (name !== key) return [[name, each]]
      return rest.length === 0 ? [] : [[name, without(each, rest)]]
    }),
  )
}
