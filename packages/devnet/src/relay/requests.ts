/** Source: https://specs.walletconnect.com/2.0/specs/servers/relay/relay-server-rpc */
import * as z from 'zod/mini'

/** In characters. Fits 96 kB of PSBT in base64, encrypted and encoded again. */
const messageLimit = 524_288
const batchLimit = 500
/** Thirty days, in seconds. */
const ttlLimit = 2_592_000

const Topic = z.string().check(z.regex(/^[0-9a-f]{64}$/))
const Message = z.string().check(z.minLength(1), z.maxLength(messageLimit))
const Publish = z.object({
  topic: Topic,
  message: Message,
  ttl: z.int().check(z.gte(1), z.lte(ttlLimit)),
  tag: z._default(z.int().check(z.gte(0)), 0),
})
const Topics = z.object({ topics: z.array(Topic).check(z.maxLength(batchLimit)) })
const Subscription = z.object({ topic: Topic, id: z.string() })

/** Drops extra members (prompt, attestation, correlationId and more). */
export const methods = {
  irn_publish: Publish,
  irn_batchPublish: z.object({ messages: z.array(Publish).check(z.maxLength(batchLimit)) }),
  irn_subscribe: z.object({ topic: Topic }),
  irn_batchSubscribe: Topics,
  irn_unsubscribe: Subscription,
  irn_batchUnsubscribe: z.object({ subscriptions: z.array(Subscription).check(z.maxLength(batchLimit)) }),
  irn_fetchMessages: z.object({ topic: Topic }),
  irn_batchFetchMessages: Topics,
  wc_proposeSession: z.object({ pairingTopic: Topic, sessionProposal: Message }),
  wc_approveSession: z.object({
    pairingTopic: Topic,
    sessionTopic: Topic,
    sessionProposalResponse: Message,
    sessionSettlementRequest: Message,
  }),
} as const
export type Method = keyof typeof methods

/** A request, or the response to a push. */
export const Incoming = z.union([
  z.object({
    jsonrpc: z.literal('2.0'),
    id: z.union([z.int(), z.string().check(z.maxLength(64))]),
    method: z.string().check(z.maxLength(64)),
    params: z.optional(z.unknown()),
  }),
  z.object({ jsonrpc: z.literal('2.0'), id: z.union([z.int(), z.string()]), result: z.unknown() }),
  z.object({ jsonrpc: z.literal('2.0'), id: z.union([z.int(), z.string()]), error: z.unknown() }),
])

/** Longer frames end the connection. */
export const frameLimit = 2 * messageLimit
