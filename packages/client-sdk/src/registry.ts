import type { Postern, PosternOptions } from './types'

type Entry = { readonly postern: Postern; readonly options: string }

/** The instances of this page, whichever copies of this package made them. */
export type Registry = {
  readonly instances: Map<string, Entry>
  readonly listeners: Set<() => void>
}

const key = Symbol.for('postern.registry.1')

/** On the window and not in the module: two bundles, a hot reload and a script tag all find the same one. */
export function registryOf(window: object): Registry {
  const known: unknown = Reflect.get(window, key)
  if (isRegistry(known)) return known
  const registry: Registry = { instances: new Map(), listeners: new Set() }
  Object.defineProperty(window, key, { value: registry })
  return registry
}

function isRegistry(value: unknown): value is Registry {
  return typeof value === 'object' && value !== null && 'instances' in value && 'listeners' in value
}

/** One instance a page and project: a second call gets the first one's, and a word when it asked for something else. */
export function instanceOf(
  registry: Registry,
  options: PosternOptions,
  warn: (text: string) => void,
  create: (onDestroy: () => void) => Postern,
): Postern {
  const { instances, listeners } = registry
  // A plugin is code: what hangs on it cannot always be written down.
  const written = JSON.stringify({ ...options, siwx: !!options.siwx })
  const known = instances.get(options.projectId)
  if (known !== undefined) {
    if (known.options !== written)
      warn(`Postern: there is an instance for project "${options.projectId}" already; the new options are not used.`)
    return known.postern
  }
  const tell = () => {
    for (const listener of [...listeners]) listener()
  }
  const postern = create(() => {
    instances.delete(options.projectId)
    tell()
  })
  instances.set(options.projectId, { postern, options: written })
  tell()
  return postern
}
