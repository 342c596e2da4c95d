import { accountOf, isSameAccount } from '../account'
import type { SignInSession } from '../types'
import { isSignInSession } from './guards'
import { keepText, type StorageWindow, thisPage } from './kept-text'
import type { SessionStore } from './session-store'

/** What {@link localSessions} takes. */
export type LocalSessionsOptions = {
  /** Under which name they are kept. Default `postern.siwx`. */
  readonly key?: string | undefined
  /** Default `window`. */
  readonly page?: StorageWindow | null | undefined
}

/** Of one visitor. The oldest leaves when there are more. */
const most = 32

/**
 * Sessions in this browser alone, for a dapp without a server. They tell the page whom it greets; they prove nothing to anybody else, because
 * whoever sits at the browser can write them.
 *
 * 1. What is read is checked; nonsense counts as nothing.
 * 2. Tabs of one origin agree.
 * 3. Where the visitor denies storage, sessions last as long as the page.
 */
export function localSessions(options: LocalSessionsOptions = {}): SessionStore {
  const { key = 'postern.siwx', page = thisPage() } = options
  const text = keepText(key, page)

  const read = (): SignInSession[] => parse(text.read())
  function write(sessions: readonly SignInSession[]): void {
    text.write(sessions.length === 0 ? null : JSON.stringify(sessions.slice(-most)))
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
