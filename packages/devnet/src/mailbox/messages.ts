import PostalMime from 'postal-mime'

export type Message = {
  /** Counts up from 1; never reused. */
  readonly id: number
  /** Envelope addresses, in lower case. */
  readonly from: string
  readonly to: readonly string[]
  readonly subject: string
  readonly text: string
  readonly html: string | null
  /** Unique addresses in text and HTML. */
  readonly links: readonly string[]
  /** The first standalone six digits outside links. */
  readonly code: string | null
  /** In epoch ms. */
  readonly receivedAt: number
}

export type Envelope = { readonly from: string; readonly to: readonly string[] }

export type Mailbox = {
  add(envelope: Envelope, raw: Uint8Array): Promise<Message>
  /** Newest first. */
  list(to?: string): readonly Message[]
  get(id: number): Message | undefined
  /** Waits for one if needed. Null if `signal` aborts first. */
  next(wanted: { readonly to?: string; readonly after: number }, signal: AbortSignal): Promise<Message | null>
  clear(): void
}

/** Max messages; the oldest go first. */
const maxMessages = 500

export function createMailbox({ now = Date.now }: { readonly now?: () => number } = {}): Mailbox {
  let messages: Message[] = []
  let last = 0
  const listeners = new Set<() => void>()
  const isFor = (message: Message, to: string | undefined) => to === undefined || message.to.includes(to.toLowerCase())

  const next: Mailbox['next'] = ({ to, after }, signal) =>
    new Promise((resolve) => {
      const look = () => {
        const match = messages.find((message) => message.id > after && isFor(message, to))
        if (match !== undefined) end(match)
      }
      const give = () => end(null)
      const end = (message: Message | null) => {
        listeners.delete(look)
        signal.removeEventListener('abort', give)
        resolve(message)
      }
      listeners.add(look)
      signal.addEventListener('abort', give, { once: true })
      if (signal.aborted) give()
      else look()
    })

  return {
    async add(envelope, raw) {
      const { subject = '', text = '', html = null } = await PostalMime.parse(raw)
      last += 1
      const message: Message = {
        id: last,
        from: envelope.from.toLowerCase(),
        to: envelope.to.map((address) => address.toLowerCase()),
        subject,
        text,
        html,
        links: linksOf(text, html),
        code: codeOf(`${subject}\n${text}`),
        receivedAt: now(),
      }
      messages = [...messages.slice(-(maxMessages - 1)), message]
      for (const look of [...listeners]) look()
      return message
    },
    list: (to) => messages.filter((message) => isFor(message, to)).reverse(),
    get: (id) => messages.find((message) => message.id === id),
    next,
    clear() {
      messages = []
    },
  }
}

const address = /https?:\/\/[^\s<>"')\]]+/g

function linksOf(text: string, html: string | null): string[] {
  const targets = [...(html ?? '').matchAll(/href\s*=\s*["']([^"']*)["']/gi)].map(([, target = '']) =>
    target.replaceAll('&amp;', '&'),
  )
  const all = [...(text.match(address) ?? []), ...targets.filter((target) => /^https?:\/\//.test(target))]
  return [...new Set(all)]
}

const codeOf = (text: string): string | null => /(?<!\w)\d{6}(?!\w)/.exec(text.replace(address, ''))?.[0] ?? null
