import type { WalletApiBody, WalletEnd } from '@postern/protocol'
import { eq, sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { devices } from '../../platform/db/schema'
import { walletEnds, wallets } from '../../platform/db/wallet-schema'
import { createSecrets, newSecretKeys } from '../../platform/secrets/secrets'
import { everyRow } from '../../testing/databases'
import { waitingForLock } from '../../testing/deadlock'
import { call, succeed } from '../../testing/sign-in'
import { sessionOf, sharedGateway, type Visitor } from '../../testing/visitors'
import { newWallet, passphrase, type TestWallet } from '../../testing/wallet'
import { createWalletEnds } from './ends'

const gateway = await sharedGateway()
const { app, signIn, confirm } = gateway
const of = sessionOf
const year = 365 * 24 * 60 * 60_000

/** A user with a wallet, on two devices. */
async function twoDevices() {
  const first = await signIn()
  const wallet = newWallet()
  const shares = await wallet.split('create', first.user.id)
  await succeed(app, 'createWallet', { addresses: wallet.addresses, shares }, of(first))
  const second = await signIn(first.email)
  const own = await wallet.split('device', first.user.id)
  await succeed(app, 'putDevice', own, of(second))
  return { first, second, wallet, userId: first.user.id }
}

const deleted = { what: 'deleted', generation: 0, at: 1_795_000_000_000 } as const

async function deleteBy(visitor: Visitor, end?: WalletEnd): ReturnType<typeof call> {
  const otp = await confirm(visitor, 'delete')
  return call(app, 'deleteAccount', { otp, ...(end && { end }) }, of(visitor))
}

const endsOf = async (visitor: Visitor) => (await succeed(app, 'wallet', {}, of(visitor))).ends ?? []

describe('a deletion', () => {
  test('1. 2. is told to the user’s other device, under their later account', async () => {
    const { first, second, wallet, userId } = await twoDevices()
    const end = await wallet.end(userId, deleted)
    expect((await deleteBy(first, end)).status).toBe(200)
    expect(await call(app, 'wallet', {}, of(second))).toMatchObject({ failure: 'SESSION_EXPIRED' })
    const again = await signIn(first.email, second.deviceToken)
    expect(again.user.id).not.toBe(userId)
    expect(await endsOf(again)).toEqual([end])
  })

  test('2. is told to no other device, and to no other user of that device', async () => {
    const { first, second, wallet, userId } = await twoDevices()
    await deleteBy(first, await wallet.end(userId, deleted))
    expect(await endsOf(await signIn(first.email))).toEqual([])
    expect(await endsOf(await signIn(undefined, second.deviceToken))).toEqual([])
    expect(await endsOf(await signIn(first.email, first.deviceToken))).toEqual([])
  })

  test('1. is told to a removed device too', async () => {
    const { first, second, wallet, userId } = await twoDevices()
    const { wallet: told } = await succeed(app, 'wallet', {}, of(first))
    const id = told?.devices.find(({ isThis }) => !isThis)?.id ?? ''
    await succeed(app, 'revokeDevice', { id }, of(first))
    const end = await wallet.end(userId, deleted)
    await deleteBy(first, end)
    expect(await endsOf(await signIn(first.email, second.deviceToken))).toEqual([end])
  })

  test('3. leaves no address, id or signature in the database, and nothing after a year', async () => {
    const { first, second, wallet, userId } = await twoDevices()
    const end = await wallet.end(userId, deleted)
    await deleteBy(first, end)
    const rows = JSON.stringify((await everyRow(app.database)).get('wallet_ends')).toLowerCase()
    for (const secret of [userId, first.email, wallet.addresses.eip155, wallet.addresses.bip122, end.signature])
      expect(rows).not.toContain(secret.toLowerCase())
    const ends = createWalletEnds({ database: app.database, sealer: app.secrets.identities, now: () => gateway.at })
    await ends.sweep()
    const again = await signIn(first.email, second.deviceToken)
    expect(await endsOf(again)).toEqual([end])
    gateway.at += year + 1
    await ends.sweep()
    expect(await app.database.orm.select().from(walletEnds)).toEqual([])
  })

  test('12. that fails is reported to no device', async () => {
    const { first, second, wallet, userId } = await twoDevices()
    const { orm } = app.database
    await orm.execute(sql`
      create function refuse() returns trigger language plpgsql as $$ begin raise exception 'refused'; end $$;
      create trigger refuse before delete on users for each row execute function refuse()`)
    const end = await wallet.end(userId, deleted)
    expect(await deleteBy(first, end).finally(() => orm.execute(sql`drop function refuse cascade`))).toMatchObject({
      status: 500,
    })
    expect(await endsOf(second)).toEqual([])
  })

  test('without a statement works as before', async () => {
    const { first, second } = await twoDevices()
    expect((await deleteBy(first)).status).toBe(200)
    expect(await endsOf(await signIn(first.email, second.deviceToken))).toEqual([])
  })

  type SetUp = { readonly wallet: TestWallet; readonly userId: string }
  const forged: [string, (setUp: SetUp) => Promise<WalletEnd>][] = [
    ['by another key', ({ userId }) => newWallet().end(userId, deleted)],
    ['for another user', ({ wallet }) => wallet.end('another user', deleted)],
    ['of another generation', ({ wallet, userId }) => wallet.end(userId, { ...deleted, generation: 1 })],
    ['with another time', async ({ wallet, userId }) => ({ ...(await wallet.end(userId, deleted)), at: 1 })],
    [
      'that says replaced',
      ({ wallet, userId }) => wallet.end(userId, { ...deleted, what: 'replaced', to: newWallet().addresses }),
    ],
  ]
  test.each(forged)('12. with a statement %s is refused, and the code is not used up', async (_, forge) => {
    const { first, second, wallet, userId } = await twoDevices()
    const otp = await confirm(first, 'delete')
    const end = await forge({ wallet, userId })
    expect(await call(app, 'deleteAccount', { otp, end }, of(first))).toMatchObject({ failure: 'BAD_PROOF' })
    expect(await endsOf(second)).toEqual([])
    await succeed(app, 'deleteAccount', { otp, end: await wallet.end(userId, deleted) }, of(first))
  })
})

describe('13. a reader of the mail, without the passphrase', () => {
  const day = 24 * 60 * 60_000

  test('cannot destroy a wallet that another device uses, and uses up no code', async () => {
    const { first, wallet, userId } = await twoDevices()
    const shares = await wallet.split('recovery', userId, passphrase)
    const recoveryProof = await wallet.choose(userId, passphrase)
    const moved = await confirm(first, 'recovery')
    await succeed(app, 'setRecovery', { recovery: passphrase, recoveryProof, shares, otp: moved }, of(first))
    const thief = await signIn(first.email)
    const otp = await confirm(thief, 'delete')
    expect(await call(app, 'deleteAccount', { otp }, of(thief))).toMatchObject({ failure: 'WALLET_IN_USE' })
    const forged = await newWallet().end(userId, { ...deleted, generation: 1 })
    expect(await call(app, 'deleteAccount', { otp, end: forged }, of(thief))).toMatchObject({ failure: 'BAD_PROOF' })
    expect((await succeed(app, 'deviceShare', {}, of(first))).authShare).toBe(shares.authShare)

    // An owner who lost all devices and the passphrase begins again.
    gateway.at += 91 * day
    const owner = await signIn(first.email)
    await succeed(app, 'deleteAccount', { otp: await confirm(owner, 'delete') }, of(owner))
  })

  test('the device that opens it deletes it, with the statement of its key', async () => {
    const { first, wallet, userId } = await twoDevices()
    const shares = await wallet.split('recovery', userId, passphrase)
    const recoveryProof = await wallet.choose(userId, passphrase)
    const moved = await confirm(first, 'recovery')
    await succeed(app, 'setRecovery', { recovery: passphrase, recoveryProof, shares, otp: moved }, of(first))
    const end = await wallet.end(userId, { ...deleted, generation: 1 })
    expect((await deleteBy(first, end)).status).toBe(200)
  })
})

describe('a replacement', () => {
  async function moving() {
    const { first, second, wallet, userId } = await twoDevices()
    const shares = await wallet.split('recovery', userId, passphrase)
    const recoveryProof = await wallet.choose(userId, passphrase)
    const otp = await confirm(first, 'recovery')
    await succeed(app, 'setRecovery', { recovery: passphrase, recoveryProof, shares, otp }, of(first))
    const next = newWallet()
    const body: WalletApiBody<'replaceWallet'> = {
      addresses: next.addresses,
      recovery: passphrase,
      recoveryProof: await next.choose(userId, passphrase),
      shares: { ...(await next.split('replace', userId, passphrase)), addressProof: await next.vouch(userId, 1) },
      signature: await wallet.replacedBy(userId, next.addresses),
      otp: await confirm(first, 'move'),
    }
    const claim = { what: 'replaced', to: next.addresses, generation: 1, at: deleted.at } as const
    return { first, second, wallet, userId, next, body, claim }
  }

  test('1. is told to the user’s other device, and not to the one that moved', async () => {
    const { first, second, wallet, userId, body, claim } = await moving()
    const end = await wallet.end(userId, claim)
    await succeed(app, 'replaceWallet', { ...body, end }, of(first))
    expect(await endsOf(second)).toEqual([end])
    expect(await endsOf(first)).toEqual([])
  })

  test('12. is told to no device if its own device is removed meanwhile', async () => {
    const { first, second, wallet, userId, body, claim } = await moving()
    const end = await wallet.end(userId, claim)
    const id = (await succeed(app, 'wallet', {}, of(first))).wallet?.devices.find(({ isThis }) => isThis)?.id ?? ''
    const answer = await app.database.orm.transaction(async (tx) => {
      await tx.select().from(wallets).where(eq(wallets.userId, userId)).for('update')
      const replacing = call(app, 'replaceWallet', { ...body, end }, of(first))
      await expect.poll(() => waitingForLock(app.database.orm)).toBe(1)
      await tx
        .update(devices)
        .set({ revokedAt: new Date(gateway.at) })
        .where(eq(devices.id, id))
      return { replacing }
    })
    expect(await answer.replacing).toMatchObject({ failure: 'DEVICE_REVOKED' })
    expect(await endsOf(second)).toEqual([])
  })

  test('12. with a statement for other addresses, of another generation or of a deletion is refused', async () => {
    const { first, second, wallet, userId, body, claim } = await moving()
    for (const end of [
      await wallet.end(userId, { ...claim, to: newWallet().addresses }),
      await wallet.end(userId, { ...claim, generation: 0 }),
      await wallet.end(userId, { ...deleted, generation: 1 }),
    ])
      expect(await call(app, 'replaceWallet', { ...body, end }, of(first))).toMatchObject({ failure: 'BAD_PROOF' })
    expect(await endsOf(second)).toEqual([])
    await succeed(app, 'replaceWallet', { ...body, end: await wallet.end(userId, claim) }, of(first))
  })
})

test('a rotation of the keys seals the statements again', async () => {
  const { first, second, wallet, userId } = await twoDevices()
  const owner = { userId, deviceId: (await succeed(app, 'wallet', {}, of(first))).wallet?.devices[0]?.id ?? '' }
  const [old, fresh] = [newSecretKeys(), newSecretKeys()]
  const options = { database: app.database, now: () => gateway.at }
  const sealerOf = (email: typeof old.email) => createSecrets({ ...old, email }).identities
  const newest = fresh.email.map(({ key }) => ({ id: '2', key }))
  await app.database.orm.delete(walletEnds)
  const end = await wallet.end(userId, deleted)
  await createWalletEnds({ ...options, sealer: sealerOf(old.email) }).keep(owner, end, app.database.orm)
  const both = createWalletEnds({ ...options, sealer: sealerOf([...newest, ...old.email]) })
  expect(await both.sealOlder()).toEqual({ sealed: 1, failed: 0 })
  expect(await both.sealOlder()).toEqual({ sealed: 0, failed: 0 })
  const { devices = [] } = (await succeed(app, 'wallet', {}, of(second))).wallet ?? {}
  const other = { userId, deviceId: devices.find(({ isThis }) => isThis)?.id ?? '' }
  expect(await createWalletEnds({ ...options, sealer: sealerOf(newest) }).of(other)).toHaveLength(1)
})
