import { type DeviceShares, type Recovery, type WalletApiBody, walletApi } from '@postern/protocol'
import { createLocalJWKSet, decodeJwt, decodeProtectedHeader, jwtVerify } from 'jose'
import { beforeAll, describe, expect, test } from 'vitest'
import { ProjectInput } from '../../projects/project'
import { walletOrigin } from '../../testing/app'
import { everyRow } from '../../testing/databases'
import { call, newToken, sessionHeaders, signInByEmail, succeed } from '../../testing/sign-in'
import { sessionOf, sharedGateway, type Visitor } from '../../testing/visitors'
import { newWallet, passphrase, type TestWallet } from '../../testing/wallet'

const gateway = await sharedGateway()
const { app, signIn, confirm } = gateway
const of = sessionOf

async function withWallet(): Promise<{ visitor: Visitor; wallet: TestWallet; shares: DeviceShares }> {
  const visitor = await signIn()
  const wallet = newWallet()
  const shares = await wallet.split('create', visitor.user.id)
  await succeed(app, 'createWallet', { addresses: wallet.addresses, shares }, of(visitor))
  return { visitor, wallet, shares }
}

describe('a wallet', () => {
  test('is null before it is created, then is returned as created', async () => {
    const visitor = await signIn()
    expect(await succeed(app, 'wallet', {}, of(visitor))).toEqual({ wallet: null })
    expect(await call(app, 'deviceShare', {}, of(visitor))).toMatchObject({ status: 404, failure: 'WALLET_NOT_FOUND' })
    expect(await call(app, 'recover', {}, of(visitor))).toMatchObject({ status: 404, failure: 'WALLET_NOT_FOUND' })
    const wallet = newWallet()
    const shares = await wallet.split('create', visitor.user.id)
    await succeed(app, 'createWallet', { addresses: wallet.addresses, shares }, of(visitor))
    expect(await succeed(app, 'wallet', {}, of(visitor))).toEqual({
      wallet: {
        addresses: wallet.addresses,
        recovery: { method: 'gateway' },
        recoveryProof: null,
        addressProof: null,
        replaces: null,
        isExposed: true,
        recoveries: [],
        stale: false,
        devices: [
          { id: expect.any(String), name: 'Chrome on Linux', createdAt: gateway.at, usedAt: gateway.at, isThis: true },
        ],
      },
    })
    expect(await succeed(app, 'deviceShare', {}, of(visitor))).toEqual({ authShare: shares.authShare })
  })

  test('is named to a dapp’s server: by a user id of the project, and the addresses asked for', async () => {
    const visitor = await signIn()
    const claimsOf = async (namespaces: ('eip155' | 'solana' | 'bip122')[]) => {
      const { token } = await succeed(app, 'identityToken', { namespaces }, of(visitor))
      expect(decodeProtectedHeader(token).typ).toBe('postern-identity+jwt')
      const keys = createLocalJWKSet({ keys: [...(await app.auth.identityTokens.jwks()).keys] })
      const { payload } = await jwtVerify(token, keys, {
        ...{ issuer: walletOrigin, audience: 'demo', typ: 'postern-identity+jwt' },
        currentDate: new Date(gateway.at),
      })
      return payload
    }
    const first = await claimsOf(['eip155'])
    expect(first.addresses).toEqual({})
    const wallet = newWallet()
    const shares = await wallet.split('create', visitor.user.id)
    await succeed(app, 'createWallet', { addresses: wallet.addresses, shares }, of(visitor))
    const { sub, addresses, exp = 0, iat = 0 } = await claimsOf(['eip155', 'solana'])
    expect(addresses).toEqual({ eip155: wallet.addresses.eip155, solana: wallet.addresses.solana })
    expect(exp - iat).toBe(600)
    expect(sub).toBe(first.sub)
    expect(sub).not.toBe(visitor.user.id)
    const elsewhere = { userId: visitor.user.id, projectId: 'other', addresses: {}, sessionEndsAt: gateway.at + 1e6 }
    expect(decodeJwt(await app.auth.identityTokens.signForDapp(elsewhere)).sub).not.toBe(sub)
    expect(await call(app, 'identityToken', { namespaces: [] }, { token: newToken() })).toMatchObject({ status: 401 })
  })

  test('is created once, even by two tabs at once; a repeated call changes nothing', async () => {
    const visitor = await signIn()
    const make = async () => {
      const wallet = newWallet()
      return { addresses: wallet.addresses, shares: await wallet.split('create', visitor.user.id) }
    }
    const bodies = [await make(), await make()]
    const answers = await Promise.all(bodies.map((body) => call(app, 'createWallet', body, of(visitor))))
    expect(answers.map(({ failure }) => failure).sort()).toEqual(['WALLET_EXISTS', undefined])
    const winner = bodies[answers.findIndex(({ status }) => status === 200)]
    if (winner === undefined) throw new Error('No call won')
    await succeed(app, 'createWallet', winner, of(visitor))
    expect((await succeed(app, 'wallet', {}, of(visitor))).wallet?.addresses).toEqual(winner.addresses)
  })

  test('is recovered on a second device, which gets its own split', async () => {
    const { visitor, wallet, shares } = await withWallet()
    const second = await signIn(visitor.email)
    expect(await call(app, 'deviceShare', {}, of(second))).toMatchObject({ failure: 'DEVICE_REVOKED' })
    const { authShare, recoveryShare } = shares
    expect(await succeed(app, 'recover', {}, of(second))).toEqual({
      authShare,
      recoveryShare,
      recovery: { method: 'gateway' },
      recoveryProof: null,
    })
    const own = await wallet.split('device', visitor.user.id)
    await succeed(app, 'putDevice', own, of(second))
    expect(await succeed(app, 'deviceShare', {}, of(second))).toEqual({ authShare: own.authShare })
    expect(await succeed(app, 'deviceShare', {}, of(visitor))).toEqual({ authShare })
    const { wallet: listed } = await succeed(app, 'wallet', {}, of(second))
    expect(listed?.devices.map(({ isThis }) => isThis)).toEqual([true, false])
  })
})

