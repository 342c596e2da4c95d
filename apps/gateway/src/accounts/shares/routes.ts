/**
 * The wallet's shares (`walletApi`: `/wallet` and below). *Hardened*: recovered by a passkey or passphrase.
 *
 * 1. The session determines user and device. A body names a device only to remove it.
 * 2. The wallet's key signs shares, action, user and recovery method: BAD_PROOF.
 * 3. Both shares of a split need a sign-in of the last ten minutes.
 * 4. A device without a row gets no share: DEVICE_REVOKED.
 * 5. A change of method, an export and a deletion use up a confirmation; a retry after a lost response does not.
 * 6. Removing a device ends its sessions and deletes a split stored meanwhile.
 * 7. A new method has its owner's proof, so devices need not trust the gateway. Its generation is at most
 *    `maxGenerationStep` above the last.
 * 8. A project can require hardened new wallets and methods: HARDENED_RECOVERY_REQUIRED.
 * 9. The wallet's key proves the addresses to new devices.
 * 10. Mailbox and other devices learn of a recovery. The shares wait for the longest waiting time of the user's
 *     projects. If the email fails, no wait begins.
 * 11. Replacing a wallet needs a confirmation and its key's signature over the new addresses. Both are hardened, the
 *     new one from its start. The previous wallet is read under 3, 4 and 10; its method cannot change.
 * 12. The wallet's key signs its end for addresses and generation. Other devices get it (`ends.ts`), unless ending the
 *     wallet fails.
 * 13. A code alone deletes no hardened wallet, current or previous, that another device used in the last 90 days,
 *     because a reader of the mail could destroy it: WALLET_IN_USE. A signed end (12) does.
 * 14. A session alone removes no device that used a hardened wallet in the last 90 days: WALLET_IN_USE. A signature of
 *     its key (of the current wallet's, if both are hardened) does, on a device with a row. With `gateway` a session is
 *     enough: the same sign-in opens the wallet.
 * 15. After a change of the email address, holds apply (`address-changes.ts`). A split for the current wallet shows its
 *     key.
 */
import {
  maxGenerationStep,
  type Recovery,
  type RecoveryRule,
  type WalletAddresses,
  type WalletApiFailure,
  type WalletDevice,
  type WalletEnd,
  type WhichWallet,
} from '@postern/protocol'
import { type Context, Hono, type MiddlewareHandler } from 'hono'
import type * as z from 'zod/mini'
import type { Orm } from '../../platform/db/open'
import { serveCall, walletFailure } from '../../platform/http/wallet-calls'
import type { Session, SessionEnv, Sessions } from '../sessions/sessions'
import type { WalletEnds } from './ends'
import { areProven, checkProof, isChosenBy, isEndedBy, isRemovedBy, isReplacedBy, type ShareProof } from './proof'
import type { Recoveries } from './recoveries'
import { isSameWallet } from './rows'
import type { ChosenRecovery, Owner, Refusal, Split, Wallet, WalletId, WalletStore } from './store'
import { unusedFor } from './wallet-store'

export type WalletRoutesOptions = {
  readonly wallets: WalletStore
  readonly recoveries: Recoveries
  readonly ends: Pick<WalletEnds, 'keep' | 'of'>
  /** For a new device, in ms. */
  readonly recoveryWait: (projectIds: readonly string[]) => Promise<number>
  /** Emails the user, if they have an address. @throws {Problem} MAIL_FAILED */
  readonly tellMailbox: (context: Context, session: Session, opensAt: number | null) => Promise<void>
  /** The wallet's key signed on the session's device. */
  readonly showKey: (session: Session) => Promise<void>
  /** Epoch ms. */
  readonly now: () => number
  readonly sessions: Pick<
    Sessions,
    'takeConfirmation' | 'requireFreshSignIn' | 'endDevice' | 'deleteUser' | 'projectsOf'
  >
  /** Rejects requests without a session; sets `session`. */
  readonly requireSession: MiddlewareHandler<SessionEnv>
}

const byGateway: Recovery = { method: 'gateway' }

