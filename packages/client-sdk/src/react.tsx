import { createContext, type ReactNode, useContext, useState, useSyncExternalStore } from 'react'
import { createPostern } from './index'
import type { Postern, PosternOptions, Snapshot } from './types'

const Context = createContext<Postern | null>(null)

/** What {@link PosternProvider} takes. */
export type PosternProviderProps = {
  /** Read once; the instance is the page's one for this project, under StrictMode and hot reload too. */
  readonly options: PosternOptions
  readonly children?: ReactNode
}

/**
 * Gives everything below it the page's instance. It lives as long as the page, so unmounting does not end it.
 *
 * @example
 * <PosternProvider options={{ projectId: 'demo', networks: ['ethereum', 'base'] }}><App /></PosternProvider>
 */
export function PosternProvider({ options, children }: PosternProviderProps): ReactNode {
  const [postern] = useState(() => createPostern(options))
  return <Context value={postern}>{children}</Context>
}

/** What {@link usePostern} gives. */
export type UsePostern = { readonly postern: Postern; readonly snapshot: Snapshot }

/** The instance and what it shows now; renders again when that changes. On a server nobody is connected. */
export function usePostern(): UsePostern {
  const postern = useContext(Context)
  if (postern === null) throw new Error('usePostern needs a PosternProvider above it')
  const snapshot = useSyncExternalStore(postern.subscribe, postern.getSnapshot, postern.getServerSnapshot)
  return { postern, snapshot }
}
