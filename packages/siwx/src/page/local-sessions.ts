import { accountOf, isSameAccount } from '../account'
import type { SignInSession } from '../types'
import { isSignInSession } from './guards'
import type { SessionStore } from './session-store'
import { type StorageWindow, storeText, thisPage } from './stored-text'

export type LocalSessionsOptions = {
  /** Default: `postern.siwx`. */
  readonly key?: string | undefined
  /** Default: `window`. */
  readonly page?: StorageWindow | null | undefined
}

/** The oldest are dropped first. */
const maxSessions = 32

/**
 * Stores sessions in this browser, for a dapp without a server. Anyone with access to the browser can write them.
 *
 * 1. Invalid stored data is ignored.
 * 2. Tabs of one origin stay in sync.
 * 3. If storage is denied, sessions last as long as the page.
 */
export function localSessions(options: LocalSessionsOptions = {}): SessionStore {
  const { key = 'postern.siwx', page = thisPage() } = options
  const text = storeText(key, page)

  const read = (): SignInSession[] => parse(text.read())
  function write(sessions: readonly SignInSession[]): void {
    text.write(sessions.length === 0 ? null : JSON.stringify(sessions.slice(-maxSessions)))
  }

  return {
    async add(session) {
      write([...read().filter((other) => !isSame(other, session)), session])
    },
    async revoke(chainId, address) {
      write(read().filter(({ data }) => !isSameAccount(accountOf(data), { chainId, address })))
    },
    async set(sessions) {
      write(sessions)
    },
    all: async () => read(),
    subscribe: text.subscribe,
  }
}

const isSame = (a: SignInSession, b: SignInSession): boolean => isSameAccount(accountOf(a.data), accountOf(b.data))

function parse(text: string | null): SignInSession[] {
  if (text === null) return []
  try {
    const value: unknown = JSON.parse(text)
    return Array.isArray(value) ? value.filter(isSignInSession) : []
  } catch {
    return []
  }
}