export function walletRoutes(options: WalletRoutesOptions): Hono<SessionEnv> {
  const { wallets, recoveries, ends, sessions, requireSession, now } = options
  const app = new Hono<SessionEnv>()
  const guards = [requireSession]

  serveCall(app, 'wallet', guards, async (which, context) => {
    const owner = ownerOf(context.get('session'), which)
    const wallet = await wallets.find(owner)
    const told = await ends.of(owner)
    const ended = told.length === 0 ? {} : { ends: told }
    if (wallet === null) return { wallet: null, ...ended }
    const rows = await wallets.devices(owner)
    const stale = rows.some(({ isThis, recoverable }) => isThis && !recoverable)
    const devices = rows.map(({ recoverable: _, ...device }) => device)
    return { wallet: { ...wallet, devices, recoveries: [...(await recoveries.unseenBy(owner))], stale }, ...ended }
  })

  serveCall(app, 'createWallet', guards, async ({ addresses, shares, chosen }, context) => {
    const owner = ownerOf(context.get('session'))
    const { userId } = owner
    const { recovery, recoveryProof }: ChosenRecovery = chosen ?? { recovery: byGateway, recoveryProof: null }
    requireAllowed(context.get('project'), recovery)
    const proof: ShareProof = { action: 'create', userId, shares, recovery }
    const split = await prove(proof, addresses, recoveryProof?.generation ?? 0)
    if (recoveryProof !== null) await proveChoice(addresses, { userId, recovery, proof: recoveryProof })
    return throwIfRefused(await wallets.create(owner, { addresses, recovery, recoveryProof }, split))
  })

  serveCall(app, 'replaceWallet', guards, async (body, context) => {
    const { addresses, shares, recovery, recoveryProof, signature, end, otp } = body
    const session = context.get('session')
    const owner = ownerOf(session)
    const { userId } = owner
    if (recovery.method === 'gateway') throw walletFailure('HARDENED_RECOVERY_REQUIRED')
    const before = await existing(owner)
    if (before.recovery.method === 'gateway') throw walletFailure('HARDENED_RECOVERY_REQUIRED')
    const split = await prove({ action: 'replace', userId, shares, recovery }, addresses, recoveryProof.generation)
    await proveChoice(addresses, { userId, recovery, proof: recoveryProof })
    if (await wallets.holds(owner, split.proofText)) return {}
    const replaces = { from: before.addresses, signature }
    const isNew = addresses.eip155 !== before.addresses.eip155 && recoveryProof.generation === 1
    if (!isNew || split.addressProof === null || !(await isReplacedBy(replaces, addresses, userId)))
      throw walletFailure('BAD_PROOF')
    if (end !== undefined && !(end.what === 'replaced' && isSameWallet(end.to, addresses)))
      throw walletFailure('BAD_PROOF')
    await proveEnd(owner, before, end)
    if ((await wallets.find({ userId, isPrevious: true })) !== null) throw walletFailure('PREVIOUS_WALLET_EXISTS')
    await sessions.takeConfirmation(session, 'move', otp)
    const next = { addresses, recovery, recoveryProof, replaces }
    return throwIfRefused(await wallets.replace(owner, next, split, keeping(ends, owner, end)))
  })

  serveCall(app, 'putDevice', guards, async ({ which, ...shares }, context) => {
    const owner = ownerOf(context.get('session'), { which })
    const { addresses, recovery, recoveryProof } = await existing(owner)
    const proof: ShareProof = { action: 'device', userId: owner.userId, shares, recovery }
    const split = await prove(proof, addresses, recoveryProof?.generation ?? 0)
    const answer = throwIfRefused(await wallets.putDevice(owner, recovery, split))
    // 15
    if (which === undefined) await options.showKey(context.get('session'))
    return answer
  })

  serveCall(app, 'proveAddresses', guards, async ({ which, ...proof }, context) => {
    const owner = ownerOf(context.get('session'), { which })
    const { userId } = owner
    const { addresses, recoveryProof } = await existing(owner)
    const generation = recoveryProof?.generation ?? 0
    if (!(await areProven(addresses, { userId, generation, proof }))) throw walletFailure('BAD_PROOF')
    await wallets.setAddressProof(owner, proof)
    return {}
  })

  serveCall(app, 'deviceShare', guards, async (which, context) => {
    const owner = ownerOf(context.get('session'), which)
    const authShare = await wallets.authShare(owner)
    if (authShare !== null) return { authShare }
    await existing(owner)
    throw walletFailure('DEVICE_REVOKED')
  })

  serveCall(app, 'recover', guards, async (which, context) => {
    const session = context.get('session')
    const owner = ownerOf(session, which)
    sessions.requireFreshSignIn(session)
    const { recovery, recoveryProof } = await existing(owner)
    // 15. Without a passkey or passphrase, these shares open the wallet.
    if (session.hold?.kinds.includes('restoring') && recovery.method === 'gateway')
      throw walletFailure('EMAIL_ON_HOLD', session.hold.retryAfter)
    await announce(context, session)
    const shares = await wallets.recoverable(owner)
    if (shares === null) throw walletFailure('WALLET_NOT_FOUND')
    return { ...shares, recovery, recoveryProof }
  })

  serveCall(app, 'seeRecoveries', guards, async ({ until }, context) => {
    await recoveries.see(ownerOf(context.get('session')), until)
    return {}
  })

  serveCall(app, 'setRecovery', guards, async ({ recovery, recoveryProof, shares, otp }, context) => {
    const session = context.get('session')
    const owner = ownerOf(session)
    const { userId } = owner
    requireAllowed(context.get('project'), recovery)
    const { addresses, recoveryProof: before } = await existing(owner)
    if (recoveryProof.generation > (before?.generation ?? 0) + maxGenerationStep) throw walletFailure('BAD_PROOF')
    const split = await prove({ action: 'recovery', userId, shares, recovery }, addresses, recoveryProof.generation)
    await proveChoice(addresses, { userId, recovery, proof: recoveryProof })
    if (await wallets.holds(owner, split.proofText)) return {}
    await sessions.takeConfirmation(session, 'recovery', otp)
    return throwIfRefused(await wallets.setRecovery(owner, { recovery, recoveryProof }, split))
  })

  serveRemovals(app, options)
  return app

  /** @throws {Problem} RECOVERY_WAITING */
  async function announce(context: Context, session: Session): Promise<void> {
    const owner = ownerOf(session)
    const wait = await options.recoveryWait(await sessions.projectsOf(owner.userId))
    const recovering = await recoveries.ask(owner, session.id, wait)
    if (recovering.state === 'open') {
      // Even if the mail fails: other devices and the log report the recovery.
      if (recovering.isNew) await options.tellMailbox(context, session, null).catch(() => {})
      return
    }
    const { opensAt } = recovering
    if (recovering.isNew) {
      try {
        await options.tellMailbox(context, session, opensAt)
      } catch (error) {
        await recoveries.withdraw(recovering.id)
        throw error
      }
    }
    throw walletFailure('RECOVERY_WAITING', Math.ceil((opensAt - now()) / 1000))
  }

  async function existing(id: WalletId): Promise<Wallet> {
    const wallet = await wallets.find(id)
    if (wallet === null) throw walletFailure('WALLET_NOT_FOUND')
    return wallet
  }
}