describe('1. only the session determines the wallet', () => {
  const calls: [string, 'wallet' | 'deviceShare' | 'recover'][] = [
    ['the wallet', 'wallet'],
    ['a share', 'deviceShare'],
    ['both shares', 'recover'],
  ]
  test.each(calls)('%s requires a session', async (_, name) => {
    expect(await call(app, name, {})).toMatchObject({ status: 401, failure: 'SESSION_EXPIRED' })
    expect(await call(app, name, {}, { token: newToken() })).toMatchObject({ status: 401, failure: 'SESSION_EXPIRED' })
  })

  test.each(calls)('%s of another user is not returned for an id in the body', async (_, name) => {
    const { visitor, shares } = await withWallet()
    const thief = await signIn()
    const answer = await app.request(`${walletOrigin}${walletApi[name].path}?projectId=demo`, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        ...(await sessionHeaders(app, `${walletOrigin}${walletApi[name].path}`, thief.sessionToken)),
      },
      body: JSON.stringify({ userId: visitor.user.id, user_id: visitor.user.id, id: visitor.user.id }),
    })
    const text = await answer.text()
    expect(text).not.toContain(shares.authShare)
    expect(text).not.toContain(shares.recoveryShare)
  })

  test('a user cannot remove another user’s device', async () => {
    const { visitor } = await withWallet()
    const { visitor: thief } = await withWallet()
    const { wallet } = await succeed(app, 'wallet', {}, of(visitor))
    await call(app, 'revokeDevice', { id: wallet?.devices[0]?.id ?? '' }, of(thief))
    await succeed(app, 'deviceShare', {}, of(visitor))
  })
})

