/**
 * Sign-in with Farcaster: `farcaster` and `farcasterClaim` of `walletApi`.
 *
 * 1. The channel's token stays in the gateway; the frame gets its URL, to show or open.
 * 2. Only the frame that started the flow (its `claim`) can complete it, once.
 * 3. A message that proves no fid ends the flow: STATE_MISMATCH. A silent relay or chain does not.
 */

import { type Context, Hono } from 'hono'
import { problem } from '../../platform/http/problem'
import { waitFor } from '../../platform/http/wait'
import { serveCall, walletFailure } from '../../platform/http/wallet-calls'
import type { Log } from '../../platform/log/log'
import { newSecret } from '../../platform/secrets/secrets'
import { UpstreamsFailedError } from '../../platform/upstreams/attempt'
import { isAllowed } from '../../projects/project'
import { offered } from '../../projects/sign-in-methods'
import type { SignInLimits } from '../limits/sign-in-limits'
import type { Proofs } from '../sessions/dpop'
import { keyOfCaller, type SessionEnv, type Sessions } from '../sessions/sessions'
import { type FlowRow, type Flows, flowLifetime } from '../social/flows'
import { type Relay, RelayError } from './channel'
import { type Chain, verifySignIn } from './verify'

export type Farcaster = { readonly relay: Relay; readonly chain: Chain }

export type FarcasterRoutesOptions = {
  readonly farcaster: Farcaster | null
  readonly flows: Flows
  readonly sessions: Pick<Sessions, 'signIn'>
  readonly proofs: Pick<Proofs, 'verify'>
  readonly signInLimits: Pick<SignInLimits, 'take'>
  readonly modalOrigin: string
  readonly walletOrigin: string
  readonly clientAddress: (context: Context) => string
  readonly log: Pick<Log, 'warn'>
  /** Epoch milliseconds. */
  readonly now: () => number
  /** Monotonic, in ms. */
  readonly clock: () => number
  readonly stopping: AbortSignal
  readonly waiting?: { readonly timeout: number; readonly interval: number }
}

/** In ms; the interval of Farcaster's own client. */
const defaultWaiting = { timeout: 25_000, interval: 1_500 }

type Outcome = { readonly fid: bigint; readonly userName: string }

export function farcasterRoutes(options: FarcasterRoutesOptions): Hono<SessionEnv> {
  const { farcaster, flows, sessions, proofs, signInLimits, walletOrigin, now, clock, stopping, log } = options
  const { waiting = defaultWaiting } = options
  const uri = `${walletOrigin}/auth/farcaster`
  const domain = new URL(walletOrigin).host
  const app = new Hono<SessionEnv>()

  serveCall(app, 'farcaster', [], async ({ claim, deviceToken, origin, solution }, context) => {
    const project = context.get('project')
    const methods = { email: false, socials: [], farcaster: farcaster !== null }
    if (farcaster === null || !offered(project, methods).farcaster) {
      throw problem(403, 'provider', 'This sign-in is not offered here')
    }
    if (!isAllowed(origin, project) && origin !== options.modalOrigin) {
      throw problem(403, 'origin', 'Unauthorized: origin not allowed')
    }
    const caller = { projectId: project.id, address: options.clientAddress(context) }
    await signInLimits.take('farcaster', { caller, deviceToken, solution })
    // EIP-4361: only letters and digits.
    const nonce = newSecret().replace(/[-_]/g, '0')
    const expirationTime = new Date(now() + flowLifetime).toISOString()
    const { channelToken, url } = await orFailed(farcaster.relay.open({ siweUri: uri, domain, nonce, expirationTime }))
    const stash = { deviceToken, channelToken, nonce }
    const flow = await flows.open({ projectId: project.id, provider: 'farcaster', origin, claim, stash })
    return { flow, url }
  })

  serveCall(app, 'farcasterClaim', [], async ({ flow, claim }, context) => {
    const keyThumbprint = await keyOfCaller(context, proofs)
    const checked = await flows.claim({ flow, claim })
    if (checked.kind === 'failed') throw walletFailure(checked.failure)
    const row = await flows.find(flow)
    if (farcaster === null || row?.provider !== 'farcaster') throw walletFailure('STATE_MISMATCH')
    const { deviceToken, channelToken, nonce } = flows.channel(row)
    const signal = AbortSignal.any([context.req.raw.signal, stopping])
    const outcome = await waitFor(() => look(farcaster, row, channelToken, nonce), { ...waiting, clock, signal })
    // The caller is gone; its next call continues.
    if (outcome === null || signal.aborted) return { status: 'pending' }
    if (!(await flows.takeChannel(row))) throw walletFailure('CODE_SPENT')
    const { fid, userName } = outcome
    const identity = { provider: 'farcaster', subject: String(fid), email: null, userName } as const
    return sessions.signIn(identity, { deviceToken, keyThumbprint }, row.projectId)
  })

  return app

  async function look(service: Farcaster, row: FlowRow, channelToken: string, nonce: string): Promise<Outcome | null> {
    try {
      const status = await service.relay.status(channelToken)
      if (status === null) {
        await flows.fail(row, 'CODE_EXPIRED')
        throw walletFailure('CODE_EXPIRED')
      }
      if (status.state === 'pending') return null
      const fid = await verifySignIn(status, { domain, uri, nonce, now: now() }, service.chain)
      if (fid !== null) return { fid, userName: status.username ?? `fid ${fid}` }
      await flows.fail(row, 'STATE_MISMATCH')
      throw walletFailure('STATE_MISMATCH')
    } catch (error) {
      if (!(error instanceof RelayError) && !(error instanceof UpstreamsFailedError)) throw error
      log.warn({ provider: 'farcaster', reason: error.name }, 'social sign-in failed')
      return null
    }
  }
}

/** @throws {Problem} PROVIDER_FAILED */
async function orFailed<T>(asking: Promise<T>): Promise<T> {
  try {
    return await asking
  } catch (error) {
    if (error instanceof RelayError) throw walletFailure('PROVIDER_FAILED')
    throw error
  }
}
