/** A hosted Blockchain API. */
import * as z from 'zod/mini'

export type HostedConfig = {
  /** Without a trailing slash. */
  readonly url: string
  /** For all projects; null: each project's own id. */
  readonly projectId: string | null
}

const Url = z.url({ protocol: /^https?$/ }).check(
  z.refine((text) => {
    if (!URL.canParse(text)) return false
    const { username, password, search, hash } = new URL(text)
    return `${username}${password}${search}${hash}` === ''
  }),
)
const ProjectId = z.string().check(z.regex(/^[-\w]{1,64}$/))

type Variables = Readonly<Record<string, string | undefined>>

/** @param problems one line per invalid variable. */
export function readHosted(env: Variables, problems: string[]): HostedConfig | null {
  const { POSTERN_HOSTED_API: text, POSTERN_HOSTED_PROJECT: project } = env
  if (text === undefined) {
    if (project !== undefined) problems.push('POSTERN_HOSTED_PROJECT is of no use without POSTERN_HOSTED_API')
    return null
  }
  const url = Url.safeParse(text)
  if (!url.success) problems.push('POSTERN_HOSTED_API must be an http or https URL without user, query and fragment')
  else if (env.NODE_ENV === 'production' && !url.data.startsWith('https:')) {
    problems.push('POSTERN_HOSTED_API must be https in production')
  }
  const projectId = ProjectId.safeParse(project ?? 'own')
  if (!projectId.success) problems.push('POSTERN_HOSTED_PROJECT must be a project id')
  if (!url.success || !projectId.success) return null
  return { url: url.data.replace(/\/+$/, ''), projectId: project === undefined ? null : projectId.data }
}
