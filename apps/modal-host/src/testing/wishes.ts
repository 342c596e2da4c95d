/** Waits for conditions, checked after every event. */
export type Wishes = {
  /** Resolves with the condition's value. */
  until<T>(condition: () => T | false | null | undefined): Promise<T>
  look(): void
}

export function createWishes(): Wishes {
  const wishes = new Set<() => void>()
  return {
    until: (condition) =>
      new Promise((resolve) => {
        const wish = () => {
          const value = condition()
          if (value === false || value === null || value === undefined) return
          wishes.delete(wish)
          resolve(value)
        }
        wishes.add(wish)
        wish()
      }),
    look() {
      for (const wish of [...wishes]) wish()
    },
  }
}
