import {
  createContext,
  type ReactNode,
  useCallback,
  useContext,
  useEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react'
import { createPostern } from '../index'
import type { InitialState } from '../server/initial-state'
import type { Postern, PosternEvents, PosternOptions, Snapshot } from '../types'

type Value = {
  readonly postern: Postern
  readonly options: PosternOptions
  readonly initialState: InitialState | undefined
}

const Context = createContext<Value | null>(null)

export type PosternProviderProps = {
  /** Read once; one instance per project, even under StrictMode and hot reload. */
  readonly options: PosternOptions
  /**
   * `initialStateFrom` of `@postern/client/server`: the server renders the account of the last visit. With it, a cookie of
   * the page's origin holds the connected addresses.
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
    let end = () => {}
    let isEnded = false
    void import('../server/index').then(({ cookieOf }) => {
      const write = () => Reflect.set(document, 'cookie', cookieOf(options.projectId, postern.getSnapshot()))
      if (isEnded) return
      write()
      end = postern.subscribe(write)
    })
    return () => {
      isEnded = true
      end()
    }
  }, [value])
  return <Context.Provider value={value}>{children}</Context.Provider>
}

export function useProvided(): Value {
  const value = useContext(Context)
  if (value === null) throw new Error('Postern’s hooks and components need a PosternProvider above them')
  return value
}

/**
 * What `select` takes from the state. Renders again only if it differs: compared by its JSON, so that a selector may
 * build an object.
 */
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

/** Calls `listener` on each event while the component is mounted; the newest listener counts. */
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

/** State of a call that a component starts. */
export type CallState = {
  readonly status: 'idle' | 'pending' | 'success' | 'error'
  readonly error: unknown
}

/** `run` rejects like the call; `status` and `error` are of the newest one. */
export function useCall<A extends readonly unknown[], R>(
  call: (...args: A) => Promise<R>,
): CallState & { readonly run: (...args: A) => Promise<R> } {
  const [state, setState] = useState<CallState>({ status: 'idle', error: null })
  const count = useRef(0)
  const run = useCallback(
    async (...args: A) => {
      const id = ++count.current
      const settle = (next: CallState) => id === count.current && setState(next)
      settle({ status: 'pending', error: null })
      try {
        const result = await call(...args)
        settle({ status: 'success', error: null })
        return result
      } catch (error) {
        settle({ status: 'error', error })
        throw error
      }
    },
    [call],
  )
  return { ...state, run }
}