describe('2. shares require a proof by the wallet’s key', () => {
  const attacks: [string, (setUp: Awaited<ReturnType<typeof withWallet>>) => Promise<WalletApiBody<'putDevice'>>][] = [
    ['by another key', ({ visitor }) => newWallet().split('device', visitor.user.id)],
    ['for another user', ({ wallet }) => wallet.split('device', 'another user')],
    ['for another action', ({ visitor, wallet }) => wallet.split('create', visitor.user.id)],
    ['for another method', ({ visitor, wallet }) => wallet.split('device', visitor.user.id, passphrase)],
    ['that was used before', async ({ shares }) => shares],
    [
      'over other shares',
      async ({ visitor, wallet }) => ({
        ...(await wallet.split('device', visitor.user.id)),
        authShare: Buffer.alloc(17).toString('base64url'),
      }),
    ],
    [
      'that is no signature',
      async ({ visitor, wallet }) => ({
        ...(await wallet.split('device', visitor.user.id)),
        proof: `0x${'00'.repeat(65)}`,
      }),
    ],
  ]
  test.each(attacks)('rejects a proof %s', async (_, attack) => {
    const setUp = await withWallet()
    const body = await attack(setUp)
    const second = await signIn(setUp.visitor.email)
    expect(await call(app, 'putDevice', body, of(second))).toMatchObject({ status: 403, failure: 'BAD_PROOF' })
    expect(await succeed(app, 'deviceShare', {}, of(setUp.visitor))).toEqual({ authShare: setUp.shares.authShare })
  })

  test('a wallet requires a proof by the address that it names', async () => {
    const visitor = await signIn()
    const shares = await newWallet().split('create', visitor.user.id)
    const body = { addresses: newWallet().addresses, shares }
    expect(await call(app, 'createWallet', body, of(visitor))).toMatchObject({ failure: 'BAD_PROOF' })
  })

  test('an old split cannot replace a newer one', async () => {
    const { visitor, wallet } = await withWallet()
    const old = await wallet.split('device', visitor.user.id)
    await succeed(app, 'putDevice', old, of(visitor))
    const current = await wallet.split('device', visitor.user.id)
    await succeed(app, 'putDevice', current, of(visitor))
    expect(await call(app, 'putDevice', old, of(visitor))).toMatchObject({ failure: 'BAD_PROOF' })
    await succeed(app, 'putDevice', current, of(visitor))
    expect(await succeed(app, 'deviceShare', {}, of(visitor))).toEqual({ authShare: current.authShare })
  })
})

test('3. returns both shares only after a fresh sign-in', async () => {
  const { visitor } = await withWallet()
  await succeed(app, 'recover', {}, of(visitor))
  gateway.at += 10 * 60_000 + 1
  expect(await call(app, 'recover', {}, of(visitor))).toMatchObject({ status: 401, failure: 'SIGN_IN_TOO_OLD' })
  await succeed(app, 'deviceShare', {}, of(visitor))
})

