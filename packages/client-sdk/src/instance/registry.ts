import type { Postern, PosternOptions } from '../types/index'

type Entry = { readonly postern: Postern; readonly options: string }

export type Registry = {
  readonly instances: Map<string, Entry>
  readonly listeners: Set<() => void>
}

const key: unique symbol = Symbol.for('postern.registry.1')

/** Shared by bundles, hot reloads and script tags. */
export function registryOf(window: object & { [key]?: Registry }): Registry {
  window[key] ??= { instances: new Map(), listeners: new Set() }
  return window[key]
}

/** Warns about different options. */
export function instanceOf(
  registry: Registry,
  options: PosternOptions,
  warn: (text: string) => void,
  create: (onDestroy: () => void) => Postern,
): Postern {
  const { instances, listeners } = registry
  // A plugin cannot be serialized.
  const serialized = JSON.stringify({ ...options, siwx: !!options.siwx })
  const existing = instances.get(options.projectId)
  if (existing !== undefined) {
    if (existing.options !== serialized)
      warn(`Postern: project "${options.projectId}" has an instance already; these options are ignored.`)
    return existing.postern
  }
  const notify = () => {
    for (const listener of [...listeners]) listener()
  }
  const postern = create(() => {
    instances.delete(options.projectId)
    notify()
  })
  instances.set(options.projectId, { postern, options: serialized })
  notify()
  return postern
}
