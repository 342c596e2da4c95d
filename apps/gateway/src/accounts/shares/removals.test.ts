/** What a reader of the mail can take from the devices of a wallet with a passphrase, and what its owner's key can. */
import { describe, expect, test } from 'vitest'
import { call, notMeIn, pressNotMe as press, succeed } from '../../testing/sign-in'
import { sessionOf, sharedGateway, type Visitor } from '../../testing/visitors'
import { newWallet, passphrase, type TestWallet } from '../../testing/wallet'

const gateway = await sharedGateway()
const { app, signIn, confirm } = gateway
const of = sessionOf
const day = 24 * 60 * 60_000

const notMeLink = (email: string) => notMeIn(app, email)

async function pressNotMe(token: string): Promise<void> {
  expect((await press(app, token)).status).toBe(200)
}

async function withWallet() {
  const first = await signIn()
  const signInLink = notMeLink(first.email)
  const wallet = newWallet()
  const userId = first.user.id
  const shares = await wallet.split('create', userId)
  await succeed(app, 'createWallet', { addresses: wallet.addresses, shares }, of(first))
  return { first, signInLink, wallet, userId }
}

/** Its recovery has moved to the passphrase. */
async function hardened() {
  const made = await withWallet()
  const { first, wallet, userId } = made
  const shares = await wallet.split('recovery', userId, passphrase)
  const recoveryProof = await wallet.choose(userId, passphrase)
  const otp = await confirm(first, 'recovery')
  await succeed(app, 'setRecovery', { recovery: passphrase, recoveryProof, shares, otp }, of(first))
  return made
}

async function addDevice(email: string, wallet: TestWallet, method: typeof passphrase | undefined) {
  const device = await signIn(email)
  const link = notMeLink(email)
  await succeed(app, 'putDevice', await wallet.split('device', device.user.id, method), of(device))
  return { device, link }
}

async function idOf(visitor: Visitor): Promise<string> {
  const { wallet } = await succeed(app, 'wallet', {}, of(visitor))
  const id = wallet?.devices.find(({ isThis }) => isThis)?.id
  if (id === undefined) throw new Error('A row expected')
  return id
}

const opens = async (visitor: Visitor) => (await call(app, 'deviceShare', {}, of(visitor))).status === 200

describe('14. removing a device of a wallet with a passphrase', () => {
  test('needs its key: a reader of the mail removes no device that is in use', async () => {
    const { first, wallet, userId } = await hardened()
    const { device: second } = await addDevice(first.email, wallet, passphrase)
    const thief = await signIn(first.email)
    const id = await idOf(first)
    expect(await call(app, 'revokeDevice', { id }, of(thief))).toMatchObject({ status: 409, failure: 'WALLET_IN_USE' })
    const forged = await newWallet().removes(userId, id)
    expect((await call(app, 'revokeDevice', { id, signature: forged }, of(thief))).failure).toBe('WALLET_IN_USE')
    expect(await opens(first)).toBe(true)
    // Nor does a session of a device with a row, without the key.
    expect((await call(app, 'revokeDevice', { id }, of(second))).failure).toBe('WALLET_IN_USE')
    expect(await opens(first)).toBe(true)
  })

  test('takes the signature of its key, for this device and user, from a device that opens it', async () => {
    const { first, wallet, userId } = await hardened()
    const { device: second } = await addDevice(first.email, wallet, passphrase)
    const id = await idOf(first)
    const own = await idOf(second)
    for (const signature of [
      await newWallet().removes(userId, id),
      await wallet.removes(userId, own),
      await wallet.removes('another user', id),
      await wallet.replacedBy(userId, wallet.addresses),
    ])
      expect((await call(app, 'revokeDevice', { id, signature }, of(second))).failure).toBe('BAD_PROOF')
    expect(await opens(first)).toBe(true)
    const signature = await wallet.removes(userId, id)
    const thief = await signIn(first.email)
    expect((await call(app, 'revokeDevice', { id, signature }, of(thief))).failure).toBe('WALLET_IN_USE')
    await succeed(app, 'revokeDevice', { id, signature }, of(second))
    expect((await call(app, 'deviceShare', {}, of(first))).failure).toBe('DEVICE_REVOKED')
    // A repeated call changes nothing.
    await succeed(app, 'revokeDevice', { id, signature }, of(second))
  })

  test('needs no key for a device that has no share, or was not used for 90 days', async () => {
    const { first, wallet } = await hardened()
    const { device: second } = await addDevice(first.email, wallet, passphrase)
    const id = await idOf(second)
    gateway.at += 91 * day
    const back = await signIn(first.email, first.deviceToken)
    expect(await opens(back)).toBe(true)
    await succeed(app, 'revokeDevice', { id }, of(back))
    const { wallet: left } = await succeed(app, 'wallet', {}, of(back))
    expect(left?.devices.map((one) => one.isThis)).toEqual([true])
  })

  test('needs no key with the default recovery, where the mailbox can open the wallet anyway', async () => {
    const { first, wallet } = await withWallet()
    await addDevice(first.email, wallet, undefined)
    const thief = await signIn(first.email)
    await succeed(app, 'revokeDevice', { id: await idOf(first) }, of(thief))
  })

  test('needs the key of a previous wallet with a passphrase, if the current one has none', async () => {
    const { first, wallet, userId } = await hardened()
    const next = newWallet()
    await succeed(
      app,
      'replaceWallet',
      {
        addresses: next.addresses,
        recovery: passphrase,
        recoveryProof: await next.choose(userId, passphrase),
        shares: { ...(await next.split('replace', userId, passphrase)), addressProof: await next.vouch(userId, 1) },
        signature: await wallet.replacedBy(userId, next.addresses),
        otp: await confirm(first, 'move'),
      },
      of(first),
    )
    const recovery = { method: 'gateway' } as const
    const recoveryProof = await next.choose(userId, recovery, 2)
    const shares = await next.split('recovery', userId, recovery)
    await succeed(
      app,
      'setRecovery',
      { recovery, recoveryProof, shares, otp: await confirm(first, 'recovery') },
      of(first),
    )
    const { device: second } = await addDevice(first.email, next, undefined)
    const old = await wallet.split('device', userId, passphrase)
    await succeed(app, 'putDevice', { ...old, which: 'previous' }, of(second))
    const thief = await signIn(first.email)
    const id = await idOf(first)
    expect((await call(app, 'revokeDevice', { id }, of(thief))).failure).toBe('WALLET_IN_USE')
    const ofNext = await next.removes(userId, id)
    expect((await call(app, 'revokeDevice', { id, signature: ofNext }, of(second))).failure).toBe('BAD_PROOF')
    await succeed(app, 'revokeDevice', { id, signature: await wallet.removes(userId, id) }, of(second))
  })
})

