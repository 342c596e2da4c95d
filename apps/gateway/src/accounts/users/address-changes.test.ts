/** After a change of the address: what a thief gets, if the new address is theirs and if the old one is. */
import { afterEach, describe, expect, test } from 'vitest'
import { addressChanges, devices, sessions } from '../../platform/db/schema'
import { hashSecret } from '../../platform/secrets/secrets'
import { approve, call, codeIn, linkIn, newToken, notMeIn, pressNotMe, succeed } from '../../testing/sign-in'
import { sessionOf as of, sharedGateway, type Visitor } from '../../testing/visitors'
import { newWallet, passphrase, type TestWallet } from '../../testing/wallet'

const gateway = await sharedGateway()
const { app, signIn, confirm, changeAddress } = gateway
const day = 24 * 60 * 60_000
const origin = 'https://app.example.com'

let count = 0
const newAddress = () => `new${++count}@example.com`
afterEach(() => {
  app.mails.length = 0
})

/** The account's first device, with a wallet of the default recovery. */
async function withWallet() {
  const owner = await signIn()
  const wallet = newWallet()
  const shares = await wallet.split('create', owner.user.id)
  await succeed(app, 'createWallet', { addresses: wallet.addresses, shares }, of(owner))
  return { owner, wallet }
}

/** Its recovery has moved to the passphrase. */
async function hardened() {
  const { owner, wallet } = await withWallet()
  const { id } = owner.user
  await succeed(
    app,
    'setRecovery',
    {
      recovery: passphrase,
      recoveryProof: await wallet.choose(id, passphrase),
      shares: await wallet.split('recovery', id, passphrase),
      otp: await confirm(owner, 'recovery'),
    },
    of(owner),
  )
  return { owner, wallet }
}

async function press(email: string): Promise<string> {
  return (await pressNotMe(app, notMeIn(app, email))).text()
}

/** The failure of a sign-in in a new browser, or on `deviceToken`. */
async function refusalOf(email: string, deviceToken = newToken()): Promise<string | undefined> {
  gateway.at += 60_000
  const { flow, action } = await succeed(app, 'email', { email, deviceToken, origin })
  if (action === 'VERIFY_DEVICE') await approve(app, linkIn(app, email))
  return (await call(app, 'emailVerify', { flow, otp: codeIn(app, email), deviceToken })).failure
}

const failureOf = async (visitor: Visitor, name: 'session' | 'deviceShare' | 'recover' | 'wallet') =>
  (await call(app, name, {}, of(visitor))).failure

async function handIn(visitor: Visitor, wallet: TestWallet, method: typeof passphrase | undefined) {
  const shares = await wallet.split('device', visitor.user.id, method)
  return call(app, 'putDevice', shares, of(visitor))
}

async function idOf(visitor: Visitor): Promise<string> {
  const { wallet } = await succeed(app, 'wallet', {}, of(visitor))
  return wallet?.devices.find(({ isThis }) => isThis)?.id ?? ''
}

