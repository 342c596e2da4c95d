/** The relay without sockets. Messages are encrypted. */
import { createHash } from 'node:crypto'
import * as z from 'zod/mini'
import { createMailbox, type Envelope } from './mailbox'
import { Incoming, type Method, methods } from './requests'

/** The relay's end. */
export type Connection = {
  receive(text: string): void
  close(): void
}

export type Relay = {
  /** `client`: the authenticated did:key. */
  connect(client: string, send: (text: string) => void): Connection
  counts(): { readonly connections: number; readonly waiting: number }
}

type Peer = {
  readonly client: string
  readonly topics: Set<string>
  readonly pushed: Map<number, Envelope>
  send(value: unknown): void
}
type Letter = z.infer<typeof methods.irn_publish>

/** Source: https://specs.walletconnect.com/2.0/specs/clients/sign/rpc-methods */
const proposal = { tag: 1100, ttl: 300 } as const
const proposalResponse = { tag: 1101, ttl: 300 } as const
const settlement = { tag: 1102, ttl: 300 } as const

const topicsLimit = 4_096
/** Max unacknowledged pushes per socket; older ones are pushed again. */
const pushedLimit = 4_096

/** Clients compute the same. */
const subscriptionId = (topic: string, client: string) =>
  createHash('sha256')
    .update(topic + client)
    .digest('hex')

const isMethod = (method: string): method is Method => Object.hasOwn(methods, method)

class Refusal extends Error {
  constructor(
    readonly code: number,
    message: string,
  ) {
    super(message)
  }
}

/**
 * Passes encrypted messages between clients that know the same topic (interop §5).
 *
 * 1. Every request gets one response, a result or an error. Input that is not JSON-RPC gets an error with id null.
 * 2. A published message goes at once to every other subscriber of its topic, and waits in the topic's mailbox until it
 *    expires.
 * 3. A new subscriber gets the waiting messages. A client that acknowledges a push, or unsubscribes, does not get it
 *    again.
 * 4. Fetching does not remove waiting messages, because the response may be lost.
 * 5. `wc_proposeSession` and `wc_approveSession` subscribe and publish in one step.
 * 6. A client can end only its own subscriptions.
 */
