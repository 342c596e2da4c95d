/** Aborts `inner` when `outer` aborts. (`AbortSignal.any` needs Safari 17.4.) */
export function followAbort(inner: AbortController, outer: AbortSignal | undefined): AbortSignal {
  const follow = () => inner.abort(outer?.reason)
  if (outer?.aborted) follow()
  outer?.addEventListener('abort', follow, { once: true, signal: inner.signal })
  return inner.signal
}