describe('the new address is the thief’s', () => {
  test('1. 2. changed on the owner’s device: the old address ends the thief’s device, and leaves the owner’s', async () => {
    const { owner } = await withWallet()
    const stolen = newAddress()
    await changeAddress(owner, stolen)
    const thief = await signIn(stolen)
    expect(thief.user.id).toBe(owner.user.id)
    expect((await call(app, 'recover', {}, of(thief))).status).toBe(200)
    expect(await press(owner.email)).toContain('The account is frozen')
    expect(await failureOf(thief, 'session')).toBe('DEVICE_REVOKED')
    expect(await failureOf(owner, 'deviceShare')).toBeUndefined()
    expect(await refusalOf(stolen)).toBe('EMAIL_ON_HOLD')
    expect(await refusalOf(stolen, thief.deviceToken)).toBe('EMAIL_ON_HOLD')
  })

  test('4. then the old address restores on a device that was there before', async () => {
    const { owner } = await withWallet()
    const stolen = newAddress()
    await changeAddress(owner, stolen)
    await signIn(stolen)
    await press(owner.email)
    const back = await signIn(owner.email, owner.deviceToken)
    expect(back.user).toEqual(owner.user)
    expect(await failureOf(back, 'deviceShare')).toBeUndefined()
    const other = await signIn(stolen)
    expect(other.user.id).not.toBe(owner.user.id)
  })

  test('4. then the old address restores with the passphrase, on a new device', async () => {
    const { owner, wallet } = await hardened()
    const stolen = newAddress()
    await changeAddress(owner, stolen)
    await press(owner.email)
    const back = await signIn(owner.email)
    expect(back.user).toEqual(owner.user)
    expect(await succeed(app, 'recover', {}, of(back))).toMatchObject({ recovery: passphrase })
    expect((await handIn(back, newWallet(), passphrase)).failure).toBe('BAD_PROOF')
    expect((await call(app, 'deviceShare', {}, of(back))).failure).toBe('EMAIL_ON_HOLD')
    expect((await handIn(back, wallet, passphrase)).status).toBe(200)
    expect(await failureOf(back, 'deviceShare')).toBeUndefined()
    expect((await succeed(app, 'session', {}, of(owner))).user.email).toBe(owner.email)
  })

  test('1. changed on the thief’s device: the old address alone restores', async () => {
    const { owner } = await withWallet()
    gateway.at += 20 * day
    const thief = await signIn(owner.email)
    const stolen = newAddress()
    await changeAddress({ ...thief, email: owner.email }, stolen)
    const second = await signIn(stolen)
    expect(await press(owner.email)).toContain('The account has its former address again')
    expect(await failureOf(thief, 'session')).toBe('DEVICE_REVOKED')
    expect(await failureOf(second, 'session')).toBe('DEVICE_REVOKED')
    expect(await failureOf(owner, 'deviceShare')).toBeUndefined()
    expect((await signIn(owner.email)).user).toEqual(owner.user)
    expect(await press(owner.email)).toContain('Stopped and signed out')
  })

  test('1. a device of less than seven days does not count as one that was there before', async () => {
    const { owner } = await withWallet()
    const thief = await signIn(owner.email)
    gateway.at += 7 * day - 3 * 60_000
    await changeAddress(thief, newAddress())
    expect(await press(owner.email)).toContain('The account has its former address again')
  })

  test('5. until the time is over it removes nothing of the owner', async () => {
    const { owner, wallet } = await withWallet()
    const stolen = newAddress()
    await changeAddress(owner, stolen)
    const thief = await signIn(stolen)
    const { id } = thief.user
    const otp = '000000'
    const recoveryProof = await wallet.choose(id, passphrase)
    const shares = await wallet.split('recovery', id, passphrase)
    for (const { failure } of [
      await call(app, 'deleteAccount', { otp }, of(thief)),
      await call(app, 'deletePrevious', { addresses: wallet.addresses, otp }, of(thief)),
      await call(app, 'revokeDevice', { id: await idOf(owner) }, of(thief)),
      await call(app, 'setRecovery', { recovery: passphrase, recoveryProof, shares, otp }, of(thief)),
      await call(app, 'emailChange', { email: newAddress() }, of(thief)),
    ])
      expect(failure).toBe('EMAIL_ON_HOLD')
    gateway.at += 8 * day
    const later = await signIn(stolen, thief.deviceToken)
    expect((await call(app, 'revokeDevice', { id: await idOf(owner) }, of(later))).failure).toBe('LAST_DEVICE')
  })

  test('4. a device that was removed since the change still counts', async () => {
    const { owner } = await withWallet()
    gateway.at += 30 * day
    const second = await signIn(owner.email)
    gateway.at += 8 * day
    const again = await signIn(owner.email, owner.deviceToken)
    await changeAddress(again, newAddress())
    // By a thief who holds the other device.
    await app.auth.sessions.endDevice(owner.user.id, await deviceIdOf(second))
    await press(owner.email)
    expect((await signIn(owner.email, second.deviceToken)).user).toEqual(owner.user)
  })
})

async function deviceIdOf({ deviceToken }: Visitor): Promise<string> {
  const rows = await app.database.orm.select().from(devices)
  return rows.find(({ tokenHash }) => tokenHash === hashSecret(deviceToken))?.id ?? ''
}

