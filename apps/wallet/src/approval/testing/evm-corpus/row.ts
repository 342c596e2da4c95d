import type { ApprovalRequest } from '@postern/protocol'
import type { DescribeContext, Warning } from '../../../intent/intent'
import type { Answers } from '../draw-card'

export type Row = {
  readonly name: string
  readonly request: ApprovalRequest
  readonly answers?: Answers
  readonly context?: Partial<DescribeContext>
  /** These are among the warnings. */
  readonly warns: readonly Warning['kind'][]
  /** Parts of the card's text. */
  readonly shows: readonly (string | RegExp)[]
  readonly hides?: readonly (string | RegExp)[]
}
