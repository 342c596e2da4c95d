import type { Recovery, WalletApiBody } from '@postern/protocol'
import { describe, expect, test } from 'vitest'
import { everyRow } from '../../testing/databases'
import { call, succeed } from '../../testing/sign-in'
import { sessionOf, sharedGateway, type Visitor } from '../../testing/visitors'
import { newWallet, passphrase, type TestWallet } from '../../testing/wallet'

type Body = WalletApiBody<'replaceWallet'>

const gateway = await sharedGateway()
const { app, signIn, confirm } = gateway
const of = sessionOf

async function withWallet() {
  const visitor = await signIn()
  const old = newWallet()
  const shares = await old.split('create', visitor.user.id)
  await succeed(app, 'createWallet', { addresses: old.addresses, shares }, of(visitor))
  return { visitor, old, shares }
}

/** Made for the gateway, and then moved to a passphrase. */
async function withMovedRecovery() {
  const { visitor, old } = await withWallet()
  const { id } = visitor.user
  const recoveryProof = await old.choose(id, passphrase)
  const shares = await old.split('recovery', id, passphrase)
  const otp = await confirm(visitor, 'recovery')
  await succeed(app, 'setRecovery', { recovery: passphrase, recoveryProof, shares, otp }, of(visitor))
  return { visitor, old, shares }
}

/** Without the code. */
async function replacement(
  userId: string,
  old: TestWallet,
  next: TestWallet,
  recovery: Recovery = passphrase,
): Promise<Body> {
  return {
    addresses: next.addresses,
    recovery,
    recoveryProof: await next.choose(userId, recovery),
    shares: { ...(await next.split('replace', userId, recovery)), addressProof: await next.vouch(userId, 1) },
    signature: await old.replacedBy(userId, next.addresses),
  }
}

async function moved() {
  const given = await withMovedRecovery()
  const { visitor, old } = given
  const next = newWallet()
  const body = await replacement(visitor.user.id, old, next)
  const otp = await confirm(visitor, 'move')
  await succeed(app, 'replaceWallet', { ...body, otp }, of(visitor))
  return { ...given, next, body: { ...body, otp } }
}

const ofPrevious = { which: 'previous' } as const

