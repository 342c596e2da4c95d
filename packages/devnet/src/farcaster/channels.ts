/** Channels of Farcaster's sign-in relay: an app asks on one, the visitor's Farcaster app answers. */
import { randomBytes, randomUUID } from 'node:crypto'
import type { Hex } from 'viem'
import * as z from 'zod'

/** Body of `POST /v1/channel`. Source: types of @farcaster/auth-client 0.7. */
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

/** What the Farcaster app hands in. */
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
  /** Undefined once it expired. */
  get(token: string): Channel | undefined
  /** False when it expired, or was answered before. */
  complete(token: string, signed: Signed): boolean
}

/** A channel's life, ms. */
const lifetime = 600_000

export function createChannels({ now = Date.now }: { readonly now?: () => number } = {}): Channels {
  const held = new Map<string, { readonly channel: Channel; readonly until: number }>()
  const get = (token: string) => {
    const found = held.get(token)
    if (found === undefined || found.until > now()) return found?.channel
    held.delete(token)
    return undefined
  }
  return {
    open(request, urlOf, userAgent) {
      const token = randomUUID()
      const nonce = request.nonce ?? randomBytes(16).toString('hex')
      const channel = { token, nonce, url: urlOf(token), request, userAgent, signed: null }
      held.set(token, { channel, until: now() + lifetime })
      return channel
    },
    get,
    complete(token, signed) {
      const channel = get(token)
      if (channel === undefined || channel.signed !== null) return false
      held.set(token, { channel: { ...channel, signed }, until: now() + lifetime })
      return true
    },
  }
}

/** As `GET /v1/channel/status` answers. */
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
