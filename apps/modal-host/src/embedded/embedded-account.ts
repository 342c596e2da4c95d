import type { Clock } from '@postern/base/clock'
import type { WalletUser, WalletWindowPurpose } from '@postern/protocol'
import { Failure } from '@postern/protocol/failure'
import { asFailure } from '@postern/protocol/wallet-errors'
import { evmAccounts } from '../connectors/embedded/accounts'
import type { EmbeddedWallet } from '../connectors/embedded/index'
import type { EmbeddedAccountType, EmbeddedStore } from '../connectors/embedded/stored'
import type { AskWallet } from '../connectors/embedded/wallet-frame/wallet-frame'
import type { Embedded } from '../snapshot/contract'
import type { Modal } from '../snapshot/modal'
import type { Popup } from '../snapshot/popup'
import type { SnapshotStore } from '../snapshot/store'
import type { AskCode } from './ask-code'
import type { SignInFlow } from './sign-in'
import { createWalletWindow } from './wallet-window'

export type EmbeddedAccount = {
  show(user: WalletUser | null): void
  prefer(type: EmbeddedAccountType): void
  refreshWallet(): void
  putOffMove(): void
  revokeDevice(id: string, signal: AbortSignal): Promise<void>
  seeRecoveries(until: number): void
  delete(signal: AbortSignal): Promise<void>
  /** The wallet's frame asks the user; then the sign-in continues without the ended wallet's share. */
  forgetEnded(signal: AbortSignal): Promise<void>
  create(): void
  connect(): void
  /** Null if the browser blocked the popup. */
  openWindow(purpose: WalletWindowPurpose, popup: Popup | null): void
  useGrantedStorage(grant: Promise<unknown>): void
}

/**
 * The embedded wallet's account, as its user sees and changes it.
 *
 * 1. A failure without a place of its own appears at the bottom of the card. After the session's end, failed reads are
 *    not reported.
 * 2. While signed in, this browser remembers that the window stores a wallet, but not whose. On the next visit the
 *    window restores it.
 */
