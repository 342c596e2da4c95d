/**
 * Limits where the provider may return the user: the modal's own site, or an origin that the project allows. Otherwise
 * our link could lead anywhere.
 *
 * @returns the normalised URL, or null.
 */
import { isAllowed, type Project } from '../../../projects/project'

export function returnAddress(text: string, project: Project, modalOrigin: string): string | null {
  if (!URL.canParse(text)) return null
  const url = new URL(text)
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return null
  if (url.username !== '' || url.password !== '') return null
  if (url.origin !== modalOrigin && !isAllowed(url.origin, project)) return null
  return url.href
}
