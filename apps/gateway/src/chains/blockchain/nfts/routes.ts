import { Hono } from 'hono'
import * as z from 'zod/mini'
import { parseOrThrow, problem } from '../../../platform/http/problem'
import type { CallerEnv } from '../../../projects/caller'
import { type CallerLimit, takeFromCaller } from '../../../projects/caller-limit'
import { readAccount } from '../account'
import { orBadGateway } from '../problems'
import { sendPicture } from '../remote/send-picture'
import { type Nfts, pictureUrl } from './nfts'

export const NftQuery = z.object({ chainId: z.optional(z.string()), cursor: z.optional(z.string()) })

export type NftRoutesOptions = CallerLimit & {
  readonly nfts: Nfts
}

const cost = 5

/** `GET /v1/account/:address/nfts` and `GET /v1/nft-image/:key`. */
export function nftRoutes(options: NftRoutesOptions): Hono<CallerEnv> {
  const { nfts } = options
  const take = takeFromCaller(options)

  return new Hono<CallerEnv>()
    .get('/v1/account/:address/nfts', async (context) => {
      const account = readAccount(context.req.param('address'))
      const query = parseOrThrow(NftQuery, context.req.query())
      take(context, cost)
      const { id } = context.get('project')
      return context.json(await orBadGateway(nfts.of(account, query, (key) => pictureUrl(id, key))))
    })
    .get('/v1/nft-image/:key', async (context) => {
      take(context, cost)
      const picture = await orBadGateway(nfts.picture(context.req.param('key')))
      if (picture === null) throw problem(404, 'key', 'There is no such picture')
      return sendPicture(context, picture)
    })
}
