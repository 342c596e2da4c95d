import type {
  Recovery,
  RecoveryMethod,
  WalletAddresses,
  WalletDevice,
  WalletEnd,
  WalletRecovery,
} from '@postern/protocol'
import { Failure } from '@postern/protocol/failure'
import { GatewayError, isUncertain } from './account/gateway'
import type {
  EndedWallet,
  KeySource,
  LockedWallet,
  MissingWallet,
  OpenedWallet,
  RecoveryKey,
  SignJob,
} from './contract'
import { changeRecovery, handInProof, renewSplit } from './shares/choose-recovery'
import { forgetEnded, signDeletion } from './shares/ended-wallet'
import { createWallet as createChosen, recoverWallet } from './shares/find-wallet'
import { putSplit } from './shares/replace-share'
import { replaceWallet } from './shares/replace-wallet'
import { callAs, type FoundWallet, requireSame, type WalletOptions, type WalletState } from './shares/state'
import { createWalletLookup, requireFound, type WalletLookup } from './shares/wallet-lookup'

export type Wallet = {
  /**
   * Finds, creates or recovers the signed-in user's wallet.
   * @throws {Failure} WALLET_LOCKED if locked with unproven addresses; WALLET_NOT_CREATED before the choice of a
   * recovery method
   */
  open(): Promise<OpenedWallet>
  /** Addresses are null if unproven or not created. */
  find(): Promise<OpenedWallet | LockedWallet | MissingWallet>
  /** Uses this device's share if the gateway's report is refused. */
  findForExport(): Promise<OpenedWallet | LockedWallet | MissingWallet>
  /** In memory until `create`. The recovery key is bound to these addresses. */
  draft(): Promise<WalletAddresses>
  /** @throws {Failure} WALLET_ALREADY_CREATED */
  create(recovery: Recovery, addresses?: WalletAddresses): Promise<void>
  /** Moves the user to the `draft`. */
  replace(recovery: Recovery, addresses: WalletAddresses, otp: string | undefined): Promise<void>
  /** @throws {Failure} UNAUTHORIZED if another user has signed in */
  sign(job: SignJob, userId: string): Promise<string>
  /** `addresses`: those that the recovery key is bound to. */
  unlock(recoveryKey: RecoveryKey, addresses: WalletAddresses | undefined): Promise<void>
  setRecovery(
    recovery: Recovery,
    given: { readonly addresses: WalletAddresses | undefined; readonly otp: string | undefined },
  ): Promise<void>
  /** Consumes the code. */
  exportSource(otp: string | undefined): Promise<KeySource>
  /** Creates a missing row after an upgrade to persistent storage. */
  keep(): Promise<void>
  /** The wallet of this device's share, if its key signed its end. */
  ended(): Promise<EndedWallet | null>
  forgetEnded(ended: EndedWallet): Promise<void>
  /** Undefined if this device cannot open the wallet. */
  signDeletion(userId: string): Promise<WalletEnd | undefined>
  signRemoval(userId: string, deviceId: string): Promise<`0x${string}` | undefined>
  security(): Promise<{
    readonly recovery: RecoveryMethod | null
    readonly devices: readonly WalletDevice[]
    readonly recoveries: readonly WalletRecovery[]
    readonly isExposed: boolean
  }>
  close(): void
}

/**
 * The signed-in user's wallet: its shares on this device and at the gateway.
 *
 * 1. The device share is stored before the gateway learns of a new wallet: after an interruption it still opens.
 * 2. If two tabs or devices create a wallet at once, the gateway accepts the first, and the others use it.
 * 3. A device without a share or row recovers from another row, checks the addresses, and creates its own. Without
 *    persistent storage it creates a row only for a new wallet: the next visit would orphan it.
 * 4. A passkey or passphrase locks the wallet until the wallet window unlocks it. It opens only the wallet whose
 *    addresses it is bound to: the gateway may send the window and the frame different reports.
 * 5. Each signature fetches the auth share again: a revoked device or an ended session signs nothing.
 * 6. After a recovery change elsewhere, this device splits again when it next uses the key. The wallet's key must have
 *    signed the change, and its generation must be new.
 * 7. Other rules: `judgeShare` (a lying gateway), `withKey` (a replaced split), `replaceWallet` (a move), `findEnded`
 *    (the end).
 */
