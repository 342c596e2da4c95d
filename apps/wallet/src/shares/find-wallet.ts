import { type AddressProof, type Recovery, recoveryText, type WalletAddresses } from '@postern/protocol'
import { Failure } from '@postern/protocol/failure'
import { GatewayError } from '../account/gateway'
import type { EndedWallet, KeySource, RecoveryKey } from '../contract'
import { isSameShare } from '../storage/store'
import type { StoredShare } from '../window-messages'
import { findEnded, findEndedBefore } from './ended-wallet'
import { judgeShare, knownGeneration, type Verdict } from './judge-share'
import { putSplit, sharesOf } from './replace-share'
import {
  baseOf,
  callAs,
  type FoundWallet,
  generationOf,
  type ReportedWallet,
  requireAllowed,
  requireSame,
  storeOf,
  type WalletBase,
  type WalletOptions,
  type WalletState,
} from './state'
import { isMisfit, withKey } from './with-key'

/**
 * Finds the user's wallet, or creates it.
 *
 * 1. {@link judgeShare} first compares the gateway's report with this device's share.
 * 2. A wallet is created only without a share, in the transaction that stores its share; if the project asks first,
 *    only by {@link createWallet}.
 * 3. A new device shows no address before the seed is rebuilt or the key's proof verified.
 * 4. A recovered wallet has the share's addresses. The share stays until the new one has opened the wallet.
 * 5. A wallet that replaced this device's is locked.
 * 6. After a signed end, nothing opens before the user removed the share ({@link findEnded}).
 */
export async function findWallet(options: WalletOptions, userId: string): Promise<FoundWallet> {
  const reported = await callAs(options, userId, 'wallet', {})
  try {
    return await openTold(options, userId, reported.wallet, () => findEndedBefore(options, userId, reported))
  } catch (thrown) {
    const share = isOtherWallet(thrown) ? await (await storeOf(options)).share(userId) : null
    const ended = share && (await findEnded(options, userId, share, reported))
    if (ended === null) throw thrown
    return ended
  }
}

function isOtherWallet(thrown: unknown): boolean {
  return (
    thrown instanceof Failure && (thrown.code === 'WALLET_NOT_REPORTED' || thrown.code === 'WALLET_ADDRESSES_CHANGED')
  )
}

/** @param findBefore rule 6, for an account that the user deleted */
async function openTold(
  options: WalletOptions,
  userId: string,
  wallet: ReportedWallet | null,
  findBefore: () => Promise<EndedWallet | null> = async () => null,
): Promise<FoundWallet> {
  const store = await storeOf(options)
  const share = await store.share(userId)
  const verdict = judgeShare(userId, share, wallet, wallet && (await store.next(userId, wallet.addresses)))
  if (verdict.kind === 'create' || verdict.kind === 'newDevice') {
    const ended = await findBefore()
    if (ended !== null) return ended
  }
  switch (verdict.kind) {
    case 'refused':
      throw new Failure(verdict.code)
    case 'replaced':
      await store.retire(userId, verdict.next)
      return proveShare(options, userId, verdict.reported)
    case 'elsewhere':
      return followReplacement(options, userId, verdict)
    case 'create':
      if (isAskedFirst(options)) return { kind: 'none', userId }
      return createNew(options, userId, { recovery: { method: 'gateway' } }, (other) =>
        openTold(options, userId, other),
      )
    case 'created':
      await markCreated(options, userId)
      return rowOf(userId, verdict.reported)
    case 'row':
      return rowOf(userId, verdict.reported)
    case 'unproven':
      return proveShare(options, userId, verdict.reported)
    case 'noRow':
    case 'newDevice':
      return recoverOrLock(options, userId, verdict.reported, share)
  }
}

/** For an export while the gateway's report is refused. */
export async function findOwnShare(options: WalletOptions, userId: string): Promise<WalletState | null> {
  const share = await (await storeOf(options)).share(userId)
  const binding = share?.device.binding
  if (share === null || share.isNew || binding === undefined || binding.userId !== userId) return null
  const { addresses } = binding
  const generation = knownGeneration(share)
  return { kind: 'row', userId, addresses, recovery: { method: 'gateway' }, generation, isStale: false, isProven: true }
}

function rowOf(userId: string, reported: ReportedWallet): WalletState {
  const isProven = reported.addressProof?.generation === generationOf(reported)
  return { ...baseOf(userId, reported), kind: 'row', isStale: reported.stale, isProven }
}

