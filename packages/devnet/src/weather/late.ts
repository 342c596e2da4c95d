/** Broadcasts that a node passes on some blocks later. */
export type LateBroadcasts = {
  add(body: string, blocks: number): void
  /** Broadcasts that are due with the next block. */
  due(): readonly string[]
}

export function createLateBroadcasts(): LateBroadcasts {
  let waiting: readonly { readonly body: string; readonly blocksLeft: number }[] = []
  return {
    add(body, blocksLeft) {
      waiting = [...waiting, { body, blocksLeft }]
    },
    due() {
      const counted = waiting.map(({ body, blocksLeft }) => ({ body, blocksLeft: blocksLeft - 1 }))
      waiting = counted.filter(({ blocksLeft }) => blocksLeft > 0)
      return counted.filter(({ blocksLeft }) => blocksLeft <= 0).map(({ body }) => body)
    },
  }
}
