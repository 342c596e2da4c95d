import type {
  Recovery,
  RecoveryMethod,
  WalletAddresses,
  WalletApiAnswer,
  WalletApiBody,
  WalletApiCall,
  WalletDevice,
} from '@postern/protocol'
import { Failure } from '@postern/protocol/failure'
import { type Gateway, GatewayError, isUncertain } from './account/gateway'
import type { Session } from './account/session'
import type { KeySource, NewSplit, ProvenRecovery, RecoveryKey, SealedShare, SignJob } from './contract'
import { isKeyFailure } from './failures'
import type { Signer } from './signing/signer'
import type { Ladder } from './storage/ladder'
import type { Tabs } from './storage/tabs'

export type OpenedWallet = {
  readonly userId: string
  readonly addresses: WalletAddresses
  readonly recovery: Recovery
  /** Set if the user must first unlock it in the wallet window. */
  readonly locked: Exclude<RecoveryMethod, 'gateway'> | null
}

export type Wallet = {
  /** Finds, creates or recovers the signed-in user's wallet. */
  open(): Promise<OpenedWallet>
  /** UNAUTHORIZED if another user is signed in than when it was prepared. */
  sign(job: SignJob, userId: string): Promise<string>
  unlock(recoveryKey: RecoveryKey): Promise<void>
  setRecovery(recovery: Recovery, otp: string | undefined): Promise<void>
  /** For the wallet window; spends the code. */
  exportSource(otp: string | undefined): Promise<KeySource>
  /** After an upgrade to persistent storage: creates a missing row. */
  keep(): Promise<void>
  security(): Promise<{ readonly recovery: RecoveryMethod | null; readonly devices: readonly WalletDevice[] }>
  close(): void
}

export type WalletOptions = {
  readonly ladder: Ladder
  readonly gateway: Gateway
  readonly session: Session
  readonly signer: Signer
  readonly tabs: Tabs
  readonly deviceName: () => string
}

/** `generation`: of the `RecoveryProof`. */
type Base = Omit<OpenedWallet, 'locked'> & { readonly generation: number }
/** `row`: the device share is in storage and the auth share at the gateway. `held`: both are in memory. */
type State =
  | (Base & { readonly kind: 'row'; readonly isStale: boolean })
  | (Base & { readonly kind: 'held'; readonly split: NewSplit })
  | (Base & { readonly kind: 'locked' })

type Found = NonNullable<WalletApiAnswer<'wallet'>['wallet']>

/**
 * The wallet of the signed-in user: its shares on this device and at the gateway.
 *
 * 1. The worker creates a new user's seed. The device share is stored before the gateway knows of the wallet, so that
 *    no interruption leaves a wallet that no one can open.
 * 2. If two tabs or devices create one at once, the gateway accepts the first, and the others use that.
 * 3. A device without a share or a row recovers from another row, checks the addresses, and creates its own split and
 *    row. In storage that does not persist it creates no row, which the next visit would orphan. A new wallet always
 *    gets its row.
 * 4. If recovery is by passkey or passphrase, the wallet is locked until the wallet window unlocks it.
 * 5. Each signature fetches this device's auth share again, so a revoked device or an ended session signs nothing.
 * 6. While a split is replaced, the old or the new device share always matches the gateway: the old one stays next to
 *    the new one until the gateway accepts that, and is the only one again if it refuses.
 * 7. Shares that do not match, fetched twice, are deleted: the next sign-in recovers.
 * 8. A stale device hands in a new split in the background after the next use of the key, once per choice of the user.
 *    The wallet's own key must have signed the choice (the worker checks), and it must be later than every choice that
 *    this device made a split for; a repeated or earlier one gets no share.
 * 9. Every gateway call for a user uses that user's session: UNAUTHORIZED if another is signed in now, and no share of
 *    either changes.
 */
