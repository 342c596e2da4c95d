import type { SignedIn, WalletApiUser } from '@postern/protocol'
import { eq } from 'drizzle-orm'
import type { Orm } from '../../platform/db/open'
import { sessions, users } from '../../platform/db/schema'
import { walletFailure } from '../../platform/http/wallet-calls'
import { hashSecret, newSecret } from '../../platform/secrets/secrets'
import type { Accounts, Identity, UserRow } from '../users/accounts'
import { type AddressChange, type AddressChanges, onHold } from '../users/address-changes'

export type SignInDevice = { readonly deviceToken: string; readonly keyThumbprint: string }

export type SignIns = {
  /** Finds or creates user and device. @throws {Problem} USER_BLOCKED, EMAIL_ON_HOLD */
  signIn(identity: Identity, device: SignInDevice, projectId: string): Promise<SignedIn>
  /**
   * For a code to the address of `identity`, which may be a former one (`address-changes.ts`, 4 and 6).
   * @param isKnown the address approved the device. If not, the code only creates an account, or returns null.
   * @throws {Problem} USER_BLOCKED, EMAIL_ON_HOLD
   */
  signInByEmail(identity: Identity, device: SignInDevice, projectId: string, isKnown: boolean): Promise<SignedIn | null>
}

export function createSignIns(options: {
  readonly orm: Orm
  readonly accounts: Accounts
  readonly addressChanges: Pick<AddressChanges, 'ofFormer' | 'admit' | 'findFormerDevice' | 'restore'>
  readonly describe: (
    session: { readonly userId: string; readonly expiresAt: number; readonly user: WalletApiUser },
    token: string,
    projectId: string,
  ) => Promise<SignedIn>
  readonly onSignIn: ((provider: string) => void) | undefined
  /** Of a session, in ms. */
  readonly lifetime: number
  /** Epoch milliseconds. */
  readonly now: () => number
}): SignIns {
  const { orm, accounts, addressChanges, describe, onSignIn, lifetime, now } = options

  /** @param restoring the change that the session can undo. */
  async function begin(
    row: UserRow,
    { deviceToken, keyThumbprint }: SignInDevice,
    projectId: string,
    restoring?: AddressChange,
  ): Promise<SignedIn> {
    if (row.blockedAt !== null) throw walletFailure('USER_BLOCKED')
    const tokenHash = hashSecret(deviceToken)
    const isRestoring = restoring !== undefined
    if (!isRestoring) await addressChanges.admit(row.id, tokenHash)
    const subjectHash = restoring?.formerHash ?? row.subjectHash
    const deviceId = await accounts.deviceOf({ id: row.id, subjectHash }, { tokenHash, projectId, isRestoring })
    const token = newSecret()
    const at = now()
    const session = {
      id: hashSecret(token),
      userId: row.id,
      deviceId,
      projectId,
      signedInAt: at,
      expiresAt: restoring?.endsAt.getTime() ?? at + lifetime,
      user: accounts.show(restoring === undefined ? row : { ...row, email: restoring.formerEmail }),
    }
    await orm.insert(sessions).values({
      id: session.id,
      userId: row.id,
      deviceId,
      projectId,
      keyThumbprint,
      isRestoring,
      signedInAt: new Date(at),
      usedAt: new Date(at),
      expiresAt: new Date(session.expiresAt),
    })
    onSignIn?.(row.provider)
    return describe(session, token, projectId)
  }

  const signIn: SignIns['signIn'] = async (identity, device, projectId) =>
    begin(await accounts.userOf(identity), device, projectId)

  return {
    signIn,

    async signInByEmail(identity, device, projectId, isKnown) {
      const change = await addressChanges.ofFormer(accounts.hashesOf(identity.provider, identity.subject))
      if (change === undefined) {
        if (isKnown) return signIn(identity, device, projectId)
        const row = await accounts.newUserOf(identity)
        return row === null ? null : begin(row, device, projectId)
      }
      if (change.frozenAt === null || !isKnown) throw onHold(change, now())
      if ((await addressChanges.findFormerDevice(change, hashSecret(device.deviceToken))) !== undefined) {
        await addressChanges.restore(change)
        return signIn(identity, device, projectId)
      }
      const [row] = await orm.select().from(users).where(eq(users.id, change.userId))
      return row === undefined ? null : begin(row, device, projectId, change)
    },
  }
}
