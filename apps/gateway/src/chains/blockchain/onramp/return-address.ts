/** Where the provider may return the user, or null: our link must not lead anywhere else. */
import { isAllowed, type Project } from '../../../projects/project'

export function returnAddress(text: string, project: Project, modalOrigin: string): string | null {
  if (!URL.canParse(text)) return null
  const url = new URL(text)
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return null
  if (url.username !== '' || url.password !== '') return null
  if (url.origin !== modalOrigin && !isAllowed(url.origin, project)) return null
  return url.href
}
