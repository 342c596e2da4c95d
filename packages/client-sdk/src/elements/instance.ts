import { registryOf } from '../instance/registry'
import type { Postern } from '../types/index'

/** Of `project-id`, or the page's first. It may come after the element and go before it. */
export function followInstance(
  window: object,
  projectId: () => string | null,
  onInstance: (postern: Postern | undefined) => void,
): () => void {
  const { instances, listeners } = registryOf(window)
  let current: Postern | undefined
  const look = () => {
    const id = projectId()
    const entry = id === null ? instances.values().next().value : instances.get(id)
    if (entry?.postern === current) return
    current = entry?.postern
    onInstance(current)
  }
  listeners.add(look)
  look()
  return () => {
    listeners.delete(look)
  }
}
