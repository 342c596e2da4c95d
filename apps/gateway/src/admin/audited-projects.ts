import type { ProjectStore } from '../projects/store'
import type { Audit } from './audit'

/** The actor of changes by `npm run gateway -- project …`. */
export const commandLine = 'command line'

/**
 * Each change is written to the audit log first, with the names of the settings. For the admin API and the command line.
 *
 * @param actor the operator's name, or {@link commandLine}.
 */
export function auditedProjects(store: ProjectStore, audit: Pick<Audit, 'write'>, actor: string): ProjectStore {
  const write = (action: string, target: string, detail: string | null = null) =>
    audit.write({ actor, action, target, detail })
  return {
    ...store,
    async add(input) {
      await write('project.create', input.id)
      return store.add(input)
    },
    async update(id, changes) {
      await write('project.update', id, settingsOf(changes))
      return store.update(id, changes)
    },
    async remove(id) {
      await write('project.delete', id)
      return store.remove(id)
    },
  }
}

/** Their names. */
function settingsOf(changes: object): string {
  return Object.entries(changes)
    .flatMap(([name, value]) => (value === undefined ? [] : [name]))
    .sort()
    .join(', ')
}