describe('4. and 6. a removed device', () => {
  test('gets no share with its old session, and cannot store one', async () => {
    const { visitor, wallet } = await withWallet()
    const second = await signIn(visitor.email)
    const own = await wallet.split('device', visitor.user.id)
    await succeed(app, 'putDevice', own, of(second))
    const { wallet: listed } = await succeed(app, 'wallet', {}, of(visitor))
    const id = listed?.devices.find(({ isThis }) => !isThis)?.id ?? ''
    await succeed(app, 'revokeDevice', { id }, of(visitor))
    for (const name of ['deviceShare', 'recover', 'wallet'] as const) {
      expect(await call(app, name, {}, of(second))).toMatchObject({ status: 403, failure: 'DEVICE_REVOKED' })
    }
    expect(await call(app, 'putDevice', own, of(second))).toMatchObject({ failure: 'DEVICE_REVOKED' })
    expect((await succeed(app, 'wallet', {}, of(visitor))).wallet?.devices).toHaveLength(1)
  })

  test('can return as a new device after another sign-in', async () => {
    const { visitor, wallet } = await withWallet()
    const second = await signIn(visitor.email)
    await succeed(app, 'putDevice', await wallet.split('device', visitor.user.id), of(second))
    const { wallet: listed } = await succeed(app, 'wallet', {}, of(visitor))
    const id = listed?.devices.find(({ isThis }) => !isThis)?.id ?? ''
    await succeed(app, 'revokeDevice', { id }, of(visitor))
    gateway.at += 60_000
    const again = { ...(await signInByEmail(app, visitor.email, second.deviceToken)), email: visitor.email }
    expect(await call(app, 'deviceShare', {}, of(again))).toMatchObject({ failure: 'DEVICE_REVOKED' })
    await succeed(app, 'putDevice', await wallet.split('device', visitor.user.id), of(again))
    await succeed(app, 'deviceShare', {}, of(again))
  })

  test('cannot store a split whose body arrives after the removal', async () => {
    const { visitor, wallet } = await withWallet()
    const second = await signIn(visitor.email)
    await succeed(app, 'putDevice', await wallet.split('device', visitor.user.id), of(second))
    const { wallet: listed } = await succeed(app, 'wallet', {}, of(visitor))
    const id = listed?.devices.find(({ isThis }) => !isThis)?.id ?? ''
    const body = new TextEncoder().encode(JSON.stringify(await wallet.split('device', visitor.user.id)))
    let removed = false
    const slow = new ReadableStream<Uint8Array>(
      {
        // Not read before the session is checked.
        async pull(controller) {
          await succeed(app, 'revokeDevice', { id }, of(visitor))
          removed = true
          controller.enqueue(body)
          controller.close()
        },
      },
      { highWaterMark: 0 },
    )
    const init: RequestInit & { readonly duplex: 'half' } = {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        'Content-Length': String(body.length),
        ...(await sessionHeaders(app, `${walletOrigin}${walletApi.putDevice.path}`, second.sessionToken)),
      },
      body: slow,
      duplex: 'half',
    }
    const answer = await app.request(`${walletOrigin}${walletApi.putDevice.path}?projectId=demo`, init)
    expect(removed).toBe(true)
    expect(answer.status).toBe(403)
    expect(await answer.text()).toContain('DEVICE_REVOKED')
    expect((await succeed(app, 'wallet', {}, of(visitor))).wallet?.devices).toHaveLength(1)
  })

  test('cannot be the last one', async () => {
    const { visitor } = await withWallet()
    const { wallet } = await succeed(app, 'wallet', {}, of(visitor))
    const body = { id: wallet?.devices[0]?.id ?? '' }
    expect(await call(app, 'revokeDevice', body, of(visitor))).toMatchObject({ status: 409, failure: 'LAST_DEVICE' })
    await succeed(app, 'deviceShare', {}, of(visitor))
  })
})

