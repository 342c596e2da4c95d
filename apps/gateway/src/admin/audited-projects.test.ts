import { describe, expect, test } from 'vitest'
import { ProjectInput } from '../projects/project'
import { createProjectStore } from '../projects/store'
import { databases } from '../testing/databases'
import { createAudit } from './audit'
import { auditedProjects, commandLine } from './audited-projects'

describe.each(databases)('changes of projects on $kind', ({ open }) => {
  test('are in the audit log, with the names of the settings and not their values', async () => {
    const database = await open()
    const now = () => 1_800_000_000_000
    const audit = createAudit(database, now)
    const projects = auditedProjects(createProjectStore(database, now), audit, commandLine)
    await projects.add(ProjectInput.parse({ id: 'shop', name: 'Shop' }))
    await projects.update('shop', { walletConnect: 'secret-id', name: 'Store' })
    await projects.remove('shop')
    const entries = (await audit.list({ target: 'shop' })).map(({ actor, action, detail }) => ({
      actor,
      action,
      detail,
    }))
    expect(entries).toEqual([
      { actor: 'command line', action: 'project.delete', detail: null },
      { actor: 'command line', action: 'project.update', detail: 'name, walletConnect' },
      { actor: 'command line', action: 'project.create', detail: null },
    ])
    await database.close()
  })
})
