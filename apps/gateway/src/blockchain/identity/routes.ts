import type { Identity, NameProfile } from '@postern/protocol'
import { type Context, Hono } from 'hono'
import type { CallerEnv } from '../../http/caller'
import { problem } from '../../http/problem'
import { callerKey, type RateLimit, takeOrThrow } from '../../http/rate-limit'
import { readAccount } from '../account'
import { orBadGateway } from '../problems'
import type { Identities } from './identity'

export type IdentityRoutesOptions = {
  readonly identities: Identities
  readonly rpcLimit: RateLimit
  readonly clientAddress: (context: Context) => string
}

const cost = 2
/** Ethereum's coin type. Source: SLIP-44. */
const ether = '60'
const longestName = 255

/**
 * `GET /v1/identity/:address` and `GET /v1/profile/account/:name` (interop §3), the latter for ENS names, which tell no times.
 */
export function identityRoutes({ identities, rpcLimit, clientAddress }: IdentityRoutesOptions): Hono<CallerEnv> {
  const take = (context: Context<CallerEnv>) =>
    takeOrThrow(rpcLimit, callerKey(context.get('project').id, clientAddress(context)), cost)

  return new Hono<CallerEnv>()
    .get('/v1/identity/:address', async (context) => {
      const account = readAccount(context.req.param('address'))
      take(context)
      return context.json((await orBadGateway(identities.of(account))) satisfies Identity)
    })
    .get('/v1/profile/account/:name', async (context) => {
      const name = context.req.param('name')
      if (name.length > longestName) throw problem(400, 'name', `A name is at most ${longestName} characters`)
      take(context)
      const found = await orBadGateway(identities.resolveEns(name))
      if (found === null) throw problem(404, 'name', 'Nobody has this name')
      const profile: NameProfile = {
        name,
        registered_at: '',
        addresses: { [ether]: { address: found.address, created: '' } },
        attributes: found.avatar === null ? [] : [{ avatar: found.avatar }],
      }
      return context.json(profile)
    })
}
