import { defaultFeatures, Features, type SocialProvider } from '@postern/protocol'
import type { Project } from './project'

export type SignInMethods = {
  readonly email: boolean
  readonly socials: readonly SocialProvider[]
  readonly farcaster: boolean
}

/** With the clients of that project. */
export type SignInMethodsOf = (projectId: string) => SignInMethods

/** Supported here and enabled by the project. Without socials, Farcaster is off. */
export function offered(project: Project, methods: SignInMethods) {
  const { socials } = Features.parse({ ...defaultFeatures, ...project.features })
  return {
    email: offersEmail(methods.email, project),
    socials: socials.filter((provider) => methods.socials.includes(provider)),
    farcaster: methods.farcaster && socials.length > 0,
  }
}

export function offersEmail(mails: boolean, project: Pick<Project, 'features'>): boolean {
  return mails && (project.features.email ?? defaultFeatures.email)
}
