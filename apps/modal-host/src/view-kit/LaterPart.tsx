import { type ComponentType, type ReactNode, Suspense, use } from 'react'

type Load = () => Promise<{ readonly default: ComponentType }>

/** Code that was asked for. What does not arrive is forgotten, and asked for again when it is needed. */
const asked = new Map<Load, Promise<ComponentType>>()

function ask(load: Load): Promise<ComponentType> {
  const known = asked.get(load)
  if (known !== undefined) return known
  const arriving = load().then((module) => module.default)
  asked.set(load, arriving)
  arriving.catch(() => asked.delete(load))
  return arriving
}

/** A part of a view whose code is fetched when it is first shown. `load` stays the same function. */
export function LaterPart({ load, instead }: { readonly load: Load; readonly instead: ReactNode }) {
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