describe('the old address is the thief’s', () => {
  async function frozen(make: typeof withWallet) {
    const { owner, wallet } = await make()
    const present = newAddress()
    await changeAddress(owner, present)
    await press(owner.email)
    return { owner: { ...owner, email: present }, wallet, former: owner.email }
  }

  test('3. it freezes, and the owner’s device goes on', async () => {
    const { owner } = await frozen(withWallet)
    expect(await failureOf(owner, 'deviceShare')).toBeUndefined()
    const back = await signIn(owner.email, owner.deviceToken)
    expect(back.user).toMatchObject({ id: owner.user.id, email: owner.email })
    expect(await failureOf(back, 'recover')).toBe('EMAIL_ON_HOLD')
    const otp = await confirm({ ...back, email: owner.email }, 'delete')
    expect((await call(app, 'deleteAccount', { otp }, of(back))).failure).toBe('EMAIL_ON_HOLD')
  })

  test('4. it opens a session that gets nothing of a wallet with the default recovery', async () => {
    const { owner, wallet, former } = await frozen(withWallet)
    const thief = await signIn(former)
    expect(thief.user).toEqual({ ...owner.user, email: former })
    expect((await succeed(app, 'session', {}, of(thief))).user.email).toBe(former)
    expect(await failureOf(thief, 'recover')).toBe('EMAIL_ON_HOLD')
    const otp = '000000'
    const id = await idOf(owner)
    for (const { failure } of [
      await call(app, 'deviceShare', {}, of(thief)),
      await call(app, 'deleteAccount', { otp }, of(thief)),
      await call(app, 'revokeDevice', { id }, of(thief)),
      await call(app, 'emailChange', { email: newAddress() }, of(thief)),
      await call(app, 'confirm', { purpose: 'delete' }, of(thief)),
      await call(app, 'confirmExport', { otp }, of(thief)),
      await call(app, 'identityToken', { namespaces: ['eip155'], user: true }, of(thief)),
    ])
      expect(failure).toBe('EMAIL_ON_HOLD')
    expect((await handIn(thief, newWallet(), undefined)).failure).toBe('BAD_PROOF')
    expect((await succeed(app, 'wallet', {}, of(owner))).wallet?.addresses).toEqual(wallet.addresses)
  })

  test('4. of a wallet with a passphrase it gets only what the passphrase opens, and restores nothing', async () => {
    const { owner, former } = await frozen(hardened)
    const thief = await signIn(former)
    expect((await call(app, 'recover', {}, of(thief))).status).toBe(200)
    expect((await handIn(thief, newWallet(), passphrase)).failure).toBe('BAD_PROOF')
    expect((await succeed(app, 'session', {}, of(owner))).user.email).toBe(owner.email)
  })

  test('4. a passphrase that was chosen after the change restores nothing', async () => {
    const { owner, wallet } = await withWallet()
    const former = owner.email
    const present = newAddress()
    await changeAddress(owner, present)
    const { id } = owner.user
    const otp = await confirm({ ...owner, email: present }, 'recovery')
    const recoveryProof = await wallet.choose(id, passphrase)
    const shares = await wallet.split('recovery', id, passphrase)
    await succeed(app, 'setRecovery', { recovery: passphrase, recoveryProof, shares, otp }, of(owner))
    await press(former)
    const back = await signIn(former)
    expect((await handIn(back, wallet, passphrase)).status).toBe(200)
    expect((await succeed(app, 'session', {}, of(owner))).user.email).toBe(present)
  })

  test('1. it freezes once, for seven days; then the account has the new address', async () => {
    const { owner, former } = await frozen(withWallet)
    const link = notMeIn(app, former)
    const thief = await signIn(former)
    gateway.at += 5 * day
    await pressNotMe(app, link)
    gateway.at += 2 * day
    expect(await failureOf(thief, 'session')).toBe('SESSION_EXPIRED')
    expect(await failureOf(owner, 'deviceShare')).toBeUndefined()
    expect((await signIn(owner.email)).user.id).toBe(owner.user.id)
    expect(await (await pressNotMe(app, link)).text()).toContain('can no longer be undone')
    // An approved device of the freeze is a stranger again.
    const flow = await succeed(app, 'email', { email: owner.email, deviceToken: thief.deviceToken, origin })
    await app.auth.sweep()
    expect(flow.action).toBe('VERIFY_DEVICE')
    expect((await signIn(former)).user.id).not.toBe(owner.user.id)
  })

  test('1. seven days after the change it does nothing', async () => {
    const { owner } = await withWallet()
    const present = newAddress()
    await changeAddress(owner, present)
    gateway.at += 7 * day
    expect(await press(owner.email)).toContain('can no longer be undone')
    const again = await signIn(present)
    expect(again.user.id).toBe(owner.user.id)
    expect((await call(app, 'recover', {}, of(again))).status).toBe(200)
    expect(await failureOf(owner, 'deviceShare')).toBeUndefined()
  })

  test('1. the owner’s new device counts once the new address has signed in on one from before', async () => {
    const { owner } = await withWallet()
    gateway.at += 30 * day
    const young = await signIn(owner.email)
    const present = newAddress()
    await changeAddress(young, present)
    await signIn(present, owner.deviceToken)
    expect(await press(owner.email)).toContain('The account is frozen')
    expect(await refusalOf(present)).toBe('EMAIL_ON_HOLD')
    expect((await signIn(present, owner.deviceToken)).user.id).toBe(owner.user.id)
  })

  test('1. the owner’s new device counts once it has shown the passphrase', async () => {
    const { owner, wallet } = await hardened()
    gateway.at += 30 * day
    const young = await signIn(owner.email)
    const present = newAddress()
    await changeAddress(young, present)
    expect((await handIn(young, wallet, passphrase)).status).toBe(200)
    expect(await press(owner.email)).toContain('The account is frozen')
    // Signed out, not removed: it opens the wallet again after the freeze.
    expect(await failureOf(young, 'session')).toBe('SESSION_EXPIRED')
    gateway.at += 8 * day
    expect(await failureOf(await signIn(present, young.deviceToken), 'deviceShare')).toBeUndefined()
  })
})

