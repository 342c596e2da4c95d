/**
 * Caches projects in memory, because every page and every call needs its project first.
 *
 * 1. For a second after a read, the project is returned from memory, also if there is none.
 * 2. After that, one query is shared by all concurrent requests. So a change of another replica shows after a second,
 *    and a change through this instance at once.
 * 3. A slow or unreachable database delays no request: after `patience`, the cached project is returned if it is at
 *    most a minute old. Older or unknown projects must wait for the database.
 * 4. Memory is bounded: the least recently requested projects are evicted first.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Project } from './project'
import type { ProjectStore } from './store'

type Remembered = {
  /** Epoch ms; later changes may be missing. */
  readonly askedAt: number
  readonly project: Project | null
}

/** In ms, except `most`. */
export type RememberOptions = {
  /** Epoch milliseconds. */
  readonly now: () => number
  readonly fresh?: number
  readonly stale?: number
  readonly patience?: number
  readonly most?: number
}

export function rememberProjects(store: ProjectStore, options: RememberOptions): ProjectStore {
  const { now, fresh = 1_000, stale = 60_000, patience = 250, most = 10_000 } = options
  const known = new Map<string, Remembered>()
  const asking = new Map<string, Promise<Project | null>>()

  return {
    async find(id) {
      const before = known.get(id)
      const at = now()
      if (before !== undefined && at - before.askedAt < fresh) {
        remember(id, before)
        return before.project
      }
      const asked = asking.get(id) ?? ask(id)
      return before !== undefined && at - before.askedAt < stale ? orElse(asked, before.project) : asked
    },
    list: () => store.list(),
    add: (input) => changing(input.id, () => store.add(input)),
    update: (id, changes) => changing(id, () => store.update(id, changes)),
    remove: (id) => changing(id, () => store.remove(id)),
  }

  function ask(id: string): Promise<Project | null> {
    const askedAt = now()
    const asked = store.find(id).then((project) => {
      // Not if the project changed during the read.
      if (asking.get(id) === asked) remember(id, { askedAt, project })
      return project
    })
    asking.set(id, asked)
    const done = () => {
      if (asking.get(id) === asked) asking.delete(id)
    }
    asked.then(done, done)
    return asked
  }

  async function orElse(asked: Promise<Project | null>, before: Project | null): Promise<Project | null> {
    const answered = new AbortController()
    try {
      return await Promise.race([asked, sleep(patience, before, { signal: answered.signal })])
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

  /** Moves it to the end. */
  function remember(id: string, entry: Remembered): void {
    known.delete(id)
    known.set(id, entry)
    for (const oldest of known.keys()) {
      if (known.size <= most) return
      known.delete(oldest)
    }
  }
}
