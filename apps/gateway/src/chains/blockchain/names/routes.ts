/**
 * Names (interop §3), and our own `POST /v1/profile/account/release`.
 *
 * 1. Without a configured suffix, there are no names.
 * 2. Checks come in order of cost: format, time, label, availability, signature, limits in the database.
 * 3. A name is released by the kind of signature that registered it. A contract's counts only on its network: another
 *    may have another contract at its address.
 */

import {
  blockchainAnswers as answers,
  type CaipNetworkId,
  type NameProfiles,
  type NameSuggestions,
  RegisterName,
  type ReleasedName,
} from '@postern/protocol'
import { type Context, Hono } from 'hono'
import type { Address } from 'viem'
import * as z from 'zod/mini'
import { limitBody } from '../../../platform/http/body-limit'
import { operation, serveOperation } from '../../../platform/http/operation'
import { parseOrThrow, problem } from '../../../platform/http/problem'
import type { PostgresLimiter } from '../../../platform/limits/postgres'
import type { CallerEnv } from '../../../projects/caller'
import { type CallerLimit, callerTakings, takeFromCaller } from '../../../projects/caller-limit'
import { picture } from '../identity/ens'
import { plainText } from '../plain-text'
import { orBadGateway } from '../problems'
import { readAccount } from '../read-account'
import { isSignedByContract, isSignedByKey, readClaim, readRelease, type Verifier } from './claim'
import { labelIn, readLabel } from './label'
import { type Attributes, describeName, etherCoin, maxNames, type NameRegistry, type Resting } from './registry'
import { suggestionsFor } from './suggestions'

const SuggestionsQuery = z.object({ zone: z.optional(z.string()) })

export type NameRoutesOptions = Verifier &
  CallerLimit & {
    readonly names: NameRegistry | null
    readonly limits: Pick<PostgresLimiter, 'take'>
    /** Epoch milliseconds. */
    readonly now: () => number
  }

const lookupCost = 1
const registrationCost = 10
/** Verifying runs the sender's contract. */
const contractCost = 50
const maxBodyBytes = 140_000
const maxWishLength = 255
const maxSuggestions = 5
const maxBioLength = 256
const rates = {
  caller: { name: 'names caller', burst: 60, every: 60_000 },
  project: { name: 'names project', burst: 2_000, every: 3_000 },
} as const

const namesOfAddress = operation({
  method: 'get',
  path: '/v1/profile/reverse/:address',
  summary: 'The names that are registered here for an address, the newest first',
  caller: 'project',
  response: answers.nameProfiles,
})
const nameSuggestions = operation({
  method: 'get',
  path: '/v1/profile/suggestions/:name',
  summary: 'Whether a name is taken, and free names like it',
  caller: 'project',
  query: SuggestionsQuery,
  response: answers.nameSuggestions,
})
const registerName = operation({
  method: 'post',
  path: '/v1/profile/account',
  summary: 'Registers a name for the account that signed the claim',
  caller: 'project',
  body: RegisterName,
  response: answers.registerName,
})
const releaseName = operation({
  method: 'post',
  path: '/v1/profile/account/release',
  summary: 'Releases a name for the account that signed it; after 90 days anyone can register it',
  caller: 'project',
  body: RegisterName,
  response: answers.releaseName,
})
export const nameOperations = [namesOfAddress, nameSuggestions, registerName, releaseName]

