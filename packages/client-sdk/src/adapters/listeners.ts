/** A listener that throws does not stop the others. `only` limits a call to one listener. */
export function createListeners<Events extends object>(names: readonly (keyof Events)[]) {
  const sets = new Map<keyof Events, Set<(data: never) => void>>(names.map((name) => [name, new Set()]))
  return {
    on<E extends keyof Events>(event: E, listener: (data: Events[E]) => void): void {
      sets.get(event)?.add(listener)
    },
    off<E extends keyof Events>(event: E, listener: (data: Events[E]) => void): void {
      sets.get(event)?.delete(listener)
    },
    emit<E extends keyof Events>(event: E, data: Events[E], only?: (data: never) => void): void {
      for (const listener of [...(sets.get(event) ?? [])]) {
        if (only !== undefined && listener !== only) continue
        try {
          Reflect.apply(listener, undefined, [data])
        } catch (error) {
          queueMicrotask(() => {
            throw error
          })
        }
      }
    },
    clear(): void {
      for (const set of sets.values()) set.clear()
    },
  }
}
