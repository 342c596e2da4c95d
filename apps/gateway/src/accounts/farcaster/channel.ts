/** Client of Farcaster's relay (Farcaster Auth). */
import * as z from 'zod/mini'
import { fetchText } from '../../platform/upstreams/attempt'

const timeout = 10_000
const maxResponseBytes = 65_536

const ChannelAnswer = z.object({
  channelToken: z.string().check(z.minLength(1), z.maxLength(256)),
  url: z.url({ protocol: /^(https|http|farcaster)$/ }).check(z.maxLength(2048)),
  nonce: z.string(),
})

const StatusAnswer = z.discriminatedUnion('state', [
  z.object({ state: z.literal('pending') }),
  z.object({
    state: z.literal('completed'),
    message: z.string().check(z.maxLength(4096)),
    signature: z.string().check(z.regex(/^0x[0-9a-fA-F]{2,4096}$/)),
    /** Unverified, for display. */
    username: z.catch(z.nullish(z.string().check(z.regex(/^[a-z0-9][a-z0-9.-]{0,63}$/))), null),
  }),
])
export type ChannelStatus = z.infer<typeof StatusAnswer>

export class RelayError extends Error {
  override readonly name = 'RelayError'
}

export type Relay = {
  /** @throws {RelayError} */
  open(request: {
    readonly siweUri: string
    readonly domain: string
    readonly nonce: string
    /** ISO 8601. */
    readonly expirationTime: string
  }): Promise<{ readonly channelToken: string; readonly url: string }>
  /** Null if the relay does not know the channel. @throws {RelayError} */
  status(channelToken: string): Promise<ChannelStatus | null>
}

export function createRelay(baseUrl: string, fetch: typeof globalThis.fetch): Relay {
  return {
    async open(request) {
      const init = {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        // Delegated addresses may not sign.
        body: JSON.stringify({ ...request, acceptAuthAddress: false }),
      }
      const { value } = await ask('/v1/channel', init)
      const parsed = ChannelAnswer.safeParse(value)
      if (!parsed.success || parsed.data.nonce !== request.nonce) throw new RelayError('not a channel')
      return parsed.data
    },

    async status(channelToken) {
      const headers = { Authorization: `Bearer ${channelToken}` }
      const { status, value } = await ask('/v1/channel/status', { headers })
      if (status === 401 || status === 404) return null
      const parsed = StatusAnswer.safeParse(value)
      if (!parsed.success) throw new RelayError('not a status')
      return parsed.data
    },
  }

  async function ask(path: string, init: RequestInit): Promise<{ readonly status: number; readonly value: unknown }> {
    try {
      const { response, text } = await fetchText(`${baseUrl}${path}`, init, timeout, { fetch, maxResponseBytes })
      return { status: response.status, value: JSON.parse(text) }
    } catch {
      // The original message may contain the channel's token.
      throw new RelayError('no answer')
    }
  }
}
