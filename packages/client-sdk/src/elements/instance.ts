import { registryOf } from '../instance/registry'
import type { Postern } from '../types/index'

/** Follows the instance of `project-id`, or the page's first, which may come and go. */
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