describe('meanwhile', () => {
  test('6. the old address makes no account, no account takes it, and there is no second change', async () => {
    const { owner } = await withWallet()
    const present = newAddress()
    await changeAddress(owner, present)
    expect(await refusalOf(owner.email)).toBe('EMAIL_ON_HOLD')
    expect(await refusalOf(owner.email, owner.deviceToken)).toBe('EMAIL_ON_HOLD')
    const other = await signIn()
    await expect(changeAddress(other, owner.email)).rejects.toThrow('EMAIL_TAKEN')
    expect(await call(app, 'emailChange', { email: newAddress() }, of(owner))).toMatchObject({
      failure: 'EMAIL_ON_HOLD',
      retryAfter: (7 * day - (gateway.at - (await changedAt(owner)))) / 1_000,
    })
    gateway.at += 8 * day
    expect((await signIn(owner.email)).user.id).not.toBe(owner.user.id)
    await changeAddress({ ...owner, email: present }, newAddress())
  })

  test('7. the new address gives the account back, by the code’s email and by the notice', async () => {
    for (const subject of ['Confirm your new email', 'Your email address was changed']) {
      const { owner } = await withWallet()
      const stranger = newAddress()
      await changeAddress(owner, stranger)
      const mails = app.mails.filter((mail) => mail.subject === subject)
      const text = await (await pressNotMe(app, notMeIn({ mails }, stranger))).text()
      expect(text).toContain('The account no longer uses your address')
      expect((await succeed(app, 'session', {}, of(owner))).user).toEqual(owner.user)
      expect(await failureOf(owner, 'deviceShare')).toBeUndefined()
    }
  })

  test('both addresses are told the dates', async () => {
    const { owner } = await withWallet()
    const present = newAddress()
    await changeAddress(owner, present)
    const dates = [7, 14].map((days) =>
      new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' }).format(gateway.at + days * day),
    )
    for (const address of [owner.email, present]) {
      const { text } = app.mails.findLast(({ to }) => to === address) ?? { text: '' }
      for (const date of dates) expect(text).toContain(date)
      for (const other of [owner.email, present]) expect(text).not.toContain(other)
    }
  })

  test('what is over is deleted', async () => {
    const { owner } = await withWallet()
    await changeAddress(owner, newAddress())
    await press(owner.email)
    await signIn(owner.email)
    gateway.at += 8 * day
    await app.auth.sweep()
    const { orm } = app.database
    expect(await orm.select().from(addressChanges)).toEqual([])
    expect((await orm.select().from(sessions)).filter(({ isRestoring }) => isRestoring)).toEqual([])
    expect((await orm.select().from(devices)).filter(({ isRestoring }) => isRestoring)).toEqual([])
  })
})

async function changedAt({ user }: Visitor): Promise<number> {
  return (await app.auth.addressChanges.ofUser(user.id))?.changedAt.getTime() ?? 0
}