/** `addresses`: those that the recovery key is bound to. */
type Choice = {
  readonly recovery: Recovery
  readonly addresses?: WalletAddresses | undefined
  readonly draft?: KeySource | undefined
}

/**
 * Creates the user's wallet for the chosen recovery method.
 *
 * 1. The seed is split for that method before anything is sent.
 * 2. HARDENED_RECOVERY_REQUIRED: a project that requires a passkey or passphrase gets no split for `gateway`.
 * 3. Only the draft's seed is split, whose addresses the recovery key is bound to.
 * 4. Another wallet is WALLET_ALREADY_CREATED, even with the same method, which the gateway may know.
 */
export async function createWallet(
  options: WalletOptions,
  userId: string,
  { recovery, addresses, draft }: Choice,
): Promise<WalletState> {
  requireAllowed(options, recovery)
  const share = await (await storeOf(options)).share(userId)
  const reported = await callAs(options, userId, 'wallet', {})
  const verdict = judgeShare(userId, share, reported.wallet)
  switch (verdict.kind) {
    case 'refused':
      throw new Failure(verdict.code)
    case 'create':
      if ((await findEndedBefore(options, userId, reported)) !== null) throw new Failure('WALLET_ENDED')
      if (addresses !== undefined && draft === undefined) throw new Failure('WALLET_NOT_CREATED')
      if (draft !== undefined) requireSame(draft.addresses, addresses)
      return createNew(options, userId, { recovery, draft }, () => {
        throw new Failure('WALLET_ALREADY_CREATED')
      })
    // An earlier response was lost.
    case 'created':
    case 'row': {
      requireSame(verdict.reported.addresses, addresses)
      if (recoveryText(verdict.reported.recovery) !== recoveryText(recovery))
        throw new Failure('WALLET_ALREADY_CREATED')
      await markCreated(options, userId)
      return rowOf(userId, verdict.reported)
    }
    default:
      throw new Failure('WALLET_ALREADY_CREATED')
  }
}

function isAskedFirst({ rule }: WalletOptions): boolean {
  return rule.recovery === 'hardened' || rule.recoveryChoice === 'first'
}

/** @param onOther another tab or device created a wallet */
async function createNew<T>(
  options: WalletOptions,
  userId: string,
  { recovery, draft }: Omit<Choice, 'addresses'>,
  onOther: (other: ReportedWallet) => Promise<T>,
): Promise<WalletState | T> {
  const store = await storeOf(options)
  const made = await options.signer.use((worker) =>
    worker.create({ userId, recovery, ...(draft !== undefined && { draft }) }),
  )
  const { addresses, recoveryProof, split } = made
  const share: StoredShare = { userId, device: split.device, isNew: true }
  try {
    await store.updateShare(userId, (before) => {
      if (before !== null && !before.isNew) throw new Failure('WALLET_NOT_REPORTED')
      return share
    })
    const chosen = recoveryProof === null ? {} : { chosen: { recovery, recoveryProof } }
    await callAs(options, userId, 'createWallet', { addresses, shares: sharesOf(options, split), ...chosen })
  } catch (thrown) {
    const isOther = thrown instanceof Failure && thrown.code === 'WALLET_NOT_REPORTED'
    const exists = isOther || (thrown instanceof GatewayError && thrown.failure === 'WALLET_EXISTS')
    if (!exists) throw thrown
    const { wallet: other } = await callAs(options, userId, 'wallet', {})
    if (other === null) throw thrown
    return onOther(other)
  }
  await markCreated(options, userId, share)
  const base = { userId, addresses, recovery, generation: generationOf({ recoveryProof }) }
  return { ...base, kind: 'row', isStale: false, isProven: true, isNew: true }
}

/** Another tab may have stored a share that the gateway refused. */
async function markCreated(options: WalletOptions, userId: string, own?: StoredShare): Promise<void> {
  await (await storeOf(options)).updateShare(userId, (stored) => {
    const share = stored === null || stored.isNew ? (own ?? stored) : stored
    if (share === null) throw new Failure('WALLET_KEY_MISMATCH')
    const { isNew: _, ...inUse } = share
    return inUse
  })
}

