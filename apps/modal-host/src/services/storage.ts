/**
 * Where the host keeps what it must find again and what holds no secret: sessions, recent wallets, the active network.
 *
 * 1. The frame's own localStorage where the browser gives it (it is partitioned by the embedding site), else the dapp's page, which keeps
 *    it for the host over the link. Denied storage is a normal visitor: nothing throws.
 * 2. Keys carry the product's prefix, the project and the dapp's origin, so that two dapps of one site never meet.
 * 3. Reads are immediate and agree with the last write, whatever became of the write behind them.
 * 4. The page takes keys of 128 characters and values of 1 MiB at most: what is larger lives as long as the frame.
 */
export type HostStorage = {
  readonly place: 'frame' | 'page'
  get(name: string): string | null
  /** `null` forgets. */
  set(name: string, value: string | null): void
  /** Reads again what another tab may have written; `stored` is the page's copy, used when the page is the place. */
  reload(stored: Readonly<Record<string, string>>): void
  /** Whether a `storage` event of the window is about these values. Those under a name with a slash belong to a library that looks after them. */
  owns(key: string | null): boolean
}

export type HostStorageOptions = {
  /** The frame's storage; reading the property throws where the browser denies it. */
  readonly frameStorage: () => Storage
  readonly projectId: string
  /** Origin of the dapp as the browser reported it. */
  readonly origin: string
  /** What the page kept, from `init`. */
  readonly stored: Readonly<Record<string, string>>
  /** Asks the page to keep a value. A failure is not an error: the value then lives as long as the frame. */
  readonly keepInPage: (key: string, value: string | null) => void
}

export function createHostStorage(options: HostStorageOptions): HostStorage {
  const frame = probe(options.frameStorage)
  const prefix = `@postern/${options.projectId}/${options.origin}/`
  const pageKey = (name: string) => `${options.projectId}/${name}`
  let page = new Map(Object.entries(options.stored))
  /** Written while the frame's storage refused (quota): the last word for this visit. */
  const unsaved = new Map<string, string | null>()

  return {
    place: frame === null ? 'page' : 'frame',
    get(name) {
      if (frame === null) return page.get(pageKey(name)) ?? null
      const held = unsaved.get(name)
      if (held !== undefined) return held
      return attempt(() => frame.getItem(prefix + name)) ?? null
    },
    set(name, value) {
      if (frame === null) {
        if (value === null) page.delete(pageKey(name))
        else page.set(pageKey(name), value)
        // Nothing is kept in the place of what is too large: an old value would be taken for the last one.
        if (pageKey(name).length > longestKey) return
        return options.keepInPage(pageKey(name), value !== null && value.length > longestValue ? null : value)
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
      unsaved.clear()
    },
    owns: (key) => key === null || (key.startsWith(prefix) && !key.slice(prefix.length).includes('/')),
  }
}

/** What the page takes (`store` on the page link), in characters. */
const longestKey = 128
const longestValue = 1_048_576

/** A storage that can be written as well as read, or null. */
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
