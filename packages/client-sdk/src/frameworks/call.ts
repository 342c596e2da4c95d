export type CallState = {
  readonly status: 'idle' | 'pending' | 'success' | 'error'
  readonly error: unknown
}

export const idle: CallState = { status: 'idle', error: null }

/** Reports the newest run's state. Rejects like the call. */
export function trackCall<A extends readonly unknown[], R>(
  call: (...args: A) => Promise<R>,
  onState: (state: CallState) => void,
): (...args: A) => Promise<R> {
  let newest = 0
  return async (...args) => {
    const callId = ++newest
    const settle = (status: CallState['status'], error: unknown = null) =>
      callId === newest && onState({ status, error })
    settle('pending')
    try {
      const result = await call(...args)
      settle('success')
      return result
    } catch (error) {
      settle('error', error)
      throw error
    }
  }
}
