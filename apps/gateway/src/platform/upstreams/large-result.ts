/**
 * A large JSON-RPC result, passed on while it arrives.
 *
 * 1. The first `result` is passed on as bytes, in the gateway's envelope. Only members before it are read, within about
 *    {@link smallBodyBytes}.
 * 2. A chain's error is never large: an `error` before the result, or no result so early, fails the attempt.
 * 3. The upstream is read at the reader's pace, for at most {@link streamTimeoutMs}.
 * 4. Every further {@link sliceBytes} are paid for first.
 * 5. A response that breaks off or is not paid for errors the stream, which cuts the connection: no client takes half a
 *    result for a whole one. Only the client parses the result.
 */
import { AttemptError, type OpenBody } from './attempt'
import { createJsonScan, findMember } from './json-scan'
import { streamBytes } from './large-bodies'

export const sliceBytes = 524_288
const streamTimeoutMs = 30_000

export type LargeResult = {
  /** @param pay for a further slice; throws if the caller may not have it. */
  stream(id: string | number, pay: () => void): ReadableStream<Uint8Array>
  /** Instead of `stream`. */
  close(): void
}

/** @param head the body's first bytes. @throws {AttemptError} and {BusyError} */
export async function openLargeResult(body: OpenBody, head: Uint8Array): Promise<LargeResult> {
  const start = findMember(head, 'result', 'error')
  if (start === null) throw new AttemptError('not JSON-RPC')
  await body.reserve('streamed', streamBytes)
  body.setTimeout(streamTimeoutMs)
  return { stream: (id, pay) => streamResult(body, head.subarray(start), id, pay), close: body.close }
}

function streamResult(
  body: OpenBody,
  first: Uint8Array,
  id: string | number,
  pay: () => void,
): ReadableStream<Uint8Array> {
  const scan = createJsonScan()
  let next: Uint8Array | null = first
  let sent = 0

  const readOn = async (): Promise<Uint8Array> => {
    const chunk = next ?? (await body.read())
    next = null
    if (chunk === null) throw new AttemptError('not JSON-RPC')
    const end = scan.push(chunk)
    const before = Math.floor(sent / sliceBytes)
    sent += end
    for (let slice = before; slice < Math.floor(sent / sliceBytes); slice += 1) pay()
    return chunk.subarray(0, end)
  }

  return new ReadableStream(
    {
      start(controller) {
        controller.enqueue(Buffer.from(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":`))
      },
      async pull(controller) {
        try {
          controller.enqueue(await readOn())
          if (!scan.isEnded()) return
          controller.enqueue(Buffer.from('}'))
          controller.close()
          // The connection can be reused if only the end is left.
          body.read().then(body.close, body.close)
        } catch {
          body.close()
          controller.error(new Error('A large response broke off'))
        }
      },
      cancel: body.close,
    },
    { highWaterMark: 0 },
  )
}
