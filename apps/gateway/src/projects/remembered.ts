/**
 * Projects in memory, so that a page waits for no database: every page and every call asks for its project first.
 *
 * 1. A project that was read less than a second ago is answered from memory, and so is that there is none.
 * 2. After that the database is asked, once for all who ask meanwhile. So a change holds after a second, and one that is made through here holds at once.
 * 3. A database that is busy, or gone, keeps nobody waiting: after `patience` what was known is answered, while it is no older than a minute. Later, and where nothing was known,
 *    there is no answer but the database's.
 * 4. Memory is bounded: the projects that were asked for least recently are forgotten first.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Project } from './project'
import type { ProjectStore } from './store'

type Remembered = {
  /** When it was asked for, epoch milliseconds: what changes from then on it may not know. */
  readonly askedAt: number
  readonly project: Project | null
}

/** All in milliseconds, but `most`. */
export type RememberOptions = {
  /** Epoch milliseconds. */
  readonly now: () => number
  readonly fresh?: number
  readonly stale?: number
  readonly patience?: number
  /** Projects. */
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
      // What was changed meanwhile is asked for anew.
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

  /** Puts it last. */
  function remember(id: string, entry: Remembered): void {
    known.delete(id)
    known.set(id, entry)
    for (const oldest of known.keys()) {
      if (known.size <= most) return
      known.delete(oldest)
    }
  }
}
