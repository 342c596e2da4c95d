export type Envelope = {
  readonly topic: string
  readonly message: string
  /** Unix time in ms. */
  readonly publishedAt: number
  readonly tag: number
}

type StoredMessage = {
  readonly envelope: Envelope
  readonly from: string
  readonly until: number
  readonly seenBy: Set<string>
}

export type Mailbox = {
  /** `ttl` in seconds. Returns the existing envelope for the same message of the same client. */
  put(letter: Omit<Envelope, 'publishedAt'> & { readonly ttl: number; readonly from: string }): {
    readonly envelope: Envelope
    readonly again: boolean
  }
  /** Oldest first. */
  waiting(topic: string, client: string): readonly Envelope[]
  acknowledge(envelope: Envelope, client: string): void
  /** For tests and limits. */
  size(): number
}

const topicLimit = 256
const totalLimit = 4_096

/**
 * Creates a mailbox.
 *
 * 1. A message waits for every client except its publisher, until that client acknowledges it or it expires.
 * 2. A message that a client publishes again, as after a lost connection, is stored and delivered once.
 * 3. At most 256 messages per topic and 4,096 in total wait. The oldest is dropped first.
 */
export function createMailbox(now: () => number): Mailbox {
  const topics = new Map<string, StoredMessage[]>()
  let size = 0

  const letters = (topic: string) => {
    const all = topics.get(topic) ?? []
    const fresh = all.filter(({ until }) => until > now())
    if (fresh.length !== all.length) setMessages(topic, fresh)
    return fresh
  }
  function setMessages(topic: string, messages: StoredMessage[]) {
    size += messages.length - (topics.get(topic)?.length ?? 0)
    topics.delete(topic)
    // Inserted again: the map is ordered by latest message.
    if (messages.length > 0) topics.set(topic, messages)
  }
  function makeRoom() {
    if (size <= totalLimit) return
    for (const topic of [...topics.keys()]) letters(topic)
    for (const [topic, messages] of [...topics]) {
      if (size <= totalLimit) return
      setMessages(topic, messages.slice(size - totalLimit))
    }
  }

  return {
    put({ topic, message, tag, ttl, from }) {
      const fresh = letters(topic)
      const same = fresh.find((letter) => letter.from === from && letter.envelope.message === message)
      if (same !== undefined) return { envelope: same.envelope, again: true }
      const envelope = { topic, message, tag, publishedAt: now() }
      const letter = { envelope, from, until: now() + ttl * 1_000, seenBy: new Set<string>() }
      setMessages(topic, [...fresh, letter].slice(-topicLimit))
      makeRoom()
      return { envelope, again: false }
    },
    waiting: (topic, client) =>
      letters(topic)
        .filter(({ from, seenBy }) => from !== client && !seenBy.has(client))
        .map(({ envelope }) => envelope),
    acknowledge(envelope, client) {
      topics
        .get(envelope.topic)
        ?.find((letter) => letter.envelope === envelope)
        ?.seenBy.add(client)
    },
    size: () => size,
  }
}
