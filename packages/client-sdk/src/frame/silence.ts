import { failure, type PosternError } from '../errors'

export type SilenceOptions = {
  readonly window: Pick<Window & typeof globalThis, 'fetch'>
  readonly origin: string
  readonly projectId: string
  readonly onRefused: (error: PosternError) => void
  /** The gateway cannot be asked either. */
  readonly onUnreachable: () => void
}

/**
 * The frame's navigation ended and nobody knocked: the browser may have blocked it by `frame-ancestors`, which a page is not told.
 * The gateway is asked whether this page may frame it. Returns what calls the question off.
 */
export function explainSilence({ window, origin, projectId, onRefused, onUnreachable }: SilenceOptions): () => void {
  const controller = new AbortController()
  const { signal } = controller
  const ask = async () => {
    const response = await window.fetch(originsUrl(origin, projectId), { signal, credentials: 'omit' })
    if (response.ok) return
    const error = refusalOf(await response.text())
    if (signal.aborted) return
    if (error === undefined) onUnreachable()
    else onRefused(error)
  }
  ask().catch(() => {
    if (!signal.aborted) onUnreachable()
  })
  return () => controller.abort()
}

export function originsUrl(origin: string, projectId: string): string {
  return `${origin}/projects/v1/origins?${new URLSearchParams({ projectId, st: 'page' })}`
}

/** The gateway's words (spec §8). */
export function refusalOf(body: string): PosternError | undefined {
  if (body.includes('Unauthorized: origin not allowed')) return failure('ORIGIN_NOT_ALLOWED')
  return body.includes('Unauthorized: invalid key') ? failure('INVALID_PROJECT_ID') : undefined
}
