import { randomBytes, randomUUID } from 'node:crypto'
import type { Hex } from 'viem'
import * as z from 'zod'

/** Source: types of @farcaster/auth-client 0.7. */
export const ChannelRequest = z.object({
  siweUri: z.url(),
  domain: z.string().min(1).max(255),
  nonce: z.string().min(8).max(128).optional(),
  notBefore: z.iso.datetime().optional(),
  expirationTime: z.iso.datetime().optional(),
  requestId: z.string().max(128).optional(),
  redirectUrl: z.url().optional(),
  acceptAuthAddress: z.boolean().default(false),
})
export type ChannelRequest = z.infer<typeof ChannelRequest>

export type Signed = {
  readonly message: string
  readonly signature: Hex
  readonly fid: number
  readonly username: string
  readonly displayName: string
  readonly custody: Hex
}

export type Channel = {
  readonly token: string
  readonly nonce: string
  readonly url: string
  readonly request: ChannelRequest
  readonly userAgent: string
  readonly signed: Signed | null
}

export type Channels = {
  open(request: ChannelRequest, urlOf: (token: string) => string, userAgent: string): Channel
  /** Undefined after expiry. */
  get(token: string): Channel | undefined
  /** False if expired or already completed. */
  complete(token: string, signed: Signed): boolean
}

/** In ms. */
const channelLifetimeMs = 600_000

export function createChannels({ now = Date.now }: { readonly now?: () => number } = {}): Channels {
  const channels = new Map<string, { readonly channel: Channel; readonly until: number }>()
  const get = (token: string) => {
    const entry = channels.get(token)
    if (entry === undefined || entry.until > now()) return entry?.channel
    channels.delete(token)
    return undefined
  }
  return {
    open(request, urlOf, userAgent) {
      const token = randomUUID()
      const nonce = request.nonce ?? randomBytes(16).toString('hex')
      const channel = { token, nonce, url: urlOf(token), request, userAgent, signed: null }
      channels.set(token, { channel, until: now() + channelLifetimeMs })
      return channel
    },
    get,
    complete(token, signed) {
      const channel = get(token)
      if (channel === undefined || channel.signed !== null) return false
      channels.set(token, { channel: { ...channel, signed }, until: now() + channelLifetimeMs })
      return true
    },
  }
}

/** Response of `GET /v1/channel/status`. */
export function statusOf({ nonce, url, request, userAgent, signed }: Channel): Record<string, unknown> {
  const { acceptAuthAddress, ...signatureParams } = request
  return {
    state: signed === null ? 'pending' : 'completed',
    nonce,
    url,
    ...(signed !== null && { ...signed, authMethod: 'custody', bio: '', pfpUrl: '', verifications: [] }),
    signatureParams: { ...signatureParams, nonce },
    metadata: { ip: '127.0.0.1', userAgent },
    acceptAuthAddress,
  }
}
