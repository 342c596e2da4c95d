import { type ComponentType, type ReactNode, Suspense, use } from 'react'

type Load = () => Promise<{ readonly default: ComponentType }>

/** A failed load is removed, so that the next use retries. */
const asked = new Map<Load, Promise<ComponentType>>()

function ask(load: Load): Promise<ComponentType> {
  const known = asked.get(load)
  if (known !== undefined) return known
  const arriving = load().then((module) => module.default)
  asked.set(load, arriving)
  arriving.catch(() => asked.delete(load))
  return arriving
}

/** Loaded when first shown. `load` must be a stable function. */
export function ImportedPart({ load, instead }: { readonly load: Load; readonly instead: ReactNode }) {
  return (
    <Suspense fallback={instead}>
      <Part load={load} />
    </Suspense>
  )
}

function Part({ load }: { readonly load: Load }) {
  const Shown = use(ask(load))
  return <Shown />
}
