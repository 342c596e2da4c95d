import {
  createContext,
  type ReactNode,
  useContext,
  useEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react'
import { type CallState, idle, trackCall } from '../frameworks/call'
import { createPostern } from '../index'
import type { InitialState } from '../server/initial-state'
import { noop } from '../shared/noop'
import type { Postern, PosternEvents, PosternOptions, Snapshot } from '../types/index'

type Value = {
  readonly postern: Postern
  readonly options: PosternOptions
  readonly initialState: InitialState | undefined
}

const Context = createContext<Value | null>(null)

export type PosternProviderProps = {
  /** Read once; one instance per project, even with StrictMode and hot reload. */
  readonly options: PosternOptions
  /**
   * Result of `initialStateFrom` (`@postern/client/server`).
   * The server then renders the last visit's account; a cookie stores the connected addresses.
   */
  readonly initialState?: InitialState | undefined
  readonly children?: ReactNode
}

/**
 * Provides the page's instance. Unmounting does not destroy it.
 *
 * @example
 * <PosternProvider options={{ projectId: 'demo', networks: ['ethereum', 'base'] }}><App /></PosternProvider>
 */
export function PosternProvider({ options, initialState, children }: PosternProviderProps): ReactNode {
  const [value] = useState(() => ({ postern: createPostern(options), options, initialState }))
  useEffect(() => {
    const { postern, options, initialState } = value
    if (initialState === undefined) return
    const keeping = import('../frameworks/cookie').then(({ keepCookie }) => keepCookie(options.projectId, postern))
    return () => void keeping.then((stop) => stop(), noop)
  }, [value])
  return <Context.Provider value={value}>{children}</Context.Provider>
}

export function useProvided(): Value {
  const value = useContext(Context)
  if (value === null) throw new Error('Put a PosternProvider above this component')
  return value
}

/** Renders again only if the JSON of the result changes, so `select` may build an object. */
export function usePosternState<T>(select: (snapshot: Snapshot) => T): T {
  const { postern, initialState } = useProvided()
  const cached = useRef<{ readonly text: string; readonly value: T }>(undefined)
  const server = useMemo(() => ({ ...postern.getServerSnapshot(), ...initialState }), [postern, initialState])
  const read = (snapshot: Snapshot): T => {
    const value = select(snapshot)
    const text = JSON.stringify(value) ?? ''
    if (cached.current?.text !== text) cached.current = { text, value }
    return cached.current.value
  }
  return useSyncExternalStore(
    postern.subscribe,
    () => read(postern.getSnapshot()),
    () => read(server),
  )
}

/** Uses the newest listener. */
export function usePosternEvent<E extends keyof PosternEvents>(
  event: E,
  listener: (data: PosternEvents[E]) => void,
): void {
  const { postern } = useProvided()
  const newest = useRef(listener)
  useEffect(() => {
    newest.current = listener
  })
  useEffect(() => postern.on(event, (data) => newest.current(data)), [postern, event])
}

/** `run` rejects like the call; `status` and `error` belong to the newest run. */
export function useCall<A extends readonly unknown[], R>(
  call: (...args: A) => Promise<R>,
): CallState & { readonly run: (...args: A) => Promise<R> } {
  const [state, setState] = useState(idle)
  const run = useMemo(() => trackCall(call, setState), [call])
  return { ...state, run }
}
