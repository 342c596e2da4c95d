import type { ApprovalRequest, ThemeMode } from '@postern/protocol'
import { Failure } from '@postern/protocol/failure'
import type { Gateway } from '../../account/gateway'
import type { Session } from '../../account/session'
import type { ApprovalFacts } from '../../approval/description/describe-request'
import { deletePreviousWallet } from '../../previous-wallet'
import type { Ladder } from '../../storage/ladder'
import type { Wallet } from '../../wallet'
import {
  type WaitingApproval,
  type WindowAskAnswer,
  type WindowAskName,
  type WindowAskPayload,
  type WindowPurpose,
  windowAsks,
} from '../../window-messages'
import type { WindowService } from './window-link'

export type WindowServiceOptions = {
  readonly projectName: string
  readonly origin: () => string
  readonly themeMode: () => ThemeMode | undefined
  readonly ladder: Ladder
  readonly gateway: Gateway
  readonly session: Session
  readonly wallet: Wallet
  readonly previous: Wallet
  readonly approvals: WindowApprovals
  readonly emailChange: WindowEmailChange
  readonly deletion: WindowDeletion
}

/** @throws {Failure} CODE_EXPIRED if there is no change */
export type WindowEmailChange = {
  describe(): Promise<WindowAskAnswer<'emailChange'>>
  again(): Promise<void>
  primary(otp: string): Promise<void>
  secondary(otp: string): Promise<WindowAskAnswer<'emailSecondary'>>
}

export type WindowDeletion = {
  /** @throws {Failure} UNAUTHORIZED without a deletion, or if its user is no longer signed in */
  delete(otp: string | undefined): Promise<void>
}

export type WindowApprovals = {
  first(): WaitingApproval | null
  facts(request: ApprovalRequest): Promise<ApprovalFacts>
  subscribe(listener: () => void): () => void
  approve(word: { readonly id: string; readonly digest: string }): Promise<void>
  reject(word: { readonly id: string }): void
}

type Answers = {
  readonly [N in Exclude<WindowAskName, 'done'>]: (
    payload: WindowAskPayload<N>,
    purpose: WindowPurpose,
  ) => Promise<WindowAskAnswer<N>>
}

const allowed: Readonly<Record<WindowPurpose, readonly WindowAskName[]>> = {
  keep: ['takeRecord', 'kept', 'giveRecord'],
  unlock: ['unlock'],
  create: ['createWallet'],
  recovery: ['confirm', 'setRecovery'],
  move: ['confirm', 'replaceWallet'],
  unlockPrevious: ['unlock'],
  deletePrevious: ['confirm', 'deletePrevious'],
  export: ['confirm', 'exportSource'],
  approve: ['approvalFacts', 'approve', 'reject'],
  email: ['emailChange', 'emailAgain', 'emailPrimary', 'emailSecondary'],
  deleteAccount: ['confirm', 'deleteAccount'],
}

/**
 * Handles the wallet window's requests.
 *
 * 1. A window may only send the requests of its purpose.
 * 2. While signed out, only `keep` works, and only to load its record.
 * 3. A window serves the user that it was opened for; another user is UNAUTHORIZED.
 * 4. A window of the purpose `approve` decides only on the first request that waits for it.
 */
