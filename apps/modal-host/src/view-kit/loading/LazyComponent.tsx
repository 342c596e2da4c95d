import { type ComponentType, type ReactNode, Suspense, use } from 'react'

type Load = () => Promise<{ readonly default: ComponentType }>

/** A failed load is removed, so that the next use retries. */
const imports = new Map<Load, Promise<ComponentType>>()

function importOnce(load: Load): Promise<ComponentType> {
  const cached = imports.get(load)
  if (cached !== undefined) return cached
  const imported = load().then((module) => module.default)
  imports.set(load, imported)
  imported.catch(() => imports.delete(load))
  return imported
}

/** `load` must be stable. */
export function LazyComponent({ load, fallback }: { readonly load: Load; readonly fallback: ReactNode }) {
  return (
    <Suspense fallback={fallback}>
      <Imported load={load} />
    </Suspense>
  )
}

function Imported({ load }: { readonly load: Load }) {
  const Component = use(importOnce(load))
  return <Component />
}