describe('a replaced wallet', () => {
  test('is the previous one, with its rows; the new one has its own', async () => {
    const { visitor, old, shares, next, body } = await moved()
    const { wallet } = await succeed(app, 'wallet', {}, of(visitor))
    expect(wallet).toMatchObject({
      addresses: next.addresses,
      recovery: passphrase,
      recoveryProof: body.recoveryProof,
      addressProof: body.shares.addressProof,
      replaces: { from: old.addresses, signature: body.signature },
      isExposed: false,
      stale: false,
    })
    expect((await succeed(app, 'wallet', ofPrevious, of(visitor))).wallet).toMatchObject({
      addresses: old.addresses,
      recovery: passphrase,
      replaces: null,
      isExposed: true,
    })
    expect(await succeed(app, 'deviceShare', {}, of(visitor))).toEqual({ authShare: body.shares.authShare })
    expect(await succeed(app, 'deviceShare', ofPrevious, of(visitor))).toEqual({ authShare: shares.authShare })
  })

  test('is recovered and used on another device by the same rules', async () => {
    const { visitor, old, shares } = await moved()
    const second = await signIn(visitor.email)
    expect(await call(app, 'deviceShare', ofPrevious, of(second))).toMatchObject({ failure: 'DEVICE_REVOKED' })
    const { authShare, recoveryShare } = shares
    expect(await succeed(app, 'recover', ofPrevious, of(second))).toMatchObject({ authShare, recoveryShare })
    const own = await old.split('device', visitor.user.id, passphrase)
    await succeed(app, 'putDevice', { ...own, ...ofPrevious }, of(second))
    expect(await succeed(app, 'deviceShare', ofPrevious, of(second))).toEqual({ authShare: own.authShare })
    expect(await call(app, 'deviceShare', {}, of(second))).toMatchObject({ failure: 'DEVICE_REVOKED' })
    gateway.at += 10 * 60_000 + 1
    expect(await call(app, 'recover', ofPrevious, of(second))).toMatchObject({ failure: 'SIGN_IN_TOO_OLD' })
  })

  test('13. is not destroyed by a reader of the mail while the owner’s device uses it', async () => {
    const { visitor, old, shares } = await moved()
    const thief = await signIn(visitor.email)
    const { addresses } = old
    const otp = await confirm(thief, 'deletePrevious')
    expect(await call(app, 'deletePrevious', { addresses, otp }, of(thief))).toMatchObject({ failure: 'WALLET_IN_USE' })
    const forged = await newWallet().end(visitor.user.id, { what: 'deleted', generation: 1, at: 1 })
    const body = { addresses, otp, end: forged }
    expect(await call(app, 'deletePrevious', body, of(thief))).toMatchObject({ failure: 'BAD_PROOF' })
    expect(await succeed(app, 'deviceShare', ofPrevious, of(visitor))).toEqual({ authShare: shares.authShare })
    const end = await old.end(visitor.user.id, { what: 'deleted', generation: 1, at: 1 })
    await succeed(app, 'deletePrevious', { addresses, otp, end }, of(thief))
    expect(await succeed(app, 'wallet', ofPrevious, of(visitor))).toEqual({ wallet: null })
  })

  test('a repeated call changes nothing, and needs no second code', async () => {
    const { visitor, body } = await moved()
    const before = await everyRow(app.database)
    await succeed(app, 'replaceWallet', body, of(visitor))
    expect((await everyRow(app.database)).get('wallets')).toEqual(before.get('wallets'))
    expect((await everyRow(app.database)).get('auth_shares')).toEqual(before.get('auth_shares'))
  })

  test('of two replacements at once, one is accepted', async () => {
    const { visitor, old } = await withMovedRecovery()
    const bodies = [
      await replacement(visitor.user.id, old, newWallet()),
      await replacement(visitor.user.id, old, newWallet()),
    ]
    const otp = await confirm(visitor, 'move')
    const answers = await Promise.all(bodies.map((body) => call(app, 'replaceWallet', { ...body, otp }, of(visitor))))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    const winner = bodies[answers.findIndex(({ status }) => status === 200)]
    expect((await succeed(app, 'wallet', {}, of(visitor))).wallet?.addresses).toEqual(winner?.addresses)
    expect((await succeed(app, 'wallet', ofPrevious, of(visitor))).wallet?.addresses).toEqual(old.addresses)
  })

  test('another replacement waits until the previous wallet is deleted, which needs a code for that', async () => {
    const { visitor, old, next } = await moved()
    const again = await replacement(visitor.user.id, next, newWallet())
    const refused = { status: 409, failure: 'PREVIOUS_WALLET_EXISTS' }
    expect(await call(app, 'replaceWallet', again, of(visitor))).toMatchObject(refused)
    const { addresses } = old
    expect(await call(app, 'deletePrevious', { addresses }, of(visitor))).toMatchObject({ failure: 'WRONG_CODE' })
    const forExport = await confirm(visitor, 'export')
    expect((await call(app, 'deletePrevious', { addresses, otp: forExport }, of(visitor))).status).not.toBe(200)
    const forAccount = await confirm(visitor, 'delete')
    expect((await call(app, 'deletePrevious', { addresses, otp: forAccount }, of(visitor))).status).not.toBe(200)
    const otp = await confirm(visitor, 'deletePrevious')
    const current = { addresses: next.addresses, otp }
    expect(await call(app, 'deletePrevious', current, of(visitor))).toMatchObject({ failure: 'WALLET_NOT_FOUND' })
    await succeed(app, 'deletePrevious', { addresses, otp }, of(visitor))
    await succeed(app, 'deletePrevious', { addresses, otp }, of(visitor))
    expect(await succeed(app, 'wallet', ofPrevious, of(visitor))).toEqual({ wallet: null })
    await succeed(app, 'deviceShare', {}, of(visitor))
    await succeed(app, 'replaceWallet', { ...again, otp: await confirm(visitor, 'move') }, of(visitor))
  })

  test('goes with a removed device, but never with the last one that can recover it', async () => {
    const { visitor, next, old } = await moved()
    const second = await signIn(visitor.email)
    await succeed(app, 'putDevice', await next.split('device', visitor.user.id, passphrase), of(second))
    const { wallet } = await succeed(app, 'wallet', {}, of(second))
    const id = wallet?.devices.find(({ isThis }) => !isThis)?.id ?? ''
    const signature = await next.removes(visitor.user.id, id)
    expect(await call(app, 'revokeDevice', { id, signature }, of(second))).toMatchObject({ failure: 'LAST_DEVICE' })
    await succeed(
      app,
      'putDevice',
      { ...(await old.split('device', visitor.user.id, passphrase)), ...ofPrevious },
      of(second),
    )
    await succeed(app, 'revokeDevice', { id, signature }, of(second))
    for (const which of [{}, ofPrevious]) {
      const { wallet: left } = await succeed(app, 'wallet', which, of(second))
      expect(left?.devices.map(({ isThis }) => isThis)).toEqual([true])
    }
  })

  test('is deleted with the account', async () => {
    const { visitor, old, next } = await moved()
    await succeed(app, 'deleteAccount', { otp: await confirm(visitor, 'delete') }, of(visitor))
    const rows = [...(await everyRow(app.database)).values()].join()
    expect(rows).not.toContain(visitor.user.id)
    expect(rows).not.toContain(old.addresses.eip155)
    expect(rows).not.toContain(next.addresses.eip155)
  })
})