describe('5. a confirmation', () => {
  test('is used up by a new recovery method, which makes other devices stale until their next split', async () => {
    const { visitor, wallet } = await withWallet()
    const second = await signIn(visitor.email)
    await succeed(app, 'putDevice', await wallet.split('device', visitor.user.id), of(second))
    const shares = await wallet.split('recovery', visitor.user.id, passphrase)
    const recoveryProof = await wallet.choose(visitor.user.id, passphrase)
    const body = { recovery: passphrase, recoveryProof, shares }
    expect(await call(app, 'setRecovery', body, of(visitor))).toMatchObject({ failure: 'WRONG_CODE' })
    const otp = await confirm(visitor, 'recovery')
    await succeed(app, 'setRecovery', { ...body, otp }, of(visitor))
    // A retry without a response.
    await succeed(app, 'setRecovery', { ...body, otp }, of(visitor))
    expect((await succeed(app, 'wallet', {}, of(visitor))).wallet).toMatchObject({
      recovery: passphrase,
      recoveryProof,
      stale: false,
    })
    expect((await succeed(app, 'wallet', {}, of(second))).wallet).toMatchObject({ stale: true })
    const own = await wallet.split('device', visitor.user.id, passphrase)
    await succeed(app, 'putDevice', own, of(second))
    expect((await succeed(app, 'wallet', {}, of(second))).wallet).toMatchObject({ stale: false })
    const third = await signIn(visitor.email)
    expect(await succeed(app, 'recover', {}, of(third))).toMatchObject({ recovery: passphrase, recoveryProof })
  })

  test('is valid for one purpose only', async () => {
    const { visitor } = await withWallet()
    const otp = await confirm(visitor, 'export')
    expect((await call(app, 'deleteAccount', { otp }, of(visitor))).status).not.toBe(200)
    await succeed(app, 'confirmExport', { otp }, of(visitor))
    expect(await call(app, 'confirmExport', { otp }, of(visitor))).toMatchObject({ failure: 'CODE_SPENT' })
  })

  test('of another user is not valid', async () => {
    const { visitor } = await withWallet()
    const thief = await signIn()
    const otp = await confirm(visitor, 'export')
    expect((await call(app, 'confirmExport', { otp }, of(thief))).status).not.toBe(200)
  })

  test('deletes the account with all of its rows', async () => {
    const { visitor, wallet } = await withWallet()
    const second = await signIn(visitor.email)
    await succeed(app, 'putDevice', await wallet.split('device', visitor.user.id), of(second))
    expect(await call(app, 'deleteAccount', {}, of(visitor))).toMatchObject({ failure: 'WRONG_CODE' })
    await succeed(app, 'deleteAccount', { otp: await confirm(visitor, 'delete') }, of(visitor))
    expect(await call(app, 'wallet', {}, of(visitor))).toMatchObject({ failure: 'SESSION_EXPIRED' })
    expect(await call(app, 'deviceShare', {}, of(second))).toMatchObject({ failure: 'SESSION_EXPIRED' })
    const rows = [...(await everyRow(app.database)).values()].join()
    expect(rows).not.toContain(visitor.user.id)
    expect(rows).not.toContain(wallet.addresses.eip155)
  })
})

describe('a wallet with a chosen recovery method', () => {
  async function withChoice(recovery: Recovery = passphrase) {
    const visitor = await signIn()
    const wallet = newWallet()
    const { id } = visitor.user
    const chosen = { recovery, recoveryProof: await wallet.choose(id, recovery) }
    const shares = await wallet.split('create', id, recovery)
    const addressProof = await wallet.vouch(id, 1)
    const body = { addresses: wallet.addresses, shares: { ...shares, addressProof }, chosen }
    return { visitor, wallet, body }
  }

  test('7. is created with its choice in one call', async () => {
    const { visitor, body } = await withChoice()
    await succeed(app, 'createWallet', body, of(visitor))
    await succeed(app, 'createWallet', body, of(visitor))
    expect((await succeed(app, 'wallet', {}, of(visitor))).wallet).toMatchObject({
      ...body.chosen,
      addressProof: body.shares.addressProof,
      stale: false,
    })
    const { recoveryShare } = body.shares
    expect(await succeed(app, 'recover', {}, of(visitor))).toMatchObject({ recoveryShare, ...body.chosen })
  })

  test('7. needs the proof of the choice, and shares for that choice, by the wallet’s key', async () => {
    const { visitor, wallet, body } = await withChoice()
    const { id } = visitor.user
    const other = newWallet()
    const unproven = { recovery: passphrase, recoveryProof: await other.choose(id, passphrase) }
    const forGateway = { ...(await wallet.split('create', id)), addressProof: body.shares.addressProof }
    const ofOtherGeneration = { ...body.shares, addressProof: await wallet.vouch(id, 0) }
    for (const attack of [
      { ...body, chosen: unproven },
      { ...body, shares: forGateway },
      { ...body, shares: ofOtherGeneration },
      { addresses: body.addresses, shares: body.shares },
    ])
      expect(await call(app, 'createWallet', attack, of(visitor))).toMatchObject({ failure: 'BAD_PROOF' })
    expect(await succeed(app, 'wallet', {}, of(visitor))).toEqual({ wallet: null })
  })

  describe('8. in a project that requires a passkey or passphrase', () => {
    const required = { status: 403, failure: 'HARDENED_RECOVERY_REQUIRED' }
    const there = (visitor: Visitor) => ({ ...of(visitor), projectId: 'hardened' })
    beforeAll(async () => {
      const allowedOrigins = ['https://app.example.com']
      const hardened = { id: 'hardened', name: 'Hardened', allowedOrigins, recovery: 'hardened' }
      await app.projects.add(ProjectInput.parse(hardened))
    })

    test('no wallet is created for the gateway, with or without a proof of that choice', async () => {
      const { visitor, wallet, body } = await withChoice({ method: 'gateway' })
      expect(await call(app, 'createWallet', body, there(visitor))).toMatchObject(required)
      const shares = await wallet.split('create', visitor.user.id)
      const plain = { addresses: wallet.addresses, shares }
      expect(await call(app, 'createWallet', plain, there(visitor))).toMatchObject(required)
      expect((await everyRow(app.database)).get('wallets')).not.toContain(wallet.addresses.eip155)
    })

    test('a wallet with a passphrase is created, and cannot move to the gateway', async () => {
      const { visitor, wallet, body } = await withChoice()
      const { id } = visitor.user
      await succeed(app, 'createWallet', body, there(visitor))
      const recovery: Recovery = { method: 'gateway' }
      const move = {
        recovery,
        recoveryProof: await wallet.choose(id, recovery, 2),
        shares: await wallet.split('recovery', id, recovery),
        otp: await confirm(visitor, 'recovery'),
      }
      expect(await call(app, 'setRecovery', move, there(visitor))).toMatchObject(required)
      expect((await succeed(app, 'wallet', {}, of(visitor))).wallet?.recovery).toEqual(passphrase)
    })
  })
})

