import {
  blockchainAnswers as answers,
  type CaipNetworkId,
  errors,
  isCaipAddress,
  isCaipNetworkId,
  parseCaipAddress,
  parseCaipNetworkId,
  RevokeSession,
  type SmartSession,
} from '@postern/protocol'
import { Hono } from 'hono'
import { type Address, getAddress, isHex } from 'viem'
import * as z from 'zod/mini'
import { limitBody } from '../../../platform/http/body-limit'
import { operation, serveOperation } from '../../../platform/http/operation'
import { parseOrThrow, problem } from '../../../platform/http/problem'
import type { Upstreams } from '../../../platform/upstreams/rpc'
import type { CallerEnv } from '../../../projects/caller'
import { type CallerLimit, takeFromCaller } from '../../../projects/caller-limit'
import type { KnownNetwork } from '../account'
import { shortAddress } from '../accounts/holding'
import { isSignedByContract, isSignedByKey } from '../names/claim'
import { orBadGateway } from '../problems'
import { readAccount } from '../read-account'
import { type Granted, readAllowances, readContext, readGranted, writeContext } from './permit2'

export type SessionRoutesOptions = CallerLimit & {
  readonly networks: ReadonlyMap<CaipNetworkId, KnownNetwork>
  readonly upstreams: Upstreams
  readonly logBlocks: number
  /** Epoch milliseconds. */
  readonly now: () => number
}

const cost = 10
const maxBodyBytes = 131_072
/** The maximum of a Date, in ms: no expiry. */
const lastMoment = 8_640_000_000_000_000
const permissionType = 'erc20-token-transfer'

const smartSessions = operation({
  method: 'get',
  path: '/v1/sessions/:address',
  summary: 'Who may take tokens of an account (CAIP-10), as the chain enforces it',
  caller: 'project',
  response: answers.smartSessions,
})
const revokeSession = operation({
  method: 'post',
  path: '/v1/sessions/:address/revoke',
  summary: 'Confirms that the account revoked a permission on its chain',
  caller: 'project',
  body: RevokeSession,
  response: z.object({}),
})
export const sessionOperations = [smartSessions, revokeSession]

/**
 * Smart sessions (interop §3).
 *
 * 1. The list is the chain's: Permit2 allowances, as the embedded wallet grants them.
 * 2. The account revokes (`wallet_revokePermissions`). This call confirms it with the owner's signature: 409 while the
 *    chain still allows spending.
 */
export function sessionRoutes(options: SessionRoutesOptions): Hono<CallerEnv> {
  const { networks, upstreams, logBlocks, now } = options
  const take = takeFromCaller(options)

  const app = new Hono<CallerEnv>()
  serveOperation(app, smartSessions, async (context) => {
    const text = context.req.param('address')
    if (!isCaipAddress(text)) throw problem(400, 'address', errors.INVALID_CAIP_ADDRESS.message)
    const { networkId } = parseCaipAddress(text)
    const { namespace, address } = readAccount(text)
    take(context, cost)
    const network = networks.get(networkId)
    if (network === undefined || namespace !== 'eip155') return context.json({ pcis: [] })
    const granted = await orBadGateway(readGranted({ upstreams, urls: network.urls }, getAddress(address), logBlocks))
    return context.json({ pcis: granted.map((each) => toSession(network, each)) })
  })
  serveOperation(app, revokeSession, limitBody(maxBodyBytes), async (context) => {
    const { namespace, address } = readAccount(context.req.param('address'))
    if (namespace !== 'eip155') throw problem(400, 'address', 'This account has no smart sessions')
    const body = parseOrThrow(RevokeSession, await context.req.json().catch(() => undefined))
    const named = isHex(body.pci) && body.pci.length % 2 === 0 ? readContext(body.pci) : null
    const chainId = named === null ? undefined : `eip155:${named.chainId}`
    const network = isCaipNetworkId(chainId) ? networks.get(chainId) : undefined
    if (named === null || network === undefined) throw problem(404, 'pci', 'There is no such permission')
    take(context, cost)
    const owner = getAddress(address)
    const signed = { message: `Revoke ${body.pci}`, signature: body.signature }
    const isOwners =
      (await isSignedByKey(owner, signed)) ||
      (await orBadGateway(isSignedByContract(owner, signed, network.id, { upstreams, networks })))
    if (!isOwners) throw problem(403, 'signature', 'The signature is not of the account that granted it')
    if (await orBadGateway(isOpen(network, owner, named))) {
      throw problem(409, 'pci', 'The permission ends on its network: the wallet has to revoke it there')
    }
    return context.json({})
  })
  return app

  async function isOpen(
    { urls }: KnownNetwork,
    owner: Address,
    { spender, tokens }: { readonly spender: Address; readonly tokens: readonly Address[] },
  ): Promise<boolean> {
    const queried = tokens.map((token) => ({ token, spender }))
    const allowances = await readAllowances({ upstreams, urls }, owner, queried)
    // An unreadable allowance counts as open.
    return allowances.some((each) => each === null || (each.amount > 0n && Number(each.expiration) * 1_000 >= now()))
  }
}

function toSession({ id }: KnownNetwork, granted: Granted): SmartSession {
  const { spender, permissions, createdAt, expiration, revokedAt } = granted
  const chainId = BigInt(parseCaipNetworkId(id).reference)
  return {
    pci: writeContext({ chainId, spender, tokens: permissions.map(({ token }) => token) }),
    project: { name: shortAddress(spender) },
    expirationTimestamp: Math.min(Number(expiration) * 1_000, lastMoment),
    createdAt: Number(createdAt) * 1_000,
    ...(revokedAt !== null && { revokedAt: Number(revokedAt) * 1_000 }),
    permissions: permissions.map(({ token, allowance, remaining }) => ({
      type: permissionType,
      data: { address: token, spender, allowance: `${allowance}`, remaining: `${remaining}` },
    })),
  }
}
