import type * as z from 'zod/mini'

type Issue = z.core.$ZodIssue
type Path = readonly PropertyKey[]

/** For example `networks[0].name`. */
export function pathText(path: Path): string {
  return path
    .map((key, index) => (typeof key === 'number' ? `[${key}]` : `${index > 0 ? '.' : ''}${String(key)}`))
    .join('')
}

/** With whole paths. Of a union, the issues of the branch that fails deepest. */
export function innermostIssues(issues: readonly Issue[], base: Path = []): Issue[] {
  return issues.flatMap((issue) => innermost(issue, base))
}

function innermost(issue: Issue, base: Path): Issue[] {
  const path = [...base, ...issue.path]
  if (issue.code !== 'invalid_union' || issue.errors.length === 0) return [{ ...issue, path }]
  const branches = issue.errors.map((branch) => innermostIssues(branch, path))
  const depthOf = (branch: Issue[]) => Math.max(...branch.map((inner) => depthIn(inner)))
  const best = branches.reduce((one, other) => (depthOf(other) > depthOf(one) ? other : one))
  return depthOf(best) > path.length ? best : [{ ...issue, path }]
}

/** The path of an unknown key ends at its object. */
const depthIn = (issue: Issue): number => issue.path.length + (issue.code === 'unrecognized_keys' ? 1 : 0)