describe('“This was not me”, pressed by a reader of the mail, of a wallet with a passphrase', () => {
  test('signs its only device out, which opens the wallet again after a sign-in', async () => {
    const { first, signInLink } = await hardened()
    gateway.at += 20 * day
    await pressNotMe(signInLink)
    expect((await call(app, 'deviceShare', {}, of(first))).failure).toBe('SESSION_EXPIRED')
    const again = await signIn(first.email, first.deviceToken)
    expect(await opens(again)).toBe(true)
  })

  test('signs a device out that used the wallet in the last 90 days, and does not remove it', async () => {
    const { first, wallet } = await hardened()
    const { device: second } = await addDevice(first.email, wallet, passphrase)
    gateway.at += 20 * day
    const again = await signIn(first.email, second.deviceToken)
    await pressNotMe(notMeLink(first.email))
    expect((await call(app, 'session', {}, of(again))).failure).toBe('SESSION_EXPIRED')
    expect(await opens(await signIn(first.email, second.deviceToken))).toBe(true)
    expect(await opens(first)).toBe(true)
  })

  test('signs out a device that asked for a code, without removing it', async () => {
    const { first } = await hardened()
    await confirm(first, 'export')
    await pressNotMe(notMeLink(first.email))
    expect((await call(app, 'session', {}, of(first))).failure).toBe('SESSION_EXPIRED')
    expect(await opens(await signIn(first.email, first.deviceToken))).toBe(true)
  })

  test('removes a device that has not used the wallet for longer, or never had it', async () => {
    const { first, wallet } = await hardened()
    const { device: second } = await addDevice(first.email, wallet, passphrase)
    gateway.at += 91 * day
    const owner = await signIn(first.email, first.deviceToken)
    const thief = await signIn(first.email, second.deviceToken)
    await pressNotMe(notMeLink(first.email))
    expect((await call(app, 'session', {}, of(thief))).failure).toBe('DEVICE_REVOKED')
    const other = await signIn(first.email)
    await pressNotMe(notMeLink(first.email))
    expect((await call(app, 'session', {}, of(other))).failure).toBe('DEVICE_REVOKED')
    expect((await succeed(app, 'wallet', {}, of(owner))).wallet?.devices).toHaveLength(1)
  })

  test('with the default recovery removes the device, also one that recovered the wallet', async () => {
    const { first, wallet } = await withWallet()
    const { device: thief, link } = await addDevice(first.email, wallet, undefined)
    await pressNotMe(link)
    expect((await call(app, 'session', {}, of(thief))).failure).toBe('DEVICE_REVOKED')
    expect((await succeed(app, 'wallet', {}, of(first))).wallet?.devices).toHaveLength(1)
  })
})