describe('11. a wallet is not replaced', () => {
  type SetUp = { readonly userId: string; readonly old: TestWallet; readonly next: TestWallet; readonly body: Body }
  const attacks: [string, (setUp: SetUp) => Promise<Body>][] = [
    [
      'without the old key',
      async ({ userId, next, body }) => ({ ...body, signature: await next.replacedBy(userId, next.addresses) }),
    ],
    ['by no signature', async ({ body }) => ({ ...body, signature: `0x${'00'.repeat(65)}` })],
    [
      'by the old key for other addresses',
      async ({ userId, old, body }) => ({ ...body, signature: await old.replacedBy(userId, newWallet().addresses) }),
    ],
    [
      'by the old key for another user',
      async ({ old, next, body }) => ({ ...body, signature: await old.replacedBy('another user', next.addresses) }),
    ],
    [
      'by the old key’s proof of its own addresses',
      async ({ userId, old, body }) => ({ ...body, signature: (await old.vouch(userId, 0)).signature }),
    ],
    [
      'by shares of another key',
      async ({ userId, body }) => ({
        ...body,
        shares: { ...body.shares, ...(await newWallet().split('replace', userId, passphrase)) },
      }),
    ],
    [
      'by shares for another action',
      async ({ userId, next, body }) => ({
        ...body,
        shares: { ...body.shares, ...(await next.split('create', userId, passphrase)) },
      }),
    ],
    [
      'by shares for the gateway',
      async ({ userId, next, body }) => ({
        ...body,
        shares: { ...body.shares, ...(await next.split('replace', userId)) },
      }),
    ],
    [
      'without the proof of the new addresses',
      async ({ body: { shares, ...body } }) => {
        const { addressProof: _, ...unproven } = shares
        return { ...body, shares: unproven }
      },
    ],
    [
      'by a choice of another key',
      async ({ userId, body }) => ({ ...body, recoveryProof: await newWallet().choose(userId, passphrase) }),
    ],
    [
      'by a later generation',
      async ({ userId, next, body }) => ({
        ...body,
        recoveryProof: await next.choose(userId, passphrase, 2),
        shares: { ...body.shares, addressProof: await next.vouch(userId, 2) },
      }),
    ],
    ['by the same wallet', async ({ userId, old }) => replacement(userId, old, old)],
  ]
  test.each(attacks)('%s, and the code is not used up', async (_, attack) => {
    const { visitor, old } = await withMovedRecovery()
    const userId = visitor.user.id
    const next = newWallet()
    const body = await replacement(userId, old, next)
    const otp = await confirm(visitor, 'move')
    const forged = await attack({ userId, old, next, body })
    expect(await call(app, 'replaceWallet', { ...forged, otp }, of(visitor))).toMatchObject({
      status: 403,
      failure: 'BAD_PROOF',
    })
    expect((await succeed(app, 'wallet', {}, of(visitor))).wallet?.addresses).toEqual(old.addresses)
    expect(await succeed(app, 'wallet', ofPrevious, of(visitor))).toEqual({ wallet: null })
    await succeed(app, 'replaceWallet', { ...body, otp }, of(visitor))
  })

  test('before its recovery moved away from the gateway', async () => {
    const { visitor, old } = await withWallet()
    const body = await replacement(visitor.user.id, old, newWallet())
    const otp = await confirm(visitor, 'move')
    expect(await call(app, 'replaceWallet', { ...body, otp }, of(visitor))).toMatchObject({
      failure: 'HARDENED_RECOVERY_REQUIRED',
    })
  })

  test('by one for the gateway', async () => {
    const { visitor, old } = await withMovedRecovery()
    const next = newWallet()
    const body = await replacement(visitor.user.id, old, next, { method: 'gateway' })
    const otp = await confirm(visitor, 'move')
    expect(await call(app, 'replaceWallet', { ...body, otp }, of(visitor))).toMatchObject({
      failure: 'HARDENED_RECOVERY_REQUIRED',
    })
  })

  test('by a session alone: without the code, or with one for something else', async () => {
    const { visitor, old } = await withMovedRecovery()
    const body = await replacement(visitor.user.id, old, newWallet())
    expect(await call(app, 'replaceWallet', body, of(visitor))).toMatchObject({ failure: 'WRONG_CODE' })
    for (const purpose of ['export', 'recovery'] as const) {
      const otp = await confirm(visitor, purpose)
      expect((await call(app, 'replaceWallet', { ...body, otp }, of(visitor))).status).not.toBe(200)
    }
    expect((await succeed(app, 'wallet', {}, of(visitor))).wallet?.addresses).toEqual(old.addresses)
  })

  test('by another user, with everything that the owner sends', async () => {
    const { visitor, old } = await withMovedRecovery()
    const { visitor: thief } = await withMovedRecovery()
    const body = await replacement(visitor.user.id, old, newWallet())
    const otp = await confirm(thief, 'move')
    expect(await call(app, 'replaceWallet', { ...body, otp }, of(thief))).toMatchObject({ failure: 'BAD_PROOF' })
  })

  test('by a removed device', async () => {
    const { visitor, old } = await withMovedRecovery()
    const second = await signIn(visitor.email)
    await succeed(app, 'putDevice', await old.split('device', visitor.user.id, passphrase), of(second))
    const body = { ...(await replacement(visitor.user.id, old, newWallet())), otp: await confirm(second, 'move') }
    const { wallet } = await succeed(app, 'wallet', {}, of(visitor))
    const id = wallet?.devices.find(({ isThis }) => !isThis)?.id ?? ''
    await succeed(app, 'revokeDevice', { id, signature: await old.removes(visitor.user.id, id) }, of(visitor))
    expect((await call(app, 'replaceWallet', body, of(second))).status).not.toBe(200)
    expect((await succeed(app, 'wallet', {}, of(visitor))).wallet?.addresses).toEqual(old.addresses)
  })

  test('by a replayed call, after the wallet has been replaced again', async () => {
    const { visitor, old, next, body } = await moved()
    await succeed(
      app,
      'deletePrevious',
      { addresses: old.addresses, otp: await confirm(visitor, 'deletePrevious') },
      of(visitor),
    )
    const last = newWallet()
    const again = await replacement(visitor.user.id, next, last)
    await succeed(app, 'replaceWallet', { ...again, otp: await confirm(visitor, 'move') }, of(visitor))
    await succeed(
      app,
      'deletePrevious',
      { addresses: next.addresses, otp: await confirm(visitor, 'deletePrevious') },
      of(visitor),
    )
    const replayed = { ...body, otp: await confirm(visitor, 'move') }
    expect(await call(app, 'replaceWallet', replayed, of(visitor))).toMatchObject({ failure: 'BAD_PROOF' })
    expect((await succeed(app, 'wallet', {}, of(visitor))).wallet?.addresses).toEqual(last.addresses)
  })
})

describe('a wallet is exposed', () => {
  const exposed = async (visitor: Visitor) => (await succeed(app, 'wallet', {}, of(visitor))).wallet?.isExposed

  test('from the start with the gateway, also after a move away from it', async () => {
    const { visitor, old } = await withWallet()
    expect(await exposed(visitor)).toBe(true)
    const { id } = visitor.user
    const recoveryProof = await old.choose(id, passphrase)
    const shares = await old.split('recovery', id, passphrase)
    const otp = await confirm(visitor, 'recovery')
    await succeed(app, 'setRecovery', { recovery: passphrase, recoveryProof, shares, otp }, of(visitor))
    expect(await exposed(visitor)).toBe(true)
  })

  test('once it moves to the gateway, not before', async () => {
    const { visitor, next } = await moved()
    expect(await exposed(visitor)).toBe(false)
    const { id } = visitor.user
    const recovery: Recovery = { method: 'gateway' }
    const recoveryProof = await next.choose(id, recovery, 2)
    const shares = await next.split('recovery', id, recovery)
    const otp = await confirm(visitor, 'recovery')
    await succeed(app, 'setRecovery', { recovery, recoveryProof, shares, otp }, of(visitor))
    expect(await exposed(visitor)).toBe(true)
  })
})
