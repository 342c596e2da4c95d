/**
 * Lets `inner` end with `outer` too, and returns its signal. `AbortSignal.any` would do, but Safari has it from 17.4 on only.
 * The listener on `outer` ends when `inner` does.
 */
export function followAbort(inner: AbortController, outer: AbortSignal | undefined): AbortSignal {
  const follow = () => inner.abort(outer?.reason)
  if (outer?.aborted) follow()
  outer?.addEventListener('abort', follow, { once: true, signal: inner.signal })
  return inner.signal
}
