import type { Project, ProjectChanges, ProjectInput } from '../../projects/project'
import type { ProjectStore } from '../../projects/store'
import type { Audit } from './audit'

/** Who gets in, where users approve, who can open their wallets. The log shows a change that is undone later. */
const securitySettings = [
  'allowedOrigins',
  'defaultAncestors',
  'approvals',
  'recovery',
  'recoveryChoice',
  'recoveryWaitHours',
  'signInChains',
] as const satisfies readonly (keyof ProjectChanges)[]
const isSecuritySetting = (name: string) => securitySettings.some((setting) => setting === name)

/**
 * Writes each change to the audit log first, for the admin API and the command line.
 *
 * 1. An entry names the settings, with old and new value of those that decide about security; of a list, the
 *    difference.
 * 2. A new project has no old values, a deleted one no new ones.
 *
 * @param actor the operator's name, or {@link commandLine}.
 */
export function auditedProjects(store: ProjectStore, audit: Pick<Audit, 'write'>, actor: string): ProjectStore {
  const write = (action: string, target: string, detail: string | null = null) =>
    audit.write({ actor, action, target, detail })
  return {
    ...store,
    async add(input) {
      await write('project.create', input.id, valuesOf(input))
      return store.add(input)
    },
    async update(id, changes) {
      await write('project.update', id, changesOf(await store.find(id), changes))
      return store.update(id, changes)
    },
    async remove(id) {
      const project = await store.find(id)
      await write('project.delete', id, project === null ? null : valuesOf(project))
      return store.remove(id)
    },
  }
}

function valuesOf(project: ProjectInput | Project): string {
  return securitySettings
    .filter((name) => project[name] !== undefined)
    .map((name) => `${name}: ${textOf(project[name])}`)
    .join('; ')
}

function changesOf(before: Project | null, changes: ProjectChanges): string {
  const old: Readonly<Record<string, unknown>> = before ?? {}
  const set = Object.entries(changes)
    .filter(([, value]) => value !== undefined)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
  const names = set.flatMap(([name]) => (isSecuritySetting(name) ? [] : [name])).join(', ')
  const values = set.flatMap(([name, value]) => (isSecuritySetting(name) ? [changeOf(name, old[name], value)] : []))
  return [...(names === '' ? [] : [names]), ...values].join('; ')
}

function changeOf(name: string, before: unknown, after: unknown): string {
  if (Array.isArray(before) && Array.isArray(after)) {
    const added = after.filter((item) => !before.includes(item)).map((item) => `+${item}`)
    const removed = before.filter((item) => !after.includes(item)).map((item) => `-${item}`)
    return `${name}: ${[...added, ...removed].join(' ') || 'unchanged'}`
  }
  if (isRecord(before) && isRecord(after)) {
    const changed = Object.keys(after).filter((key) => textOf(before[key]) !== textOf(after[key]))
    return changed.map((key) => changeOf(`${name}.${key}`, before[key], after[key])).join('; ') || `${name}: unchanged`
  }
  return `${name}: ${textOf(before)} → ${textOf(after)}`
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const textOf = (value: unknown): string =>
  Array.isArray(value) ? value.join(' ') || 'none' : (JSON.stringify(value) ?? 'none')
