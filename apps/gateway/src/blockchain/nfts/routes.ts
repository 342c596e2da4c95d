import { type Context, Hono } from 'hono'
import * as z from 'zod/mini'
import type { CallerEnv } from '../../http/caller'
import { parseOrThrow, problem } from '../../http/problem'
import { callerKey, type RateLimit, takeOrThrow } from '../../http/rate-limit'
import { readAccount } from '../account'
import { orBadGateway } from '../problems'
import type { Nfts } from './nfts'

export const NftQuery = z.object({ chainId: z.optional(z.string()), cursor: z.optional(z.string()) })

export type NftRoutesOptions = {
  readonly nfts: Nfts
  readonly rpcLimit: RateLimit
  readonly clientAddress: (context: Context) => string
}

const cost = 5

/** `GET /v1/account/:address/nfts`, and the pictures that its answer names at `GET /v1/nft-image/:key`. */
export function nftRoutes({ nfts, rpcLimit, clientAddress }: NftRoutesOptions): Hono<CallerEnv> {
  const take = (context: Context<CallerEnv>, calls: number) =>
    takeOrThrow(rpcLimit, callerKey(context.get('project').id, clientAddress(context)), calls)

  return new Hono<CallerEnv>()
    .get('/v1/account/:address/nfts', async (context) => {
      const account = readAccount(context.req.param('address'))
      const query = parseOrThrow(NftQuery, context.req.query())
      take(context, cost)
      const { id } = context.get('project')
      const imageUrl = (key: string) => `/v1/nft-image/${encodeURIComponent(key)}?projectId=${encodeURIComponent(id)}`
      return context.json(await orBadGateway(nfts.of(account, query, imageUrl)))
    })
    .get('/v1/nft-image/:key', async (context) => {
      take(context, 1)
      const picture = await orBadGateway(nfts.picture(context.req.param('key')))
      if (picture === null) throw problem(404, 'key', 'There is no such picture')
      return context.body(picture.bytes, 200, {
        'Content-Type': picture.type,
        // Opened by itself it is a document of this origin: it may neither run nor load anything.
        'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
        'X-Content-Type-Options': 'nosniff',
        'Cache-Control': 'private, max-age=300',
      })
    })
}
