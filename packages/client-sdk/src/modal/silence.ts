import type { PosternError } from '../errors'
import { modalFailure } from './failures'

/** Asks the gateway whether this page may frame the modal. Undefined: it may, so the frame is only slow. */
export async function askWhySilent(
  window: Pick<Window & typeof globalThis, 'fetch'>,
  origin: string,
  projectId: string,
): Promise<PosternError | 'unreachable' | undefined> {
  try {
    const response = await window.fetch(originsUrl(origin, projectId), { credentials: 'omit' })
    return response.ok ? undefined : (refusalOf(await response.text()) ?? 'unreachable')
  } catch {
    return 'unreachable'
  }
}

export function originsUrl(origin: string, projectId: string): string {
  return `${origin}/projects/v1/origins?${new URLSearchParams({ projectId, st: 'page' })}`
}

/** The gateway's words (spec §8). */
export function refusalOf(body: string): PosternError | undefined {
  if (body.includes('Unauthorized: origin not allowed')) return modalFailure('ORIGIN_NOT_ALLOWED')
  return body.includes('Unauthorized: invalid key') ? modalFailure('INVALID_PROJECT_ID') : undefined
}

/** The first page around this one that is another site's, where the browser tells; else only that there is one. */
export function foreignAncestor(window: Window): string {
  const ancestors: Partial<Pick<Location, 'ancestorOrigins'>> = window.location
  return (
    [...(ancestors.ancestorOrigins ?? [])].find((origin) => origin !== window.origin) ?? 'of the page around this one'
  )
}
