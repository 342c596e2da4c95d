export type Finding = {
  readonly level: 'ok' | 'warning' | 'failure'
  /** Such as `TLS modal.example.com`. */
  readonly what: string
  /** With the fix, unless `ok`. */
  readonly text: string
}

export const ok = (what: string, text: string): Finding => ({ level: 'ok', what, text })
export const warning = (what: string, text: string): Finding => ({ level: 'warning', what, text })
export const failure = (what: string, text: string): Finding => ({ level: 'failure', what, text })

/** A network error's code, such as `ECONNREFUSED`; its message may hold a URL with a key. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'no answer'
  if (error.name === 'TimeoutError') return 'no answer in time'
  const { cause } = error
  const code = (error as { code?: unknown }).code ?? (cause as { code?: unknown } | undefined)?.code
  return typeof code === 'string' ? code : 'no answer'
}
