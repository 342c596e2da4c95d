import { describe, expect, test } from 'vitest'
import { commandLine } from '../../platform/db/admin-schema'
import { ProjectInput } from '../../projects/project'
import { createProjectStore } from '../../projects/store'
import { databases } from '../../testing/databases'
import { createAudit } from './audit'
import { auditedProjects } from './audited-projects'

describe.each(databases)('changes of projects on $kind', ({ open }) => {
  test('have the old and new value of the settings that decide about security', async () => {
    const database = await open()
    const now = () => 1_800_000_000_000
    const audit = createAudit(database, now)
    const projects = auditedProjects(createProjectStore(database, now), audit, commandLine)
    const app = 'https://app.example.com'
    await projects.add(ProjectInput.parse({ id: 'shop', name: 'Shop', allowedOrigins: [app] }))
    const trusting = { place: 'auto' as const, windowAboveUsd: 10, trustedOrigins: [app] }
    await projects.update('shop', { approvals: trusting, allowedOrigins: [app, 'https://evil.example'] })
    // For an hour.
    await projects.update('shop', { approvals: { ...trusting, trustedOrigins: [] }, allowedOrigins: [app] })
    await projects.update('shop', { recoveryWaitHours: 0, recovery: 'hardened', defaultAncestors: false, look: {} })
    await projects.update('shop', { signInChains: ['eip155:1'] })
    await projects.update('none', { recoveryWaitHours: 1 })
    await projects.remove('shop')
    const details = (await audit.list({})).map(({ detail }) => detail).toReversed()
    expect(details).toEqual([
      expect.stringMatching(
        /^allowedOrigins: https:\/\/app\.example\.com; approvals: \{.*"trustedOrigins":\[\].*\}; recovery: "any"; recoveryChoice: "later"; recoveryWaitHours: 0; signInChains: null$/,
      ),
      `allowedOrigins: +https://evil.example; approvals.windowAboveUsd: null → 10; approvals.trustedOrigins: +${app}`,
      `allowedOrigins: -https://evil.example; approvals.trustedOrigins: -${app}`,
      'look; defaultAncestors: true → false; recovery: "any" → "hardened"; recoveryWaitHours: 0 → 0',
      'signInChains: null → eip155:1',
      'recoveryWaitHours: none → 1',
      expect.stringMatching(
        /^allowedOrigins: https:\/\/app\.example\.com; defaultAncestors: false; approvals: \{.*"windowAboveUsd":10,.*\}; recovery: "hardened";/,
      ),
    ])
    await database.close()
  })

  test('are in the audit log, with the names of the other settings and not their values', async () => {
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
      { actor: 'command line', action: 'project.delete', detail: expect.not.stringContaining('secret-id') },
      { actor: 'command line', action: 'project.update', detail: 'name, walletConnect' },
      { actor: 'command line', action: 'project.create', detail: expect.stringContaining('allowedOrigins: none') },
    ])
    await database.close()
  })
})
