import { blockchainAnswers as answers } from '@postern/protocol'
import { Hono } from 'hono'
import * as z from 'zod/mini'
import { operation, serveOperation } from '../../../platform/http/operation'
import { parseOrThrow, problem } from '../../../platform/http/problem'
import type { CallerEnv } from '../../../projects/caller'
import { type CallerLimit, takeFromCaller } from '../../../projects/caller-limit'
import { orBadGateway } from '../problems'
import { readAccount } from '../read-account'
import { sendPicture } from '../remote/send-picture'
import { type Nfts, pictureUrl } from './nfts'

const NftQuery = z.object({ chainId: z.optional(z.string()), cursor: z.optional(z.string()) })

export type NftRoutesOptions = CallerLimit & {
  readonly nfts: Nfts
}

const cost = 5

const accountNfts = operation({
  method: 'get',
  path: '/v1/account/:address/nfts',
  summary: 'The collectibles that an account has',
  caller: 'project',
  query: NftQuery,
  response: answers.nfts,
})
const nftImage = operation({
  method: 'get',
  path: '/v1/nft-image/:key',
  summary: "A collectible's picture",
  caller: 'project',
  response: 'image/*',
})
export const nftOperations = [accountNfts, nftImage]

export function nftRoutes(options: NftRoutesOptions): Hono<CallerEnv> {
  const { nfts } = options
  const take = takeFromCaller(options)

  const app = new Hono<CallerEnv>()
  serveOperation(app, accountNfts, async (context) => {
    const account = readAccount(context.req.param('address'))
    const query = parseOrThrow(NftQuery, context.req.query())
    take(context, cost)
    const { id } = context.get('project')
    return context.json(await orBadGateway(nfts.of(account, query, (key) => pictureUrl(id, key))))
  })
  serveOperation(app, nftImage, async (context) => {
    take(context, cost)
    const picture = await orBadGateway(nfts.picture(context.req.param('key')))
    if (picture === null) throw problem(404, 'key', 'There is no such picture')
    return sendPicture(context, picture)
  })
  return app
}
