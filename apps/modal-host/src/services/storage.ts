/**
 * The host's storage for values that are not secret.
 *
 * 1. The frame's own localStorage, partitioned by the embedding site; if the browser denies it, the dapp's page, over
 *    the link. Nothing throws.
 * 2. Keys carry the product's prefix, the project and the dapp's origin: two dapps of one site never collide.
 * 3. Reads return the last write, even if saving it failed. A copy that the page sends is older than a write that the
 *    page has not confirmed.
 * 4. The page takes keys up to 128 characters and values up to 1 MiB; larger ones live as long as the frame.
 */
export type HostStorage = {
  readonly place: 'frame' | 'page'
  get(name: string): string | null
  /** `null` deletes the value. */
  set(name: string, value: string | null): void
  /** Reads what another tab may have written. `stored` is the page's copy. */
  reload(stored: Readonly<Record<string, string>>): void
  /** For a `storage` event. Names with a slash belong to a library. */
  owns(key: string | null): boolean
}

export type HostStorageOptions = {
  readonly frameStorage: () => Storage
  readonly projectId: string
  readonly origin: string
  readonly stored: Readonly<Record<string, string>>
  /** Resolves once the page has tried to store the value. */
  readonly keepInPage: (key: string, value: string | null) => Promise<unknown>
}

export function createHostStorage(options: HostStorageOptions): HostStorage {
  const frame = probe(options.frameStorage)
  const prefix = `@postern/${options.projectId}/${options.origin}/`
  const pageKey = (name: string) => `${options.projectId}/${name}`
  let page = new Map(Object.entries(options.stored))
  /** Last writes, until the page confirms them. */
  const unconfirmed = new Map<string, { readonly value: string | null }>()
  /** Refused by the frame's storage (quota); they override it for this visit. */
  const unsaved = new Map<string, string | null>()

  function writeCopy(key: string, value: string | null): void {
    if (value === null) page.delete(key)
    else page.set(key, value)
  }

  return {
    place: frame === null ? 'page' : 'frame',
    get(name) {
      if (frame === null) return page.get(pageKey(name)) ?? null
      const override = unsaved.get(name)
      if (override !== undefined) return override
      return attempt(() => frame.getItem(prefix + name)) ?? null
    },
    set(name, value) {
      if (frame === null) {
        const key = pageKey(name)
        writeCopy(key, value)
        const write = { value }
        unconfirmed.set(key, write)
        if (key.length > maxKeyLength) return
        const isTooLarge = value !== null && value.length > maxValueLength
        const confirm = () => {
          if (!isTooLarge && unconfirmed.get(key) === write) unconfirmed.delete(key)
        }
        // A too large value deletes the old one, which would be read as the latest.
        options.keepInPage(key, isTooLarge ? null : value).then(confirm, confirm)
        return
      }
      const saved = attempt(() => {
        if (value === null) frame.removeItem(prefix + name)
        else frame.setItem(prefix + name, value)
        return true
      })
      if (saved) unsaved.delete(name)
      else unsaved.set(name, value)
    },
    reload(stored) {
      page = new Map(Object.entries(stored))
      for (const [key, { value }] of unconfirmed) writeCopy(key, value)
      unsaved.clear()
    },
    owns: (key) => key === null || (key.startsWith(prefix) && !key.slice(prefix.length).includes('/')),
  }
}

const maxKeyLength = 128
const maxValueLength = 1_048_576

/** Null unless readable and writable. */
function probe(frameStorage: () => Storage): Storage | null {
  return (
    attempt(() => {
      const storage = frameStorage()
      const key = '@postern/probe'
      storage.setItem(key, '1')
      storage.removeItem(key)
      return storage
    }) ?? null
  )
}

function attempt<T>(action: () => T): T | undefined {
  try {
    return action()
  } catch {
    return undefined
  }
}
