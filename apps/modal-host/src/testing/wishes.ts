/** Waiting for what a test wishes: a condition that is looked at again with each thing that happens. */
export type Wishes = {
  /** Resolves as soon as the condition gives something. */
  until<T>(condition: () => T | false | null | undefined): Promise<T>
  /** Something happened. */
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
