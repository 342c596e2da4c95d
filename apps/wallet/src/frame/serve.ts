import { orAborted } from '@postern/link/abort'
import { openPort } from '@postern/link/port'
import { serveRequests } from '@postern/link/serve'
import {
  type ErrorCode,
  parseWalletFramePayload,
  parseWalletFrameRequest,
  type WalletFrameMessage,
  type WalletFrameNotice,
  type WalletFramePayload,
  type WalletFrameRequest,
  type WalletFrameRequestName,
  type WalletFrameSuccess,
  walletFrameNotice,
  walletFrameReply,
  walletFrameRequests,
} from '@postern/protocol'
import { Failure } from '@postern/protocol/failure'
import * as z from 'zod/mini'
import type { RequestContext } from '../contract'

/** Further requests get LIMIT_EXCEEDED. */
export const maxInFlight = 128
const maxCachedResponses = 128

export type Handler<N extends WalletFrameRequestName> = (
  payload: WalletFramePayload<N>,
  context: RequestContext,
) => Promise<WalletFrameSuccess<N>> | WalletFrameSuccess<N>

export type Handlers = { readonly [N in Exclude<WalletFrameRequestName, 'RPC_ABORT'>]: Handler<N> }

export type FrameService = {
  notify(notice: WalletFrameNotice): void
  end(): void
}

export type ServeOptions = {
  readonly port: MessagePort
  readonly handlers: Handlers
  /** Must not contain internal details. */
  readonly toFailure: (thrown: unknown) => Failure
  readonly onEnd: () => void
}

/** The only fields read from an oversized message. */
const Head = z.object({
  id: z.string().check(z.minLength(1), z.maxLength(64)),
  type: z.string().check(z.maxLength(64)),
})

/**
 * The frame's end of the link. In addition to the rules of every link (`openPort`, `serveRequests`):
 *
 * 1. Anything but a listed request is dropped. No message can make this function throw.
 * 2. An invalid payload gets INVALID_PARAMS and never reaches a handler.
 * 3. Every accepted request settles once: with the handler's result or error, with ABORTED even if the handler ignores
 *    the signal, or not at all after the link ends.
 * 4. RPC_ABORT succeeds even if there is no request of its id, and does not count towards {@link maxInFlight}.
 * 5. A result that fails its schema or cannot be cloned becomes INTERNAL: the modal never waits for it.
 */
export function serve({ port: given, handlers, toFailure, onEnd }: ServeOptions): FrameService {
  let isEnded = false
  const requests = serveRequests<WalletFrameRequest, WalletFrameRequest, WalletFrameMessage>({
    maxInFlight,
    maxRemembered: maxCachedResponses,
    replays: 'answer',
    cancelled: 'answer',
    accept: (request) => (signal) => run(request, request.name, signal),
    isUnlimited: ({ name }) => name === 'RPC_ABORT',
    refused,
    failed({ id, name }, thrown) {
      const { message, code, rpc, data } = toFailure(thrown)
      const chain = { ...(rpc !== undefined && { rpc }), ...(data !== undefined && { data }) }
      return walletFrameReply(name, { id, ok: false, message, code, ...chain })
    },
    post: (answer) => port.post(answer),
  })
  const port = openPort({
    port: given,
    codec: { parse: parseWalletFrameRequest, parseHead },
    onMessage: requests.receive,
    onOversized: requests.receiveOversized,
    onClose: end,
  })
  const table: { readonly [N in WalletFrameRequestName]: Handler<N> } = {
    ...handlers,
    RPC_ABORT({ id }) {
      requests.cancel(id)
      return undefined
    },
  }

  async function run<N extends WalletFrameRequestName>(
    request: WalletFrameRequest,
    name: N,
    signal: AbortSignal,
  ): Promise<WalletFrameMessage> {
    const read = parseWalletFramePayload(name, request.payload)
    if (read === null) return refused(request, 'INVALID_PARAMS')
    const { id } = request
    const success = await orAborted((async () => table[name](read.payload, { id, signal }))(), signal)
    const checked = walletFrameRequests[name].success.safeParse(success)
    if (!checked.success) throw new Failure('INTERNAL')
    return walletFrameReply(name, { id, ok: true, payload: checked.data })
  }

  function end(): void {
    if (isEnded) return
    isEnded = true
    port.close()
    requests.end()
    onEnd()
  }

  return {
    notify: (notice) => port.post(walletFrameNotice(notice)),
    end,
  }
}

function parseHead(data: unknown): WalletFrameRequest | null {
  const head = Head.safeParse(data)
  return head.success ? parseWalletFrameRequest(head.data) : null
}

function refused({ id, name }: WalletFrameRequest, code: ErrorCode): WalletFrameMessage {
  const { message } = new Failure(code)
  return walletFrameReply(name, { id, ok: false, message, code })
}
