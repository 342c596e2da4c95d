import { registryOf } from '../registry'
import type { Postern } from '../types'

/**
 * Follows the instance that an element belongs to: that of its `project-id`, or else the first of the page. It may come later than the
 * element, and go. Returns what ends the following.
 */
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
