import { isWithinBudget } from './budget'

/** Null for a message to drop. */
export type Codec<Message, Head> = {
  readonly parse: (data: unknown) => Message | null
  readonly parseHead: (data: unknown) => Head | null
}

export type PortOptions<Message, Head> = {
  readonly port: MessagePort
  readonly codec: Codec<Message, Head>
  readonly onMessage: (message: Message) => void
  readonly onOversized: (head: Head) => void
  /** Not every browser reports it. */
  readonly onClose: () => void
}

export type OpenPort = {
  /** @throws {DOMException} if not cloneable */
  post(message: unknown): void
  close(): void
}

/**
 * Reads a port until `close`.
 *
 * 1. Every message is measured first (`isWithinBudget`). Only the head of an oversized message is read.
 * 2. A message that does not parse, or makes its schema throw, is dropped.
 * 3. After `close` nothing is read or sent, and no listener is left.
 */
export function openPort<Message, Head>(options: PortOptions<Message, Head>): OpenPort {
  const { port, codec, onMessage, onOversized, onClose } = options
  let isOpen = true

  function onData({ data }: MessageEvent<unknown>): void {
    if (isWithinBudget(data)) deliver(codec.parse, data, onMessage)
    else deliver(codec.parseHead, data, onOversized)
  }

  port.addEventListener('message', onData)
  port.addEventListener('close', onClose)
  port.start()
  return {
    post(message) {
      if (isOpen) port.postMessage(message)
    },
    close() {
      isOpen = false
      port.removeEventListener('message', onData)
      port.removeEventListener('close', onClose)
      port.close()
    },
  }
}

function deliver<T>(parse: (data: unknown) => T | null, data: unknown, handle: (message: T) => void): void {
  let message: T | null
  try {
    message = parse(data)
  } catch {
    // The protocol's `tryParse`.
    return
  }
  if (message !== null) handle(message)
}
