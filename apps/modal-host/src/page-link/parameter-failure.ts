import { errors } from '@postern/protocol'
import { Failure } from '@postern/protocol/failure'
import { innermostIssues, pathText } from '@postern/protocol/validation/issue-path'
import { describeIssues, issueMessage } from '@postern/protocol/validation/issues'
import type * as z from 'zod/mini'

/** `path`: `networks[0].name`; empty for the whole value. */
export type ParameterIssue = { readonly path: string; readonly message: string }

/** `data.issues` has all of them. */
const maxNamedIssues = 4

/** INVALID_PARAMS. Loaded on first use, to keep the texts out of the first paint. */
export function parameterFailure(schema: z.ZodMiniType, value: unknown, ignoresUnknown: boolean): Failure {
  const { error } = schema.safeParse(value, { error: issueMessage })
  const issues = innermostIssues(error?.issues ?? []).filter(
    ({ code }) => !ignoresUnknown || code !== 'unrecognized_keys',
  )
  return new Failure('INVALID_PARAMS', {
    message: `${errors.INVALID_PARAMS.message}: ${describeIssues(issues.slice(0, maxNamedIssues))}`,
    data: { issues: issues.map(({ path, message }): ParameterIssue => ({ path: pathText(path), message })) },
    cause: error,
  })
}