export function nameRoutes(options: NameRoutesOptions): Hono<CallerEnv> {
  const { names, limits, clientAddress, now } = options
  const take = takeFromCaller(options)

  /** @throws {Problem} 400, 404, 429 */
  async function readSigned(context: Context<CallerEnv>) {
    const body = parseOrThrow(RegisterName, await context.req.json().catch(() => undefined))
    take(context, registrationCost)
    if (names === null) throw problem(404, 'name', 'No names are registered here')
    if (body.coin_type !== etherCoin) throw problem(400, 'coin_type', `Names are registered for coin type ${etherCoin}`)
    return { body, names }
  }

  /** @throws {Problem} 400, 502 */
  async function contractSigned(
    context: Context<CallerEnv>,
    address: Address,
    body: RegisterName,
    chainId: CaipNetworkId | undefined,
  ): Promise<void> {
    take(context, contractCost)
    const isSigned = await orBadGateway(isSignedByContract(address, body, chainId, options))
    if (!isSigned) throw problem(400, 'signature', 'The signature is not of this address')
  }

  /** @throws {Problem} 429 */
  async function takeShare(context: Context<CallerEnv>): Promise<void> {
    const share = await limits.take([
      ...callerTakings(rates.caller, clientAddress(context)),
      { rate: rates.project, who: context.get('project').id },
    ])
    if (!share.ok) throw problem(429, 'rate', 'Too many names', { 'Retry-After': String(share.retryAfter) })
  }

  const app = new Hono<CallerEnv>()
  serveOperation(app, namesOfAddress, async (context) => {
    const { namespace, address } = readAccount(context.req.param('address'))
    take(context, lookupCost)
    const registered = names === null || namespace !== 'eip155' ? [] : await names.of(address)
    return context.json(registered.map((name) => describeName(name, names?.suffix ?? '')) satisfies NameProfiles)
  })
  serveOperation(app, nameSuggestions, async (context) => {
    const { zone } = parseOrThrow(SuggestionsQuery, context.req.query())
    const wish = context.req.param('name')
    if (wish.length > maxWishLength) throw problem(400, 'name', `A name is at most ${maxWishLength} characters`)
    take(context, lookupCost)
    const isOurs =
      names !== null && (zone === undefined || `.${zone.toLowerCase().replace(/^\./, '')}` === names.suffix)
    return context.json(isOurs ? await suggest(names, wish) : ({ suggestions: [] } satisfies NameSuggestions))
  })
  serveOperation(app, registerName, limitBody(maxBodyBytes), async (context) => {
    const { body, names } = await readSigned(context)
    const read = readClaim(body, now())
    if (!read.ok) throw problem(400, read.name, read.description)
    const { claim, address } = read
    const label = labelOf(claim.name, names.suffix)
    const attributes = readAttributes(claim.attributes)
    if ((await names.find(label)) !== null) throw nameTaken()
    const rests = await names.resting(label)
    if (rests !== null) throw resting(rests)
    const isByKey = await isSignedByKey(address, body)
    if (!isByKey) await contractSigned(context, address, body, claim.chainId)
    await takeShare(context)
    const chainId = isByKey ? null : (claim.chainId ?? null)
    const added = await names.add({ label, address: address.toLowerCase(), attributes, chainId })
    if (added === 'taken') throw nameTaken()
    if (typeof added === 'object' && 'freeFrom' in added) throw resting(added)
    if (added === 'full') throw problem(409, 'address', `An address has at most ${maxNames} names`)
    return context.json(describeName(added, names.suffix))
  })
  serveOperation(app, releaseName, limitBody(maxBodyBytes), async (context) => {
    const { body, names } = await readSigned(context)
    const read = readRelease(body, now())
    if (!read.ok) throw problem(400, read.name, read.description)
    const { claim, address } = read
    const label = labelIn(claim.release, names.suffix)
    const registered = label === null ? null : await names.find(label)
    if (label === null || registered === null) throw problem(404, 'name', 'This name is not registered')
    if (registered.address !== address.toLowerCase())
      throw problem(403, 'address', 'This name belongs to another account')
    if (!(await isSignedByKey(address, body))) {
      if (registered.chainId === null || registered.chainId !== claim.chainId) {
        throw problem(400, 'signature', 'The signature is not of who registered the name')
      }
      await contractSigned(context, address, body, claim.chainId)
    }
    await takeShare(context)
    const released = await names.release(label, address.toLowerCase())
    if (released === null) throw problem(404, 'name', 'This name is not registered')
    const response = { name: `${label}${names.suffix}`, free_from: released.freeFrom.toISOString() }
    return context.json(response satisfies ReleasedName)
  })
  return app
}

/** @throws {Problem} 400 */
function labelOf(name: string, suffix: string): string {
  if (!name.toLowerCase().endsWith(suffix))
    throw problem(400, 'name', `Names that are registered here end in ${suffix}`)
  const read = readLabel(name.slice(0, -suffix.length))
  if ('label' in read) return read.label
  throw problem(
    400,
    'name',
    read.problem === 'reserved'
      ? 'This name is kept back'
      : 'A name is 4 to 63 letters, digits or hyphens, with no hyphen at either end',
  )
}

/** @throws {Problem} 400 */
function readAttributes({ avatar, bio }: Attributes): Attributes {
  if (avatar !== undefined && (avatar.length > 2_048 || !picture.test(avatar))) {
    throw problem(
      400,
      'attributes.avatar',
      'A picture is a data: URL of PNG, JPEG, GIF or WebP of at most 2048 characters',
    )
  }
  return {
    ...(avatar === undefined ? {} : { avatar }),
    ...(bio === undefined ? {} : { bio: plainText(bio, maxBioLength) }),
  }
}

async function suggest(names: NameRegistry, text: string): Promise<NameSuggestions> {
  const wish = text.toLowerCase().endsWith(names.suffix) ? text.slice(0, -names.suffix.length) : text
  const read = readLabel(wish)
  const others = suggestionsFor(wish)
  const own = 'label' in read ? [read.label] : []
  const unavailable = await names.unavailable([...own, ...others])
  const free = others.filter((label) => !unavailable.has(label)).slice(0, maxSuggestions)
  return {
    suggestions: [...own, ...free].map((label) => ({
      name: `${label}${names.suffix}`,
      registered: unavailable.has(label),
    })),
  }
}

function nameTaken() {
  return problem(409, 'name', 'This name is taken')
}

function resting({ freeFrom }: Resting) {
  return problem(409, 'name', `This name was given up, and is free from ${freeFrom.toISOString().slice(0, 10)}`)
}
