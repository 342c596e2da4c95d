export type Line = { readonly label: string; readonly value: string }

export type Outcome =
  | { readonly kind: 'idle' }
  | { readonly kind: 'busy'; readonly text: string; readonly lines: readonly Line[] }
  | { readonly kind: 'done'; readonly text: string; readonly lines: readonly Line[] }
  /** The user declined, or not everything succeeded. */
  | { readonly kind: 'note'; readonly text: string; readonly lines: readonly Line[] }
  | { readonly kind: 'failed'; readonly text: string; readonly lines: readonly Line[] }

export type Report = (outcome: Outcome) => void

export type Action = (report: Report) => Promise<void>

export async function attempt(report: Report, waiting: string, action: Action): Promise<void> {
  report({ kind: 'busy', text: waiting, lines: [] })
  try {
    await action(report)
  } catch (cause) {
    report(failureOf(cause))
  }
}

/** With the code for developers. */
function failureOf(cause: unknown): Outcome {
  const code = read(cause, 'code')
  const reason = read(cause, 'reason')
  const message = read(cause, 'shortMessage') ?? read(cause, 'message') ?? 'Something went wrong.'
  const declined = code === '4001' || code === 'USER_REJECTED'
  const codes = [code, reason].filter((part) => part !== undefined)
  return {
    kind: declined ? 'note' : 'failed',
    text: declined ? 'You declined. Nothing was signed or sent.' : message,
    lines: codes.length > 0 ? [{ label: 'Code', value: codes.join(' · ') }] : [],
  }
}

function read(value: unknown, key: string): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const member: unknown = Reflect.get(value, key)
  return typeof member === 'string' || typeof member === 'number' ? `${member}` : undefined
}