export function createEmbeddedAccount(options: {
  readonly store: SnapshotStore
  readonly modal: Modal
  readonly ask: AskWallet
  readonly askCode: AskCode
  readonly wallet: EmbeddedWallet
  readonly walletOrigin: string
  readonly clock: Clock
  readonly stored: Pick<EmbeddedStore, 'isWalletInWindow' | 'setWalletInWindow' | 'isMovePutOff' | 'keepMovePutOff'>
  readonly signIn: () => SignInFlow
  readonly reconnect: () => Promise<void>
  readonly connectMissing: () => Promise<void>
  readonly onMoved: () => Promise<void>
  readonly onDeleted: () => Promise<void>
}): EmbeddedAccount {
  const { store, modal, ask, wallet, walletOrigin, clock, stored } = options

  function tell(thrown: unknown): void {
    const { code, message } = asFailure(thrown)
    if (code === 'ABORTED' || code === 'USER_REJECTED') return
    if (!modal.alertFailure(code)) modal.notifyFailure(code, message)
  }

  function change(changes: Partial<Embedded>): void {
    const { embedded } = store.getState()
    if (embedded !== null) store.setState({ embedded: { ...embedded, ...changes } })
  }

  async function refreshSecurity(): Promise<void> {
    const answer = await ask('GET_SECURITY', undefined)
    const { storage, recovery, devices, recoveries = [], isExposed = false, previous = null } = answer
    change({ storage, security: { recovery, devices, recoveries, isExposed, previous } })
  }

  /** The smart account's first operation deploys it. A chain that does not answer is ignored. */
  async function refreshDeployment(): Promise<void> {
    const { accounts = [], smartAccountDeployed = true } = store.getState().embedded ?? {}
    if (smartAccountDeployed || accounts.every(({ type }) => type !== 'smartAccount')) return
    const answer = await ask('INIT_SMART_ACCOUNT', undefined).catch(() => null)
    if (answer !== null) change({ smartAccountDeployed: answer.isDeployed })
  }

  async function refreshUser(): Promise<void> {
    const user = await wallet.read()
    if (user !== null) await wallet.adopt(user)
  }

  const walletWindow = createWalletWindow({
    ask,
    walletOrigin,
    clock,
    store,
    signIn: options.signIn,
    tell,
    async onDone(purpose) {
      if (purpose === 'keep') {
        stored.setWalletInWindow()
        if (store.getState().embedded === null) return options.reconnect()
      }
      if (purpose === 'move') await options.onMoved()
      else await refreshUser()
      if (purpose !== 'export') await refreshSecurity()
    },
    async onClosed(purpose) {
      // The method may have changed before the window closed.
      if (purpose === 'recovery') await refreshSecurity()
    },
  })

  async function create(): Promise<void> {
    const recoveryWanted = store.getState().embedded?.recoveryWanted ?? null
    change({ recoveryWanted: null })
    try {
      await ask('CREATE_WALLET', { recovery: 'gateway' })
    } catch (thrown) {
      change({ recoveryWanted })
      options.signIn().failed(thrown)
      return
    }
    options.signIn().continued()
  }

  return {
    show(user) {
      const before = store.getState().embedded
      // Rule 2.
      store.setState({ walletKept: stored.isWalletInWindow(), returningUser: null })
      if (user === null) {
        if (before !== null || store.getState().emailChange !== null)
          store.setState({ embedded: null, emailChange: null, waiting: [] })
        return
      }
      store.setState({ embedded: embeddedOf(user, before, stored.isMovePutOff()) })
    },
    prefer: (type) => void wallet.prefer(type).catch(tell),
    refreshWallet() {
      void refreshDeployment()
      refreshSecurity().catch((thrown: unknown) => {
        if (store.getState().embedded !== null) tell(thrown)
      })
    },
    putOffMove() {
      stored.keepMovePutOff()
      change({ isMovePutOff: true })
    },
    async revokeDevice(id, signal) {
      await options.askCode('REVOKE_DEVICE', { id }, signal)
      await refreshSecurity().catch(tell)
    },
    seeRecoveries(until) {
      const { embedded } = store.getState()
      const security = embedded?.security
      if (security)
        change({ security: { ...security, recoveries: security.recoveries.filter(({ at }) => at > until) } })
      ask('SEE_RECOVERIES', { until }).catch(tell)
    },
    async delete(signal) {
      await options.askCode('DELETE_ACCOUNT', undefined, signal)
      await options.onDeleted()
    },
    async forgetEnded(signal) {
      await options.askCode('FORGET_ENDED_WALLET', undefined, signal)
      change({ ended: null })
      options.signIn().continued()
    },
    create: () => void create().catch(tell),
    connect: () => void options.connectMissing().catch(tell),
    openWindow: walletWindow.open,
    useGrantedStorage(grant) {
      const use = async () => {
        await grant.catch(() => {
          throw new Failure('STORAGE_DENIED')
        })
        const { storage } = await ask('USE_GRANTED_STORAGE', undefined)
        // The storage may contain more than this visit knew.
        await refreshUser()
        change({ storage })
        // The browser allowed it, but stores nothing.
        if (storage === 'memory') throw new Failure('STORAGE_DENIED')
      }
      use().catch(tell)
    },
  }
}

/** Keeps what only later requests report. */
function embeddedOf(user: WalletUser, before: Embedded | null, isMovePutOff: boolean): Embedded {
  const accounts = evmAccounts(user)
  return {
    email: user.email ?? null,
    userName: user.userName ?? null,
    provider: user.provider ?? 'email',
    accounts,
    preferred: user.preferredAccountType ?? accounts[0].type,
    smartAccountDeployed: user.smartAccountDeployed ?? false,
    storage: user.storage ?? before?.storage ?? 'frame',
    locked: user.locked ?? null,
    recoveryWanted: user.recoveryWanted ?? null,
    ended: user.ended ?? null,
    isNew: user.isNew ?? false,
    isMovePutOff,
    security: before?.security ?? null,
  }
}
