import { createContext, type ReactNode, useContext, useState, useSyncExternalStore } from 'react'
import { createPostern } from './index'
import type { Postern, PosternOptions, Snapshot } from './types'

const Context = createContext<Postern | null>(null)

export type PosternProviderProps = {
  /** Read once; one instance per project, even under StrictMode and hot reload. */
  readonly options: PosternOptions
  readonly children?: ReactNode
}

/**
 * Provides the page's instance. Unmounting does not destroy it.
 *
 * @example
 * <PosternProvider options={{ projectId: 'demo', networks: ['ethereum', 'base'] }}><App /></PosternProvider>
 */
export function PosternProvider({ options, children }: PosternProviderProps): ReactNode {
  const [postern] = useState(() => createPostern(options))
  return <Context.Provider value={postern}>{children}</Context.Provider>
}

export type UsePostern = { readonly postern: Postern; readonly snapshot: Snapshot }

/** Renders again on changes. Disconnected on a server. */
export function usePostern(): UsePostern {
  const postern = useContext(Context)
  if (postern === null) throw new Error('usePostern needs a PosternProvider above it')
  const snapshot = useSyncExternalStore(postern.subscribe, postern.getSnapshot, postern.getServerSnapshot)
  return { postern, snapshot }
}