describe('7. a new recovery method', () => {
  type WalletSetUp = Awaited<ReturnType<typeof withWallet>>
  type Body = WalletApiBody<'setRecovery'>
  async function moved({ visitor, wallet }: WalletSetUp, generation: number): Promise<Body> {
    const { id } = visitor.user
    return {
      recovery: passphrase,
      recoveryProof: await wallet.choose(id, passphrase, generation),
      shares: await wallet.split('recovery', id, passphrase),
    }
  }
  const attacks: [string, (setUp: WalletSetUp) => Promise<Body['recoveryProof']>][] = [
    ['of another key', ({ visitor }) => newWallet().choose(visitor.user.id, passphrase)],
    ['of another user', ({ wallet }) => wallet.choose('another user', passphrase)],
    ['of another method', ({ visitor, wallet }) => wallet.choose(visitor.user.id, { method: 'gateway' })],
    [
      'of another generation',
      async ({ visitor, wallet }) => ({ ...(await wallet.choose(visitor.user.id, passphrase, 1)), generation: 2 }),
    ],
    ['that uses up the generations', ({ visitor, wallet }) => wallet.choose(visitor.user.id, passphrase, 1_001)],
    ['that is no signature', async () => ({ generation: 1, signature: `0x${'00'.repeat(65)}` })],
    [
      'that is the shares’ own',
      async ({ visitor, wallet }) => ({
        generation: 1,
        signature: (await wallet.split('recovery', visitor.user.id, passphrase)).proof,
      }),
    ],
  ]
  test.each(attacks)('with a choice %s is rejected, and uses up no code', async (_, attack) => {
    const setUp = await withWallet()
    const { visitor } = setUp
    const otp = await confirm(visitor, 'recovery')
    const body = { ...(await moved(setUp, 1)), otp }
    const forged = { ...body, recoveryProof: await attack(setUp) }
    expect(await call(app, 'setRecovery', forged, of(visitor))).toMatchObject({ failure: 'BAD_PROOF' })
    expect((await succeed(app, 'wallet', {}, of(visitor))).wallet?.recovery).toEqual({ method: 'gateway' })
    await succeed(app, 'setRecovery', body, of(visitor))
  })

  test('cannot be replaced by an earlier choice', async () => {
    const setUp = await withWallet()
    const { visitor, wallet } = setUp
    const { id } = visitor.user
    await succeed(
      app,
      'setRecovery',
      { ...(await moved(setUp, 1)), otp: await confirm(visitor, 'recovery') },
      of(visitor),
    )
    const recovery: Recovery = { method: 'gateway' }
    const back = {
      recovery,
      recoveryProof: await wallet.choose(id, recovery, 2),
      shares: await wallet.split('recovery', id, recovery),
    }
    await succeed(app, 'setRecovery', { ...back, otp: await confirm(visitor, 'recovery') }, of(visitor))
    const again = { ...(await moved(setUp, 1)), otp: await confirm(visitor, 'recovery') }
    expect(await call(app, 'setRecovery', again, of(visitor))).toMatchObject({ failure: 'BAD_PROOF' })
    expect((await succeed(app, 'wallet', {}, of(visitor))).wallet).toMatchObject({
      recovery,
      recoveryProof: back.recoveryProof,
    })
  })
})