export function createRelay({ now = Date.now }: { readonly now?: () => number } = {}): Relay {
  const mailbox = createMailbox(now)
  const peers = new Set<Peer>()
  let lastPush = now() * 1_000

  function push(peer: Peer, envelope: Envelope) {
    lastPush += 1
    peer.pushed.set(lastPush, envelope)
    const [oldest] = peer.pushed.keys()
    if (peer.pushed.size > pushedLimit && oldest !== undefined) peer.pushed.delete(oldest)
    peer.send({
      jsonrpc: '2.0',
      id: lastPush,
      method: 'irn_subscription',
      params: { id: subscriptionId(envelope.topic, peer.client), data: envelope },
    })
  }
  function publish(from: Peer, letter: Letter) {
    const { envelope, again } = mailbox.put({ ...letter, from: from.client })
    if (again) return
    for (const peer of peers) {
      if (peer.client !== from.client && peer.topics.has(envelope.topic)) push(peer, envelope)
    }
  }
  function subscribe(peer: Peer, topic: string): string {
    if (!peer.topics.has(topic) && peer.topics.size >= topicsLimit) throw new Refusal(-32000, 'Too many topics.')
    peer.topics.add(topic)
    return subscriptionId(topic, peer.client)
  }
  function unsubscribe(peer: Peer, { topic, id }: z.infer<typeof methods.irn_unsubscribe>) {
    if (id === subscriptionId(topic, peer.client)) peer.topics.delete(topic)
  }
  const deliver = (peer: Peer, topics: readonly string[]) => {
    for (const topic of topics) for (const envelope of mailbox.waiting(topic, peer.client)) push(peer, envelope)
  }
  const fetch = (peer: Peer, topics: readonly string[]) => ({
    messages: topics.flatMap((topic) => mailbox.waiting(topic, peer.client)),
    hasMore: false,
  })

  /** `after` runs once the result is sent. */
  type Answer = { readonly result: unknown; readonly after?: () => void }
  const on =
    <S extends z.ZodMiniType>(params: S, handle: (peer: Peer, params: z.output<S>) => Answer) =>
    (peer: Peer, rawParams: unknown): Answer => {
      const parsed = z.safeParse(params, rawParams)
      if (!parsed.success) throw new Refusal(-32602, 'Invalid params.')
      return handle(peer, parsed.data)
    }
  const handlers: { readonly [M in Method]: (peer: Peer, params: unknown) => Answer } = {
    irn_publish: on(methods.irn_publish, (peer, letter) => {
      publish(peer, letter)
      return { result: true }
    }),
    irn_batchPublish: on(methods.irn_batchPublish, (peer, { messages }) => {
      for (const letter of messages) publish(peer, letter)
      return { result: true }
    }),
    irn_subscribe: on(methods.irn_subscribe, (peer, { topic }) => ({
      result: subscribe(peer, topic),
      after: () => deliver(peer, [topic]),
    })),
    irn_batchSubscribe: on(methods.irn_batchSubscribe, (peer, { topics }) => ({
      result: topics.map((topic) => subscribe(peer, topic)),
      after: () => deliver(peer, topics),
    })),
    irn_unsubscribe: on(methods.irn_unsubscribe, (peer, subscription) => {
      unsubscribe(peer, subscription)
      return { result: true }
    }),
    irn_batchUnsubscribe: on(methods.irn_batchUnsubscribe, (peer, { subscriptions }) => {
      for (const subscription of subscriptions) unsubscribe(peer, subscription)
      return { result: true }
    }),
    irn_fetchMessages: on(methods.irn_fetchMessages, (peer, { topic }) => ({ result: fetch(peer, [topic]) })),
    irn_batchFetchMessages: on(methods.irn_batchFetchMessages, (peer, { topics }) => ({ result: fetch(peer, topics) })),
    wc_proposeSession: on(methods.wc_proposeSession, (peer, { pairingTopic, sessionProposal }) => {
      subscribe(peer, pairingTopic)
      publish(peer, { topic: pairingTopic, message: sessionProposal, ...proposal })
      return { result: true, after: () => deliver(peer, [pairingTopic]) }
    }),
    wc_approveSession: on(methods.wc_approveSession, (peer, approval) => {
      const { pairingTopic, sessionTopic } = approval
      subscribe(peer, sessionTopic)
      publish(peer, { topic: pairingTopic, message: approval.sessionProposalResponse, ...proposalResponse })
      publish(peer, { topic: sessionTopic, message: approval.sessionSettlementRequest, ...settlement })
      return { result: true, after: () => deliver(peer, [sessionTopic]) }
    }),
  }

  return {
    connect(client, send) {
      const peer: Peer = {
        client,
        topics: new Set(),
        pushed: new Map(),
        send: (value) => send(JSON.stringify(value)),
      }
      peers.add(peer)
      return {
        receive(text) {
          const incoming = Incoming.safeParse(json(text))
          if (!incoming.success) {
            peer.send({ jsonrpc: '2.0', id: null, error: { code: -32600, message: 'Invalid request.' } })
            return
          }
          if (!('method' in incoming.data)) {
            const envelope = peer.pushed.get(Number(incoming.data.id))
            if (envelope !== undefined && 'result' in incoming.data) mailbox.acknowledge(envelope, client)
            peer.pushed.delete(Number(incoming.data.id))
            return
          }
          const { id, method, params } = incoming.data
          try {
            if (!isMethod(method)) throw new Refusal(-32601, 'Method not found.')
            const { result, after } = handlers[method](peer, params)
            peer.send({ jsonrpc: '2.0', id, result })
            after?.()
          } catch (cause) {
            if (!(cause instanceof Refusal)) throw cause
            peer.send({ jsonrpc: '2.0', id, error: { code: cause.code, message: cause.message } })
          }
        },
        close() {
          peers.delete(peer)
        },
      }
    },
    counts: () => ({ connections: peers.size, waiting: mailbox.size() }),
  }
}

function json(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