/** Opens the wallet, then binds the device share to its addresses. */
async function proveShare(options: WalletOptions, userId: string, reported: ReportedWallet): Promise<WalletState> {
  const store = await storeOf(options)
  const state = rowOf(userId, reported)
  const generation = knownGeneration(await store.share(userId))
  try {
    await withKey(options, state, async (source) => {
      const { device } = await options.signer.use((worker) => worker.bind(source, { userId, generation }))
      await store.updateShare(userId, (stored) => {
        if (stored === null) throw new Failure('WALLET_KEY_MISMATCH')
        const { isMismatched: _, isRefused: __, previous: ___, ...share } = stored
        // The share that opened the wallet replaces both.
        const isKnown = [stored.device, stored.previous].some((one) => one && isSameShare(one, source.device))
        return isKnown ? { ...share, device, generation } : stored
      })
    })
  } catch (thrown) {
    const share = await store.share(userId)
    // Rule 4: another row may still have it.
    if (!isMisfit(thrown) || share === null) throw thrown
    return recoverOrLock(options, userId, reported, share)
  }
  return state
}

async function recoverOrLock(
  options: WalletOptions,
  userId: string,
  reported: ReportedWallet,
  share: StoredShare | null,
): Promise<WalletState> {
  const base = baseOf(userId, reported)
  const { addressProof } = reported
  // The user never moved from such a wallet.
  if (options.isPrevious && reported.recovery.method === 'gateway') throw new Failure('WALLET_NOT_REPORTED')
  const isInUse = share !== null && !share.isNew
  if (!isInUse && addressProof !== null) await requireProof(options, base, addressProof)
  if (reported.recovery.method === 'gateway') return recoverWallet(options, base)
  // The unlock compares a version 1 share's addresses.
  const isProven = isInUse ? share.device.binding !== undefined : addressProof !== null
  return { ...base, kind: 'locked', isProven }
}

/**
 * Follows the user's move to a new wallet on another device.
 *
 * 1. This device's wallet must have signed it: otherwise WALLET_ADDRESSES_CHANGED.
 * 2. It stays locked until the passkey or passphrase, bound to these addresses, opens it: an attacker with an old copy
 *    of the gateway's data may have signed it. So the method `gateway` is not followed.
 * 3. After the unlock, this device's share becomes the previous wallet's.
 */
async function followReplacement(
  options: WalletOptions,
  userId: string,
  { reported, from }: Extract<Verdict, { kind: 'elsewhere' }>,
): Promise<WalletState> {
  const { replaces, addresses, addressProof, recovery } = reported
  const base = baseOf(userId, reported)
  const isNamed =
    replaces != null &&
    addressProof !== null &&
    isBound(recovery) &&
    (await options.signer.use((worker) =>
      worker.isReplacement({ userId, replaces: { from, signature: replaces.signature }, to: addresses }),
    ))
  if (!isNamed) throw new Failure('WALLET_ADDRESSES_CHANGED')
  await requireProof(options, base, addressProof)
  return { ...base, kind: 'locked', isProven: true, isFollowed: true }
}

/** From version 2, the wrapped key is bound to the addresses. */
function isBound(recovery: Recovery): boolean {
  if (recovery.method === 'gateway') return false
  return atob(recovery.wrappedKey.slice(0, 4).replaceAll('-', '+').replaceAll('_', '/')).charCodeAt(0) === 2
}

/** Rule 3. */
async function requireProof({ signer }: WalletOptions, base: WalletBase, addressProof: AddressProof): Promise<void> {
  const { userId, addresses, generation } = base
  const isProven = await signer.use((worker) => worker.isProven({ userId, addresses, generation, addressProof }))
  if (!isProven) throw new Failure('WALLET_ADDRESSES_UNPROVEN')
}

/** Recovers from another row. `gateway` needs no `recoveryKey`. */
export async function recoverWallet(
  options: WalletOptions,
  { isFollowed, ...base }: WalletBase & { readonly isFollowed?: true },
  recoveryKey?: RecoveryKey,
): Promise<WalletState> {
  const { userId, addresses } = base
  const { authShare, recoveryShare, ...chosen } = await callAs(options, userId, 'recover', {})
  const { storage, store } = await options.ladder.current()
  const generation = generationOf(chosen)
  const share = await store.share(userId)
  const known = share === null || share.isNew || isFollowed ? null : share
  if (generation < knownGeneration(known)) throw new Failure('WALLET_ROLLED_BACK')
  const split = await options.signer.use((worker) =>
    worker.recover({
      userId,
      authShare,
      recoveryShare,
      chosen,
      addresses,
      ...(recoveryKey !== undefined && { recoveryKey }),
      ...(known !== null && { known: known.device }),
    }),
  )
  if (isFollowed) await store.retire(userId, null)
  const recovered: WalletBase = { ...base, recovery: chosen.recovery, generation }
  return storage === 'memory' ? { ...recovered, kind: 'held', split } : putSplit(options, recovered, split)
}