function serveRemovals(
  app: Hono<SessionEnv>,
  { wallets, ends, sessions, requireSession, now }: WalletRoutesOptions,
): void {
  const guards = [requireSession]

  serveCall(app, 'confirmExport', guards, async ({ otp }, context) => {
    await sessions.takeConfirmation(context.get('session'), 'export', otp)
    return {}
  })

  serveCall(app, 'revokeDevice', guards, async ({ id, signature }, context) => {
    const session = context.get('session')
    const { userId } = session
    await requireKeyOfRemoval(session, id, signature)
    if ((await wallets.revoke(userId, id)) === 'last') throw walletFailure('LAST_DEVICE')
    await sessions.endDevice(userId, id)
    // It may have stored a split since its session ended.
    await wallets.revoke(userId, id)
    return {}
  })

  serveCall(app, 'deletePrevious', guards, async ({ addresses, otp, end }, context) => {
    const session = context.get('session')
    const owner = ownerOf(session, { which: 'previous' })
    const previous = await wallets.find(owner)
    // A retry after a lost response.
    if (previous === null) return {}
    if (previous.addresses.eip155 !== addresses.eip155) throw walletFailure('WALLET_NOT_FOUND')
    await requireKey(owner, previous, end)
    await sessions.takeConfirmation(session, 'deletePrevious', otp)
    await wallets.deletePrevious(owner.userId, addresses.eip155)
    return {}
  })

  serveCall(app, 'deleteAccount', guards, async ({ otp, end }, context) => {
    const session = context.get('session')
    const owner = ownerOf(session)
    await requireKey(owner, await wallets.find(owner), end)
    await sessions.takeConfirmation(session, 'delete', otp)
    await sessions.deleteUser(session.userId, keeping(ends, owner, end))
    return {}
  })

  /** 12, 13 */
  async function requireKey(owner: Owner, wallet: Wallet | null, end: WalletEnd | undefined): Promise<void> {
    if (end !== undefined) {
      if (wallet === null) throw walletFailure('WALLET_NOT_FOUND')
      if (end.what !== 'deleted') throw walletFailure('BAD_PROOF')
      return proveEnd(owner, wallet, end)
    }
    if (wallet === null || wallet.recovery.method === 'gateway') return
    const rows = await wallets.devices(owner)
    if (rows.some((row) => !row.isThis && isInUse(row))) throw walletFailure('WALLET_IN_USE')
  }

  /** 14 */
  async function requireKeyOfRemoval(session: Session, deviceId: string, signature?: string): Promise<void> {
    const hardened: { readonly addresses: WalletAddresses; readonly rows: readonly WalletDevice[] }[] = []
    for (const which of [undefined, 'previous'] as const) {
      const owner = ownerOf(session, { which })
      const wallet = await wallets.find(owner)
      if (wallet === null || wallet.recovery.method === 'gateway') continue
      hardened.push({ addresses: wallet.addresses, rows: await wallets.devices(owner) })
    }
    const [first] = hardened
    const isUsed = hardened.some(({ rows }) => rows.some((row) => row.id === deviceId && isInUse(row)))
    if (first === undefined || !isUsed) return
    if (signature === undefined || !first.rows.some(({ isThis }) => isThis)) throw walletFailure('WALLET_IN_USE')
    const removal = { userId: session.userId, deviceId, signature }
    if (!(await isRemovedBy(first.addresses, removal))) throw walletFailure('BAD_PROOF')
  }

  function isInUse({ usedAt }: WalletDevice): boolean {
    return usedAt > now() - unusedFor
  }
}

