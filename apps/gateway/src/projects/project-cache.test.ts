import { beforeEach, describe, expect, test } from 'vitest'
import { type Project, ProjectInput } from './project'
import { cacheProjects } from './project-cache'
import type { ProjectStore } from './store'

const input = ProjectInput.parse({ id: 'demo', name: 'Demo' })
const dates = { createdAt: '2026-01-01T00:00:00.000Z', updatedAt: '2026-01-01T00:00:00.000Z' }

/** Reads wait until the test releases them. */
function slowStore() {
  const rows = new Map<string, Project>()
  const waiting: (() => void)[] = []
  let calls = 0
  let isBusy = false
  const store: ProjectStore = {
    async find(id) {
      calls += 1
      const row = rows.get(id) ?? null
      if (isBusy) await new Promise<void>((resolve) => waiting.push(resolve))
      return row
    },
    list: async () => [...rows.values()],
    async add(created) {
      if (rows.has(created.id)) return null
      const project = { ...created, defaultAncestors: created.defaultAncestors ?? true, ...dates }
      rows.set(created.id, project)
      return project
    },
    async update(id, changes) {
      const before = rows.get(id)
      if (before === undefined) return null
      const project = { ...before, name: changes.name ?? before.name }
      rows.set(id, project)
      return project
    },
    remove: async (id) => rows.delete(id),
  }
  return {
    store,
    rows,
    calls: () => calls,
    setBusy(busy: boolean) {
      isBusy = busy
    },
    answer() {
      for (const resolve of waiting.splice(0)) resolve()
    },
  }
}

describe('cacheProjects', () => {
  let behind: ReturnType<typeof slowStore>
  let at: number
  let projects: ProjectStore
  beforeEach(async () => {
    behind = slowStore()
    at = 1_000_000
    projects = cacheProjects(behind.store, { now: () => at, patience: 1, max: 3 })
    await behind.store.add(input)
  })

  test('1. returns the same object from memory for a second, also for a missing project', async () => {
    const first = await projects.find('demo')
    expect(first?.name).toBe('Demo')
    expect(await projects.find('none')).toBeNull()
    at += 999
    expect(await projects.find('demo')).toBe(first)
    expect(await projects.find('none')).toBeNull()
    expect(behind.calls()).toBe(2)
  })

  test('2. another replica’s change shows after a second', async () => {
    await projects.find('demo')
    await behind.store.update('demo', { name: 'Renamed' })
    at += 999
    expect((await projects.find('demo'))?.name).toBe('Demo')
    at += 1
    expect((await projects.find('demo'))?.name).toBe('Renamed')
  })

  test('2. concurrent requests share one query', async () => {
    const projectsFound = await Promise.all(Array.from({ length: 50 }, () => projects.find('demo')))
    expect(new Set(projectsFound).size).toBe(1)
    expect(behind.calls()).toBe(1)
  })

  test('2. a change through this instance shows at once, even during a read', async () => {
    await projects.find('demo')
    await projects.update('demo', { name: 'Renamed' })
    expect((await projects.find('demo'))?.name).toBe('Renamed')
    at += 60_000
    behind.setBusy(true)
    const reading = projects.find('demo')
    await projects.remove('demo')
    behind.setBusy(false)
    expect(await projects.find('demo')).toBeNull()
    behind.answer()
    expect((await reading)?.name).toBe('Renamed')
    expect(await projects.find('demo')).toBeNull()
    await projects.add(input)
    expect((await projects.find('demo'))?.name).toBe('Demo')
  })

  test('3. a slow database delays no request, and its result is used when it arrives', async () => {
    await projects.find('demo')
    await behind.store.update('demo', { name: 'Renamed' })
    behind.setBusy(true)
    at += 9_999
    expect((await projects.find('demo'))?.name).toBe('Demo')
    expect((await projects.find('demo'))?.name).toBe('Demo')
    expect(behind.calls()).toBe(2)
    behind.setBusy(false)
    const pending = projects.find('demo')
    behind.answer()
    expect((await pending)?.name).toBe('Renamed')
  })

  test('3. hides a failing database for ten seconds', async () => {
    let isDown = false
    const failing = cacheProjects(
      { ...behind.store, find: (id) => (isDown ? Promise.reject(new Error('gone')) : behind.store.find(id)) },
      { now: () => at },
    )
    await failing.find('demo')
    isDown = true
    at += 9_999
    expect((await failing.find('demo'))?.name).toBe('Demo')
    at += 1
    await expect(failing.find('demo')).rejects.toThrow('gone')
    await expect(failing.find('none')).rejects.toThrow('gone')
    isDown = false
    expect((await failing.find('demo'))?.name).toBe('Demo')
  })

  test('3. an origin that was removed is out after ten seconds, also with a slow database', async () => {
    await projects.find('demo')
    await behind.store.update('demo', { name: 'Without the origin' })
    behind.setBusy(true)
    at += 10_000
    const pending = projects.find('demo')
    let isSettled = false
    void pending.then(() => {
      isSettled = true
    })
    // real time: longer than `patience`, after which the old project must not be returned.
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect(isSettled).toBe(false)
    behind.answer()
    expect((await pending)?.name).toBe('Without the origin')
  })

  test('4. evicts the least recently requested project', async () => {
    for (const id of ['demo', 'a', 'b', 'demo', 'c', 'demo', 'b']) await projects.find(id)
    expect(behind.calls()).toBe(4)
    await projects.find('a')
    expect(behind.calls()).toBe(5)
  })
})
