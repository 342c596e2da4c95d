import { defaultFeatures } from '@postern/protocol'
import type { Project } from '../projects/project'

/** Whether this gateway and this project let visitors sign in by email: it needs somewhere to send mail, and the project's consent. */
export function offersEmail(mails: boolean, project: Pick<Project, 'features'>): boolean {
  return mails && (project.features.email ?? defaultFeatures.email)
}
