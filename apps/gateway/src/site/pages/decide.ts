/**
 * Decides between the real page and the static refusal.
 *
 * 1. No known project: refused for every caller.
 * 2. A `Referer` of an origin that the project does not allow: refused, so that the dapp can show a reason. With
 *    `frame-ancestors` alone, the browser shows a blank frame and tells the page nothing.
 * 3. A `Referer` of an allowed origin, or of the page itself (a reload): served.
 * 4. No `Referer`, or not an http(s) URL: served. `frame-ancestors` protects the page; this only explains a refusal.
 */
import type { ErrorCode } from '@postern/protocol'
import { isAllowed, type Project } from '../../projects/project'

export type Decision =
  | { readonly kind: 'serve'; readonly project: Project }
  | { readonly kind: 'refuse'; readonly code: ErrorCode; readonly origin: string | null }

export function decideFrame(
  projectId: string | undefined,
  project: Project | null,
  referer: string | undefined,
  modalOrigin: string,
): Decision {
  const origin = originOf(referer)
  if (projectId === undefined || projectId === '') return { kind: 'refuse', code: 'PROJECT_ID_NOT_CONFIGURED', origin }
  if (project === null) return { kind: 'refuse', code: 'INVALID_PROJECT_ID', origin }
  if (origin === null || origin === modalOrigin || isAllowed(origin, project)) return { kind: 'serve', project }
  return { kind: 'refuse', code: 'ORIGIN_NOT_ALLOWED', origin }
}

export function originOf(url: string | undefined): string | null {
  if (url === undefined || !URL.canParse(url)) return null
  const { origin, protocol } = new URL(url)
  return protocol === 'http:' || protocol === 'https:' ? origin : null
}
