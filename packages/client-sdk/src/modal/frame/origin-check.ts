import type { PosternError } from '../../shared/errors'
import { modalFailure } from '../failures'

/** Why the gateway refuses this page. Undefined: the frame is only slow. */
export async function checkOrigin(
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

/** Spec §8. */
export function refusalOf(body: string): PosternError | undefined {
  if (body.includes('Unauthorized: origin not allowed')) return modalFailure('ORIGIN_NOT_ALLOWED')
  return body.includes('Unauthorized: invalid key') ? modalFailure('INVALID_PROJECT_ID') : undefined
}

/** A phrase if the browser hides it. */
export function foreignAncestor(window: Window): string {
  const ancestors: Partial<Pick<Location, 'ancestorOrigins'>> = window.location
  return (
    [...(ancestors.ancestorOrigins ?? [])].find((origin) => origin !== window.origin) ?? 'of the page around this one'
  )
}
