/** The admin API's operations on projects. */
import { randomBytes } from 'node:crypto'
import * as z from 'zod/mini'
import { problem } from '../../platform/http/problem'
import { isAllowed, listedEntry, Project, ProjectChanges, ProjectId, ProjectInput } from '../../projects/project'
import { signInChainsProblem } from '../../projects/sign-in-networks'
import type { ProjectStore } from '../../projects/store'
import { auditedProjects } from './audited-projects'
import { type AdminOperation, type AdminParts, Done, done, missing, operation } from './operation'

/** Default id: random. */
const NewProject = z.extend(ProjectInput, { id: z.optional(ProjectId) })
const TestOrigin = z.strictObject({ origin: z.string().check(z.maxLength(2_048)) })
const OriginTest = z.strictObject({
  allowed: z.boolean(),
  /** Entry of the list, or `default ancestors`; null if no rule allows it. */
  rule: z.nullable(z.string()),
  /** Of the entered URL. */
  origin: z.string(),
})

export const projectOperations: readonly AdminOperation[] = [
  {
    method: 'get',
    path: '/projects',
    summary: 'All projects',
    role: 'viewer',
    response: z.array(Project),
    run: ({ projects }) => projects.list(),
  },
  operation({
    method: 'post',
    path: '/projects',
    summary: 'Makes a project',
    role: 'admin',
    body: NewProject,
    response: Project,
    run: async (parts, { body, operator }) => {
      const input = { ...body, id: body.id ?? randomBytes(16).toString('hex') }
      requireKnownChains(parts, body)
      if ((await parts.projects.find(input.id)) !== null) throw taken(input.id)
      const project = await auditedProjects(parts.projects, parts.audit, operator.name).add(input)
      if (project === null) throw taken(input.id)
      return project
    },
  }),
  {
    method: 'get',
    path: '/projects/{id}',
    summary: 'One project',
    role: 'viewer',
    response: Project,
    run: async ({ projects }, { id }) => requireProject(projects, id),
  },
  operation({
    method: 'patch',
    path: '/projects/{id}',
    summary: 'Changes the settings that are named, and keeps the rest',
    role: 'admin',
    body: ProjectChanges,
    response: Project,
    run: async (parts, { id, body, operator }) => {
      const { projects, audit } = parts
      await requireProject(projects, id)
      requireKnownChains(parts, body)
      if (Object.keys(body).length === 0) throw problem(400, 'request', 'Nothing to change')
      const project = await auditedProjects(projects, audit, operator.name).update(id, body)
      if (project === null) throw missing('project')
      return project
    },
  }),
  {
    method: 'delete',
    path: '/projects/{id}',
    summary: 'Deletes a project with its events',
    role: 'admin',
    response: Done,
    run: async ({ projects, audit }, { id, operator }) => {
      await requireProject(projects, id)
      await auditedProjects(projects, audit, operator.name).remove(id)
      return done
    },
  },
  operation({
    method: 'post',
    path: '/projects/{id}/test-origin',
    summary: 'Whether the project allows an origin, and by which rule',
    role: 'viewer',
    body: TestOrigin,
    response: OriginTest,
    run: async ({ projects }, { id, body }) => testOrigin(await requireProject(projects, id), body.origin),
  }),
]

function testOrigin(project: Project, entered: string): z.infer<typeof OriginTest> {
  if (!URL.canParse(entered) || !/^https?:$/.test(new URL(entered).protocol)) {
    throw problem(400, 'origin', 'Enter an origin such as https://app.example.com')
  }
  const { origin } = new URL(entered)
  const allowed = isAllowed(origin, project)
  return { allowed, rule: allowed ? (listedEntry(origin, project) ?? 'default ancestors') : null, origin }
}

function requireKnownChains(
  { signInNetworks }: Pick<AdminParts, 'signInNetworks'>,
  { signInChains }: Pick<ProjectChanges, 'signInChains'>,
): void {
  const wrong = signInChainsProblem(signInChains, signInNetworks)
  if (wrong !== null) throw problem(400, 'request', `signInChains: ${wrong}`)
}

/** @throws {Problem} 404 */
export async function requireProject(projects: Pick<ProjectStore, 'find'>, id: string): Promise<Project> {
  const project = ProjectId.safeParse(id).success ? await projects.find(id) : null
  if (project === null) throw missing('project')
  return project
}

function taken(id: string) {
  return problem(409, 'id', `There is already a project ${id}`)
}