test('no share is in the database or log in plain text', async () => {
  const { visitor, wallet, shares } = await withWallet()
  const own = await wallet.split('device', visitor.user.id)
  await succeed(app, 'putDevice', own, of(visitor))
  await succeed(app, 'recover', {}, of(visitor))
  await call(app, 'putDevice', shares, of(visitor))
  const rows = [...(await everyRow(app.database)).values()].join()
  expect(rows).toContain(visitor.user.id)
  for (const secret of [
    shares.authShare,
    shares.recoveryShare,
    own.authShare,
    own.recoveryShare,
    visitor.sessionToken,
  ]) {
    for (const encoding of [secret, Buffer.from(secret, 'base64url').toString('hex')]) {
      expect(rows).not.toContain(encoding)
      expect(app.log()).not.toContain(encoding)
    }
  }
  expect(app.log()).not.toContain(visitor.user.id)
})

describe('the proof of the addresses', () => {
  const addressProofOf = async (visitor: Visitor) =>
    (await succeed(app, 'wallet', {}, of(visitor))).wallet?.addressProof ?? null

  test('9. comes with a split or alone, by the wallet’s key, for the user and the current generation', async () => {
    const { visitor, wallet } = await withWallet()
    const userId = visitor.user.id
    expect(await addressProofOf(visitor)).toBeNull()
    const stranger = newWallet()
    for (const lie of [
      await stranger.vouch(userId, 0),
      await wallet.vouch('another user', 0),
      await wallet.vouch(userId, 1),
    ]) {
      expect(await call(app, 'proveAddresses', lie, of(visitor))).toMatchObject({ failure: 'BAD_PROOF' })
      const shares = { ...(await wallet.split('device', userId)), addressProof: lie }
      expect(await call(app, 'putDevice', shares, of(visitor))).toMatchObject({ failure: 'BAD_PROOF' })
    }
    expect(await addressProofOf(visitor)).toBeNull()
    const proof = await wallet.vouch(userId, 0)
    await succeed(app, 'proveAddresses', proof, of(visitor))
    expect(await addressProofOf(visitor)).toEqual(proof)
  })

  test('9. is replaced with the recovery method, or gone', async () => {
    const { visitor, wallet } = await withWallet()
    const userId = visitor.user.id
    await succeed(app, 'proveAddresses', await wallet.vouch(userId, 0), of(visitor))
    for (const addressProof of [await wallet.vouch(userId, 1), undefined]) {
      const generation = addressProof?.generation ?? 2
      const shares = { ...(await wallet.split('recovery', userId, passphrase)), addressProof }
      const recoveryProof = await wallet.choose(userId, passphrase, generation)
      const otp = await confirm(visitor, 'recovery')
      await succeed(app, 'setRecovery', { recovery: passphrase, recoveryProof, shares, otp }, of(visitor))
      expect(await addressProofOf(visitor)).toEqual(addressProof ?? null)
    }
  })
})
