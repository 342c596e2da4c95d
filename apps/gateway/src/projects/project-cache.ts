/**
 * Caches projects in memory: every page and call needs its project first.
 *
 * 1. For a second after a read, the project, or its absence, is returned from memory.
 * 2. Then concurrent requests share one query: another replica's change shows after a second, this instance's at once.
 * 3. A slow database delays no request: after `patience`, a cached project under ten seconds old is returned. Others
 *    wait, so a removed origin is out by then.
 * 4. Memory is bounded: the least recently requested projects are evicted first.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { dropOldest } from '../platform/drop-oldest'
import type { Project } from './project'
import type { ProjectStore } from './store'

type CachedProject = {
  /** Epoch ms; later changes may be missing. */
  readonly requestedAt: number
  readonly project: Project | null
}

/** In ms, except `max`. */
export type ProjectCacheOptions = {
  /** Epoch ms. */
  readonly now: () => number
  readonly fresh?: number
  readonly stale?: number
  readonly patience?: number
  readonly max?: number
}

export function cacheProjects(store: ProjectStore, options: ProjectCacheOptions): ProjectStore {
  const { now, fresh = 1_000, stale = 10_000, patience = 250, max = 10_000 } = options
  const known = new Map<string, CachedProject>()
  const asking = new Map<string, Promise<Project | null>>()

  return {
    async find(id) {
      const before = known.get(id)
      const at = now()
      if (before !== undefined && at - before.requestedAt < fresh) {
        putLast(id, before)
        return before.project
      }
      const pending = asking.get(id) ?? ask(id)
      return before !== undefined && at - before.requestedAt < stale ? orElse(pending, before.project) : pending
    },
    list: () => store.list(),
    add: (input) => changing(input.id, () => store.add(input)),
    update: (id, changes) => changing(id, () => store.update(id, changes)),
    remove: (id) => changing(id, () => store.remove(id)),
  }

  function ask(id: string): Promise<Project | null> {
    const requestedAt = now()
    const pending = store.find(id).then((project) => {
      // Not if the project changed during the read.
      if (asking.get(id) === pending) putLast(id, { requestedAt, project })
      return project
    })
    asking.set(id, pending)
    const done = () => {
      if (asking.get(id) === pending) asking.delete(id)
    }
    pending.then(done, done)
    return pending
  }

  async function orElse(pending: Promise<Project | null>, before: Project | null): Promise<Project | null> {
    const answered = new AbortController()
    try {
      return await Promise.race([pending, sleep(patience, before, { signal: answered.signal })])
    } catch {
      return before
    } finally {
      answered.abort()
    }
  }

  async function changing<T>(id: string, change: () => Promise<T>): Promise<T> {
    try {
      return await change()
    } finally {
      known.delete(id)
      asking.delete(id)
    }
  }

  function putLast(id: string, entry: CachedProject): void {
    known.delete(id)
    known.set(id, entry)
    dropOldest(known, max)
  }
}
