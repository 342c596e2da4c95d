import { defaultFeatures } from '@postern/protocol'
import type { Project } from '../projects/project'

export function offersEmail(mails: boolean, project: Pick<Project, 'features'>): boolean {
  return mails && (project.features.email ?? defaultFeatures.email)
}
