import { Failure } from '@postern/protocol/failure'
import { issueMessage, pathText } from '@postern/protocol/validation/issues'
import type * as z from 'zod/mini'

/** `path`: `networks[0].name`; empty for the whole. */
export type ParameterIssue = { readonly path: string; readonly message: string }

type Issue = z.core.$ZodIssue
type Path = readonly PropertyKey[]

/** An unknown key inside an ignored one needs another round. */
const maxRounds = 8

/**
 * What a page passes, by its schema.
 *
 * 1. With `onIgnored`, unknown keys are left out and reported in one call: an SDK may be newer than its host, and a dapp
 *    may pass the options of another kit.
 * 2. Anything else that does not fit is INVALID_PARAMS; `data.issues` names each value by its path.
 */
export function parseParameters<P>(
  schema: z.ZodMiniType<P>,
  raw: unknown,
  onIgnored?: (paths: readonly string[]) => void,
): P {
  const ignored: string[] = []
  let value: unknown = raw ?? null
  for (let round = 0; round < maxRounds; round++) {
    const parsed = schema.safeParse(value, { error: issueMessage })
    if (parsed.success) {
      if (ignored.length > 0) onIgnored?.(ignored)
      return parsed.data
    }
    const issues = parsed.error.issues.flatMap((issue) => innermost(issue, []))
    const unknown = issues.flatMap((issue) =>
      issue.code === 'unrecognized_keys' ? issue.keys.map((key) => [...issue.path, key]) : [],
    )
    const isRight = onIgnored !== undefined && issues.every(({ code }) => code === 'unrecognized_keys')
    if (!isRight)
      throw new Failure('INVALID_PARAMS', {
        data: { issues: toldOf(issues, onIgnored !== undefined) },
        cause: parsed.error,
      })
    ignored.push(...unknown.map(pathText))
    value = unknown.reduce<unknown>((rest, path) => without(rest, path), value)
  }
  throw new Failure('INVALID_PARAMS')
}

/** For a union, returns the issues of the best branch: the one that fails deepest. */
function innermost(issue: Issue, base: Path): Issue[] {
  const path = [...base, ...issue.path]
  if (issue.code !== 'invalid_union' || issue.errors.length === 0) return [{ ...issue, path }]
  const branches = issue.errors.map((branch) => branch.flatMap((inner) => innermost(inner, path)))
  const depthOf = (branch: Issue[]) => Math.max(...branch.map((inner) => depthIn(inner)))
  const best = branches.reduce((one, other) => (depthOf(other) > depthOf(one) ? other : one))
  return depthOf(best) > path.length ? best : [{ ...issue, path }]
}

/** An unknown key lies in the object that has it. */
const depthIn = (issue: Issue): number => issue.path.length + (issue.code === 'unrecognized_keys' ? 1 : 0)

function toldOf(issues: readonly Issue[], ignoresUnknown: boolean): ParameterIssue[] {
  return issues
    .filter(({ code }) => !ignoresUnknown || code !== 'unrecognized_keys')
    .map(({ path, message }) => ({ path: pathText(path), message }))
}

/** A copy. */
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