export function createWallet(options: WalletOptions): Wallet {
  const { gateway, session, signer, tabs } = options
  const lookup = createWalletLookup(options)
  const { look, open, become, update, withShares } = lookup
  let drafted: { readonly userId: string; readonly source: Promise<KeySource> } | null = null

  async function handIn(state: Extract<WalletState, { kind: 'row' }>): Promise<void> {
    await tabs.alone(async () => update(await handInProof(options, state, (work) => withShares(state, work))))
  }

  async function renew(state: Extract<WalletState, { kind: 'row' }>): Promise<void> {
    await tabs.alone(async () => {
      const renewed = await renewSplit(options, state, (work) => withShares(state, work))
      if (renewed !== null) update(renewed)
    })
  }

  return {
    async open() {
      const { addresses, ...found } = foundOf(await open())
      if (addresses === null) throw new Failure('WALLET_LOCKED')
      return { ...found, addresses }
    },
    find: async () => foundOf(await look()),
    findForExport: async () => foundOf(await lookup.lookForExport()),

    async draft() {
      const user = (await session.current())?.user
      if (user === undefined) throw new Failure('UNAUTHORIZED')
      if (drafted?.userId !== user.id)
        drafted = { userId: user.id, source: signer.use((worker) => worker.draft({ userId: user.id })) }
      const { source } = drafted
      source.catch(() => {
        if (drafted?.source === source) drafted = null
      })
      return (await source).addresses
    },

    async create(recovery, addresses) {
      const user = (await session.current())?.user
      if (user === undefined) throw new Failure('UNAUTHORIZED')
      const draft = drafted?.userId === user.id ? await drafted.source : undefined
      const state = await tabs.alone(() => createChosen(options, user.id, { recovery, addresses, draft }))
      drafted = null
      await become(user.id, Promise.resolve(state))
    },

    async replace(recovery, addresses, otp) {
      const state = await open()
      const draft = drafted?.userId === state.userId ? await drafted.source : null
      if (draft === null) throw new Failure('WALLET_NOT_CREATED')
      requireSame(draft.addresses, addresses)
      const replaced = await tabs.alone(() =>
        replaceWallet(options, state, { recovery, draft, otp }, (work) => withShares(state, work)),
      )
      drafted = null
      await become(state.userId, Promise.resolve(replaced))
    },

    async sign(job, userId) {
      const state = await open()
      if (state.userId !== userId) throw new Failure('UNAUTHORIZED')
      const signature = await withShares(state, (source) => signer.use((worker) => worker.sign(source, job)))
      // A failure is retried at the next signature.
      if (state.kind === 'row' && state.isStale) renew(state).catch(() => {})
      else if (state.kind === 'row' && !state.isProven) handIn(state).catch(() => {})
      return signature
    },

    async unlock(recoveryKey, addresses) {
      const state = await open()
      if (state.kind !== 'locked') return
      requireSame(state.addresses, addresses)
      if (state.isFollowed && addresses === undefined) throw new Failure('WALLET_ADDRESSES_UNPROVEN')
      await become(
        state.userId,
        tabs.alone(() => recoverWallet(options, state, recoveryKey)),
      )
    },

    async setRecovery(recovery, { addresses, otp }) {
      const state = await open()
      requireSame(state.addresses, addresses)
      update(await tabs.alone(() => changeRecovery(options, state, recovery, otp, (work) => withShares(state, work))))
    },

    async exportSource(otp) {
      const state = requireFound(await lookup.lookForExport())
      if (state.kind === 'locked') throw new Failure('WALLET_LOCKED')
      await callAs(options, state.userId, 'confirmExport', otp === undefined ? {} : { otp })
      const { userId, generation } = state
      return withShares(state, async (source) => {
        await signer.use((worker) => worker.bind(source, { userId, generation }))
        return source
      })
    },

    async keep() {
      const state = await look()
      if (state.kind !== 'held') return
      const { store } = await options.ladder.current()
      const share = await store.share(state.userId)
      if (share === null || share.isNew || share.device.binding !== undefined)
        return update(await tabs.alone(() => putSplit(options, state, state.split)))
      // The recovery compares a version 1 share's addresses.
      lookup.forget()
      await open()
    },

    ...endings(options, lookup),

    security: () => securityOf(gateway),

    close() {
      lookup.forget()
      drafted = null
      signer.end()
    },
  }
}

async function securityOf(gateway: WalletOptions['gateway']): ReturnType<Wallet['security']> {
  const { wallet } = await gateway.call('wallet', {})
  return {
    isExposed: wallet?.isExposed ?? false,
    recovery: wallet?.recovery.method ?? null,
    devices: wallet?.devices ?? [],
    recoveries: wallet?.recoveries ?? [],
  }
}

function endings(
  options: WalletOptions,
  { look, open, withShares, forget }: WalletLookup,
): Pick<Wallet, 'ended' | 'forgetEnded' | 'signDeletion' | 'signRemoval'> {
  const { signer } = options

  return {
    async ended() {
      const found = await look()
      return found.kind === 'ended' ? found : null
    },

    async forgetEnded(ended) {
      await options.tabs.alone(() => forgetEnded(options, ended))
      forget()
    },

    signDeletion: (userId) =>
      signAs(userId, (state) => signDeletion(options, state, (work) => withShares(state, work))),

    signRemoval: (userId, deviceId) =>
      signAs(userId, async (state) => {
        if (state.kind === 'locked') return undefined
        return withShares(state, (source) => signer.use((worker) => worker.signRemoval(source, { userId, deviceId })))
      }),
  }

  async function signAs<T>(userId: string, sign: (state: WalletState) => Promise<T>): Promise<T | undefined> {
    try {
      const state = await open()
      return state.userId === userId ? await sign(state) : undefined
    } catch (thrown) {
      if (thrown instanceof GatewayError && isUncertain(thrown)) throw thrown
      return undefined
    }
  }
}

function foundOf(state: WalletState): OpenedWallet | LockedWallet
function foundOf(state: FoundWallet): OpenedWallet | LockedWallet | MissingWallet
function foundOf(state: FoundWallet): OpenedWallet | LockedWallet | MissingWallet {
  const missing = { userId: state.userId, addresses: null, recovery: null, locked: null } as const
  if (state.kind === 'none') return missing
  if (state.kind === 'ended') return { ...missing, ended: state.end.what }
  const { userId, addresses, recovery } = state
  if (state.kind === 'row' && state.isNew) return { userId, addresses, recovery, locked: null, isNew: true }
  if (state.kind !== 'locked' || recovery.method === 'gateway') return { userId, addresses, recovery, locked: null }
  const locked = recovery.method
  return { userId, addresses: state.isProven ? addresses : null, recovery, locked }
}
