import {
  blockchainAnswers as answers,
  type CaipNetworkId,
  type Identity,
  isCaipNetworkId,
  type NameProfile,
  parseCaipNetworkId,
} from '@postern/protocol'
import { type Context, Hono } from 'hono'
import { toCoinType } from 'viem'
import * as z from 'zod/mini'
import { operation, serveOperation } from '../../../platform/http/operation'
import { problem } from '../../../platform/http/problem'
import type { CallerEnv } from '../../../projects/caller'
import { type CallerLimit, takeFromCaller } from '../../../projects/caller-limit'
import { labelIn } from '../names/label'
import { describeName, etherCoin, type NameRegistry } from '../names/registry'
import { orBadGateway } from '../problems'
import { readAccount } from '../read-account'
import { sendPicture } from '../remote/send-picture'
import { avatarPath, type Identities } from './identity'

export type IdentityRoutesOptions = CallerLimit & {
  readonly identities: Identities
  readonly names: NameRegistry | null
  readonly ensNetwork: CaipNetworkId | undefined
}

/** `chainId`: ignored for other namespaces than EVM. */
const IdentityQuery = z.object({ chainId: z.optional(z.string()) })

const cost = 2
const maxNameLength = 255

const identity = operation({
  method: 'get',
  path: '/v1/identity/:address',
  summary: 'The name that an address calls itself and that leads back to it, and its picture',
  caller: 'project',
  query: IdentityQuery,
  response: answers.identity,
})
const avatar = operation({
  method: 'get',
  path: `${avatarPath}:name`,
  summary: "A name's picture, fetched from where its record says that it is",
  caller: 'project',
  response: 'image/*',
})
const nameProfile = operation({
  method: 'get',
  path: '/v1/profile/account/:name',
  summary: 'Where a name leads: those that are registered here, and those of ENS',
  caller: 'project',
  query: IdentityQuery,
  response: answers.nameProfile,
})
export const identityOperations = [identity, avatar, nameProfile]

/** Interop §3. */
export function identityRoutes(options: IdentityRoutesOptions): Hono<CallerEnv> {
  const { identities, names, ensNetwork } = options
  const take = takeFromCaller(options)

  /** @throws {Problem} 400 */
  const chainIn = (context: Context<CallerEnv>): number | undefined => {
    const id = context.req.query('chainId')
    if (id === undefined || id === ensNetwork) return undefined
    if (!isCaipNetworkId(id)) throw problem(400, 'chainId', 'This is no CAIP-2 id')
    const { namespace, reference } = parseCaipNetworkId(id)
    // A coin type has 32 bits (ENSIP-11).
    return namespace === 'eip155' && Number(reference) < 2 ** 31 ? Number(reference) : undefined
  }

  const app = new Hono<CallerEnv>()
  serveOperation(app, identity, async (context) => {
    const account = readAccount(context.req.param('address'))
    const chainId = chainIn(context)
    take(context, chainId === undefined ? cost : cost + 1)
    const { name, avatar } = await orBadGateway(identities.of(account, chainId))
    return context.json({ name, avatar: withProject(avatar, context) } satisfies Identity)
  })
  serveOperation(app, avatar, async (context) => {
    const name = context.req.param('name')
    if (name.length > maxNameLength) throw problem(400, 'name', `A name is at most ${maxNameLength} characters`)
    take(context, cost)
    const picture = await orBadGateway(identities.picture(name))
    if (picture === null) throw problem(404, 'name', 'There is no such picture')
    return sendPicture(context, picture)
  })
  serveOperation(app, nameProfile, async (context) => {
    const name = context.req.param('name')
    if (name.length > maxNameLength) throw problem(400, 'name', `A name is at most ${maxNameLength} characters`)
    take(context, cost)
    if (names !== null && name.toLowerCase().endsWith(names.suffix)) {
      const label = labelIn(name, names.suffix)
      const registered = label === null ? null : await names.find(label)
      if (registered === null) throw problem(404, 'name', 'This name is not registered')
      return context.json(describeName(registered, names.suffix))
    }
    const chainId = chainIn(context)
    const identity = await orBadGateway(identities.resolveEns(name, chainId))
    if (identity === null) throw problem(404, 'name', 'This name is not registered')
    const { address, onChain } = identity
    const profile: NameProfile = {
      name,
      registered_at: '',
      addresses: {
        ...(address !== null && { [etherCoin]: { address, created: '' } }),
        ...(chainId !== undefined &&
          onChain !== null && { [String(toCoinType(chainId))]: { address: onChain, created: '' } }),
      },
      attributes: identity.avatar === null ? [] : [{ avatar: withProject(identity.avatar, context) }],
    }
    return context.json(profile)
  })
  return app
}

function withProject(avatar: string | null, context: Context<CallerEnv>): string | null {
  if (avatar === null || !avatar.startsWith(avatarPath)) return avatar
  return `${avatar}?projectId=${encodeURIComponent(context.get('project').id)}`
}
