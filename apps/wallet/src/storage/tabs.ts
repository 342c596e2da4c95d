export type Tabs = {
  alone<T>(work: () => Promise<T>): Promise<T>
  tellSessionChanged(): void
  onSessionChanged(listener: () => void): () => void
}

export type TabsOptions = {
  readonly name: string
  /** Undefined, or throws, if storage is denied. */
  readonly locks: Pick<LockManager, 'request'> | undefined
  readonly openChannel: (name: string) => BroadcastChannel
}

export function createTabs({ name, locks, openChannel }: TabsOptions): Tabs {
  let last: Promise<unknown> = Promise.resolve()
  const channel = attempt(() => openChannel(name))

  function afterLast<T>(work: () => Promise<T>): Promise<T> {
    const next = last.then(work, work)
    last = next.catch(() => undefined)
    return next
  }

  return {
    alone: (work) => afterLast(() => withLock(locks, name, work)),
    tellSessionChanged: () => channel?.postMessage('session'),
    onSessionChanged(listener) {
      const onMessage = () => listener()
      channel?.addEventListener('message', onMessage)
      return () => channel?.removeEventListener('message', onMessage)
    },
  }
}

async function withLock<T>(
  locks: Pick<LockManager, 'request'> | undefined,
  name: string,
  work: () => Promise<T>,
): Promise<T> {
  if (locks === undefined) return work()
  let begun = false
  try {
    return await locks.request(name, () => {
      begun = true
      return work()
    })
  } catch (thrown) {
    // A browser that denies storage denies locks too.
    if (begun) throw thrown
    return work()
  }
}

function attempt<T>(action: () => T): T | undefined {
  try {
    return action()
  } catch {
    return undefined
  }
}