export function createWindowService(options: WindowServiceOptions): WindowService {
  const { projectName, origin, themeMode, ladder, gateway, session, wallet, approvals, emailChange, deletion } = options

  /** Rule 3: the user of each window. */
  const users = new Map<WindowPurpose, string | undefined>()

  const answers: Answers = {
    confirm: (payload) => gateway.call('confirm', payload),
    async setRecovery({ recovery, addresses, otp }) {
      await wallet.setRecovery(recovery, { addresses, otp })
      return undefined
    },
    async replaceWallet({ recovery, addresses, otp }) {
      await wallet.replace(recovery, addresses, otp)
      return undefined
    },
    async deletePrevious({ addresses, otp }) {
      await deletePreviousWallet(options, { addresses, otp })
      return undefined
    },
    async deleteAccount({ otp }) {
      await deletion.delete(otp)
      return undefined
    },
    async createWallet({ recovery, addresses }) {
      await wallet.create(recovery, addresses)
      return undefined
    },
    exportSource: ({ otp }) => wallet.exportSource(otp),
    async unlock({ recoveryKey, addresses }, purpose) {
      await walletOf(purpose).unlock(recoveryKey, addresses)
      return undefined
    },
    async takeRecord() {
      await wallet.keep()
      const record = await (await ladder.current()).store.readRecord()
      if (record === null) throw new Failure('UNAUTHORIZED')
      return record
    },
    async kept() {
      await ladder.keptByWindow()
      return undefined
    },
    async giveRecord(record) {
      // A record never replaces the signed-in user.
      if ((await session.current()) === null) await ladder.adoptWindowRecord(record)
      return { signedIn: await session.isConnected() }
    },
    emailChange: () => emailChange.describe(),
    async emailAgain() {
      await emailChange.again()
      return undefined
    },
    async emailPrimary({ otp }) {
      await emailChange.primary(otp)
      return undefined
    },
    emailSecondary: ({ otp }) => emailChange.secondary(otp),
    async approvalFacts({ id }) {
      const { own, known } = await approvals.facts(shownAs(id))
      return { own: [...own], known: { recipients: [...known.recipients], contracts: [...known.contracts] } }
    },
    async approve({ id, digest }) {
      shownAs(id)
      await approvals.approve({ id, digest })
      return undefined
    },
    async reject({ id }) {
      shownAs(id)
      approvals.reject({ id })
      return undefined
    },
  }

  /** Rule 4. */
  function shownAs(id: string): ApprovalRequest {
    const request = approvals.first()?.request
    if (request?.id !== id) throw new Failure('INVALID_REQUEST')
    return request
  }

  function walletOf(purpose: WindowPurpose): Wallet {
    return purpose === 'unlockPrevious' || purpose === 'deletePrevious' ? options.previous : wallet
  }

  async function find(purpose: WindowPurpose): Promise<Awaited<ReturnType<Wallet['find']>> | null> {
    if (purpose === 'export') return wallet.findForExport()
    // A deletion needs no open wallet.
    if (purpose === 'deleteAccount') return wallet.find().catch(() => null)
    return walletOf(purpose).find()
  }

  async function run<N extends keyof Answers>(name: N, payload: unknown, purpose: WindowPurpose): Promise<unknown> {
    const { payload: schema } = windowAsks[name]
    const parsed = schema.safeParse(payload)
    if (!parsed.success) throw new Failure('INVALID_PARAMS')
    return answers[name](parsed.data, purpose)
  }

  return {
    async context(purpose) {
      const signedIn = await session.current()
      users.set(purpose, signedIn?.user.id)
      const found = signedIn === null ? null : await find(purpose)
      const { storage } = await ladder.current()
      const mode = themeMode()
      return {
        kind: 'context',
        purpose,
        projectName,
        origin: origin(),
        user: signedIn?.user ?? null,
        storage,
        recovery: found?.recovery ?? null,
        addresses: needsDraft(purpose, found) ? await wallet.draft() : (found?.addresses ?? null),
        ...(mode !== undefined && { themeMode: mode }),
      }
    },
    async answer({ name, payload }, purpose) {
      if (name === 'done' || !allowed[purpose].includes(name)) throw new Failure('INVALID_REQUEST')
      const user = (await session.current())?.user.id
      if (name !== 'giveRecord' && user !== users.get(purpose)) throw new Failure('UNAUTHORIZED')
      return run(name, payload, purpose)
    },
    follow(purpose, post) {
      if (purpose !== 'approve') return () => {}
      const send = () => post({ kind: 'approval', approval: approvals.first() })
      send()
      return approvals.subscribe(send)
    },
  }
}

/** A passkey's or passphrase's key is bound to addresses, so they must be known first. */
function needsDraft(purpose: WindowPurpose, found: { readonly recovery: unknown } | null): boolean {
  if (found === null) return false
  return found.recovery === null ? purpose === 'create' : purpose === 'move'
}