export function createWallet({ ladder, gateway, session, signer, tabs, deviceName }: WalletOptions): Wallet {
  let opened: { readonly userId: string; readonly state: Promise<State> } | null = null

  const store = async () => (await ladder.current()).store

  /** 9: only with that user's session. */
  async function callAs<C extends WalletApiCall>(
    userId: string,
    name: C,
    body: WalletApiBody<C>,
  ): Promise<WalletApiAnswer<C>> {
    const current = await session.current()
    if (current?.user.id !== userId) throw new Failure('UNAUTHORIZED')
    return gateway.call(name, body, { token: current.token })
  }

  async function open(): Promise<State> {
    const user = (await session.current())?.user
    if (user === undefined) throw new Failure('UNAUTHORIZED')
    if (opened?.userId === user.id) return opened.state
    return become(
      user.id,
      tabs.alone(() => find(user.id)),
    )
  }

  function become(userId: string, state: Promise<State>): Promise<State> {
    const next = { userId, state }
    opened = next
    const forget = () => {
      if (opened === next) opened = null
    }
    // It may have been unlocked elsewhere meanwhile.
    state.then(({ kind }) => kind === 'locked' && forget(), forget)
    return state
  }

  async function find(userId: string): Promise<State> {
    const { wallet } = await callAs(userId, 'wallet', {})
    if (wallet !== null) return findOnDevice(userId, wallet)
    const { addresses, split } = await signer.use((worker) => worker.create({ userId }))
    await (await store()).setShare({ userId, device: split.device })
    try {
      await callAs(userId, 'createWallet', { addresses, shares: sharesOf(split) })
    } catch (thrown) {
      if (!(thrown instanceof GatewayError) || thrown.failure !== 'WALLET_EXISTS') throw thrown
      await (await store()).dropShare(userId)
      const { wallet: other } = await callAs(userId, 'wallet', {})
      if (other === null) throw thrown
      return findOnDevice(userId, other)
    }
    return { kind: 'row', userId, addresses, recovery: { method: 'gateway' }, generation: 0, isStale: false }
  }

  async function findOnDevice(userId: string, found: Found): Promise<State> {
    const { addresses, recovery, devices, stale } = found
    const base: Base = { userId, addresses, recovery, generation: generationOf(found) }
    const share = await (await store()).share(userId)
    const hasRow = devices.some(({ isThis }) => isThis)
    if (share !== null && hasRow) return { ...base, kind: 'row', isStale: stale }
    return recovery.method === 'gateway' ? recover(base) : { ...base, kind: 'locked' }
  }

  async function recover(base: Base, recoveryKey?: RecoveryKey): Promise<State> {
    const { userId, addresses } = base
    const { authShare, recoveryShare, ...chosen } = await callAs(userId, 'recover', {})
    const { storage, store } = await ladder.current()
    const generation = generationOf(chosen)
    if (generation < ((await store.share(userId))?.generation ?? 0)) throw new Failure('WALLET_KEY_MISMATCH')
    const key = recoveryKey === undefined ? {} : { recoveryKey }
    const split = await signer.use((worker) =>
      worker.recover({ userId, authShare, recoveryShare, chosen, addresses, ...key }),
    )
    const recovered: Base = { ...base, recovery: chosen.recovery, generation }
    return storage === 'memory' ? { ...recovered, kind: 'held', split } : makeRow(recovered, split)
  }

  /** @param fitting the share that matches the gateway now, if any. */
  async function makeRow(base: Base, split: NewSplit, fitting?: SealedShare): Promise<State> {
    await replaceShare(base, split.device, fitting, async () => {
      await callAs(base.userId, 'putDevice', sharesOf(split))
    })
    return { ...base, kind: 'row', isStale: false }
  }

  /** 6: the generation is stored once the gateway accepted the split. */
  async function replaceShare(
    { userId, generation }: Pick<Base, 'userId' | 'generation'>,
    device: SealedShare,
    fitting: SealedShare | undefined,
    tell: () => Promise<void>,
  ): Promise<void> {
    const kept = await store()
    const before = await kept.share(userId)
    const known = before?.generation ?? 0
    await kept.setShare({ userId, device, generation: known, ...(fitting !== undefined && { previous: fitting }) })
    try {
      await tell()
    } catch (thrown) {
      if (!isUncertain(thrown)) {
        if (before === null || fitting === undefined) await kept.dropShare(userId)
        else await kept.setShare({ ...before, device: fitting })
      }
      throw thrown
    }
    await kept.setShare({ userId, device, generation })
  }

  function sharesOf({ authShare, recoveryShare, proof }: NewSplit) {
    return { deviceName: deviceName(), authShare, recoveryShare, proof }
  }

  /** The shares' own check decides whether they match. */
  async function withKey<T>(state: State, work: (source: KeySource) => Promise<T>): Promise<T> {
    const { addresses } = state
    if (state.kind === 'locked') throw new Failure('WALLET_LOCKED')
    if (state.kind === 'held') {
      // No other call here reveals an ended session.
      const isConnected = await session.isConnected()
      if (!isConnected || (await session.current())?.user.id !== state.userId) throw new Failure('UNAUTHORIZED')
      return work({ device: state.split.device, authShare: state.split.authShare, addresses })
    }
    try {
      return await withRow(state, work)
    } catch (thrown) {
      if (!isMisfit(thrown)) throw thrown
    }
    // Another tab may have replaced the split meanwhile.
    try {
      return await withRow(state, work)
    } catch (thrown) {
      if (isMisfit(thrown)) {
        await (await store()).dropShare(state.userId)
        opened = null
      }
      throw thrown
    }
  }

  async function withRow<T>({ userId, addresses }: Base, work: (source: KeySource) => Promise<T>): Promise<T> {
    const { authShare } = await callAs(userId, 'deviceShare', {})
    const share = await (await store()).share(userId)
    if (share === null) throw new Failure('WALLET_KEY_MISMATCH')
    const { device, previous } = share
    try {
      return await work({ device, authShare, addresses })
    } catch (thrown) {
      if (!isMisfit(thrown) || previous === undefined) throw thrown
      return work({ device: previous, authShare, addresses })
    }
  }

  /** 8: a new split for a stale device. */
  async function renew(state: Extract<State, { kind: 'row' }>): Promise<void> {
    const { userId, addresses } = state
    await tabs.alone(async () => {
      const { wallet } = await callAs(userId, 'wallet', {})
      if (wallet === null || !wallet.stale) return
      const { recovery, recoveryProof } = wallet
      const generation = generationOf(wallet)
      if (generation <= ((await (await store()).share(userId))?.generation ?? 0)) return
      const chosen: ProvenRecovery = { recovery, recoveryProof }
      const { split, fitting } = await withKey(state, async (source) => ({
        fitting: source.device,
        split: await signer.use((worker) => worker.split(source, { userId, chosen })),
      }))
      const fresh = await makeRow({ userId, addresses, recovery, generation }, split, fitting)
      if (opened?.userId === userId) opened = { userId, state: Promise.resolve(fresh) }
    })
  }

  return {
    async open() {
      const { userId, addresses, recovery, kind } = await open()
      const { method } = recovery
      return { userId, addresses, recovery, locked: kind === 'locked' && method !== 'gateway' ? method : null }
    },

    async sign(job, userId) {
      const state = await open()
      if (state.userId !== userId) throw new Failure('UNAUTHORIZED')
      const signature = await withKey(state, (source) => signer.use((worker) => worker.sign(source, job)))
      // A failure is retried after the next signature.
      if (state.kind === 'row' && state.isStale) renew(state).catch(() => {})
      return signature
    },

    async unlock(recoveryKey) {
      const state = await open()
      if (state.kind !== 'locked') return
      await become(
        state.userId,
        tabs.alone(() => recover(state, recoveryKey)),
      )
    },

    async setRecovery(recovery, otp) {
      const state = await open()
      const { userId, addresses } = state
      const generation = await tabs.alone(async () => {
        const { wallet } = await callAs(userId, 'wallet', {})
        const known = (await (await store()).share(userId))?.generation ?? 0
        const generation = Math.max(known, wallet === null ? 0 : generationOf(wallet)) + 1
        const { recoveryProof, split, fitting } = await withKey(state, async (source) => ({
          fitting: source.device,
          ...(await signer.use((worker) => worker.setRecovery(source, { userId, recovery, generation }))),
        }))
        const code = otp === undefined ? {} : { otp }
        await replaceShare({ userId, generation }, split.device, fitting, async () => {
          await callAs(userId, 'setRecovery', { recovery, recoveryProof, shares: sharesOf(split), ...code })
        })
        return generation
      })
      const changed: State = { kind: 'row', userId, addresses, recovery, generation, isStale: false }
      if (opened?.userId === userId) opened = { userId, state: Promise.resolve(changed) }
    },

    async exportSource(otp) {
      const state = await open()
      if (state.kind === 'locked') throw new Failure('WALLET_LOCKED')
      await callAs(state.userId, 'confirmExport', otp === undefined ? {} : { otp })
      return withKey(state, async (source) => source)
    },

    async keep() {
      const state = await open()
      if (state.kind !== 'held') return
      const kept = await tabs.alone(() => makeRow(state, state.split))
      if (opened?.userId === state.userId) opened = { userId: state.userId, state: Promise.resolve(kept) }
    },

    async security() {
      const { wallet } = await gateway.call('wallet', {})
      return { recovery: wallet?.recovery.method ?? null, devices: wallet?.devices ?? [] }
    },

    close() {
      opened = null
      signer.end()
    },
  }
}

function generationOf({ recoveryProof }: Pick<ProvenRecovery, 'recoveryProof'>): number {
  return recoveryProof?.generation ?? 0
}

function isMisfit(thrown: unknown): boolean {
  return isKeyFailure(thrown, 'BAD_SHARES', 'BAD_DEVICE_SHARE')
}
