/**
 * Where a visitor may be led back to from the seller: a page of the modal's own site, or of an origin that the project allows. Everything else would make a
 * link of ours lead to a stranger's page.
 *
 * @returns the address as the URL standard writes it, or null.
 */
import { isAllowed } from '../../pages/decide'
import type { Project } from '../../projects/project'

export function returnAddress(text: string, project: Project, modalOrigin: string): string | null {
  if (!URL.canParse(text)) return null
  const url = new URL(text)
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return null
  if (url.username !== '' || url.password !== '') return null
  if (url.origin !== modalOrigin && !isAllowed(url.origin, project)) return null
  return url.href
}
