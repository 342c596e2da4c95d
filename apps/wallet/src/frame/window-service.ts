import type { ThemeMode, WalletWindowPurpose } from '@postern/protocol'
import { Failure } from '@postern/protocol/failure'
import type { Gateway } from '../account/gateway'
import type { Session } from '../account/session'
import type { Ladder } from '../storage/ladder'
import type { Wallet } from '../wallet'
import { type WindowAskAnswer, type WindowAskName, type WindowAskPayload, windowAsks } from '../window-messages'
import type { WindowService } from './window-link'

export type WindowServiceOptions = {
  readonly projectName: string
  readonly origin: () => string
  readonly themeMode: () => ThemeMode | undefined
  readonly ladder: Ladder
  readonly gateway: Gateway
  readonly session: Session
  readonly wallet: Wallet
}

type Answers = {
  readonly [N in Exclude<WindowAskName, 'done'>]: (payload: WindowAskPayload<N>) => Promise<WindowAskAnswer<N>>
}

const allowed: Readonly<Record<WalletWindowPurpose, readonly WindowAskName[]>> = {
  keep: ['takeRecord', 'kept', 'giveRecord'],
  unlock: ['unlock'],
  create: ['createWallet'],
  recovery: ['confirm', 'setRecovery'],
  export: ['confirm', 'exportSource'],
}

/**
 * Handles the wallet window's requests.
 *
 * 1. A window may only send the requests of its purpose.
 * 2. Payloads are parsed before anything happens.
 * 3. While signed out only `keep` works, and only to load its record.
 * 4. A window serves the user that it was opened for; for a later one, UNAUTHORIZED.
 */
export function createWindowService(options: WindowServiceOptions): WindowService {
  const { projectName, origin, themeMode, ladder, gateway, session, wallet } = options

  /** 4: the user of each window. */
  const users = new Map<WalletWindowPurpose, string | undefined>()

  const answers: Answers = {
    confirm: (payload) => gateway.call('confirm', payload),
    async setRecovery({ recovery, addresses, otp }) {
      await wallet.setRecovery(recovery, { addresses, otp })
      return undefined
    },
    async createWallet({ recovery, addresses }) {
      await wallet.create(recovery, addresses)
      return undefined
    },
    exportSource: ({ otp }) => wallet.exportSource(otp),
    async unlock({ recoveryKey, addresses }) {
      await wallet.unlock(recoveryKey, addresses)
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
  }

  async function run<N extends keyof Answers>(name: N, payload: unknown): Promise<unknown> {
    const { payload: schema } = windowAsks[name]
    const parsed = schema.safeParse(payload)
    if (!parsed.success) throw new Failure('INVALID_PARAMS')
    return answers[name](parsed.data)
  }

  return {
    async context(purpose) {
      const signedIn = await session.current()
      users.set(purpose, signedIn?.user.id)
      const find = purpose === 'export' ? wallet.findForExport : wallet.find
      const found = signedIn === null ? null : await find()
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
        addresses: purpose === 'create' && isMissing(found) ? await wallet.draft() : (found?.addresses ?? null),
        ...(mode !== undefined && { themeMode: mode }),
      }
    },
    async answer({ name, payload }, purpose) {
      if (name === 'done' || !allowed[purpose].includes(name)) throw new Failure('INVALID_REQUEST')
      const user = (await session.current())?.user.id
      if (name !== 'giveRecord' && user !== users.get(purpose)) throw new Failure('UNAUTHORIZED')
      return run(name, payload)
    },
  }
}

function isMissing(found: { readonly recovery: unknown } | null): boolean {
  return found !== null && found.recovery === null
}