/** 12. Runs in the transaction that ends the wallet. */
function keeping(ends: Pick<WalletEnds, 'keep'>, owner: Owner, end?: WalletEnd): (tx: Orm) => Promise<void> {
  return async (tx) => {
    if (end !== undefined) await ends.keep(owner, end, tx)
  }
}

/** 12 */
async function proveEnd({ userId }: Owner, { addresses, recoveryProof }: Wallet, end?: WalletEnd): Promise<void> {
  if (end === undefined) return
  const isCurrent = end.generation === (recoveryProof?.generation ?? 0)
  if (!isCurrent || !(await isEndedBy(addresses, end, userId))) throw walletFailure('BAD_PROOF')
}

function ownerOf({ userId, deviceId }: Session, { which }: z.infer<typeof WhichWallet> = {}): Owner {
  return { userId, deviceId, isPrevious: which === 'previous' }
}

const refusals: Readonly<Record<Refusal, WalletApiFailure>> = {
  exists: 'WALLET_EXISTS',
  previousExists: 'PREVIOUS_WALLET_EXISTS',
  replayed: 'BAD_PROOF',
  changed: 'BAD_PROOF',
  revoked: 'DEVICE_REVOKED',
}

function throwIfRefused(outcome: 'done' | Refusal): Record<string, never> {
  if (outcome !== 'done') throw walletFailure(refusals[outcome])
  return {}
}

/** 8 */
function requireAllowed(project: { readonly recovery: RecoveryRule }, { method }: Recovery): void {
  if (project.recovery === 'hardened' && method === 'gateway') throw walletFailure('HARDENED_RECOVERY_REQUIRED')
}

/** @throws {Problem} BAD_PROOF */
async function proveChoice(addresses: WalletAddresses, chosen: Parameters<typeof isChosenBy>[1]): Promise<void> {
  if (!(await isChosenBy(addresses.eip155, chosen))) throw walletFailure('BAD_PROOF')
}

/** @throws {Problem} BAD_PROOF */
async function prove(proof: ShareProof, addresses: WalletAddresses, generation: number): Promise<Split> {
  const { userId, shares } = proof
  const proofText = await checkProof(proof, addresses.eip155)
  if (proofText === null) throw walletFailure('BAD_PROOF')
  const { deviceName, authShare, recoveryShare, addressProof = null } = shares
  if (addressProof !== null && !(await areProven(addresses, { userId, generation, proof: addressProof })))
    throw walletFailure('BAD_PROOF')
  return { deviceName, authShare, recoveryShare, proofText, addressProof }
}
