import { type WalletAddresses, type WalletApiCall, type WalletEnd, walletApi } from '@postern/protocol'
import { base64urlnopad } from '@scure/base'
import { describe, expect, it } from 'vitest'
import { utf8 } from './keys/bytes'
import { openDeviceShare } from './keys/device-share'
import { createRecoveryKey, openRecoveryKey } from './keys/recovery-key'
import { signingWorker } from './keys/signing-worker'
import { type FakeGateway, fakeGateway, refusal } from './testing/fake-gateway'
import { count, move, names, open, ownersMethod, passphrase, sign } from './testing/steps'
import { forgetEnded, newStorage, removeDevice, storedShare, storeIn, testFrame } from './testing/test-frame'
import { openedWindow } from './testing/test-window'

const alice = 'email-alice@example.com'

/** A wallet of one device, whose page is then closed. */
async function oneDevice() {
  const gateway = fakeGateway()
  const storage = newStorage()
  const first = testFrame({ gateway, storage })
  const address = await open(first)
  const { wallet } = gateway.user('alice@example.com')
  if (wallet === null) throw new Error('a wallet expected')
  return { gateway, storage, wallet, address, first, next: () => testFrame({ gateway, storage }) }
}

/** A copy of what the gateway's database holds. */
function backupOf({ wallet }: Pick<Awaited<ReturnType<typeof oneDevice>>, 'wallet'>) {
  const { recovery, recoveryProof, addressProof } = wallet
  const rows = [...wallet.rows].map(([token, row]) => [token, { ...row }] as const)
  return () => Object.assign(wallet, { recovery, recoveryProof, addressProof, rows: new Map(rows) })
}

const written = (gateway: ReturnType<typeof fakeGateway>) =>
  gateway.calls.filter(({ name }) =>
    (['createWallet', 'putDevice', 'setRecovery'] as readonly WalletApiCall[]).includes(name),
  ).length

/** The call takes effect, and its answer says that it did not. */
function acceptsThenRefuses(gateway: FakeGateway, name: WalletApiCall): FakeGateway {
  return {
    ...gateway,
    async fetch(input, init) {
      const response = await gateway.fetch(input, init)
      return String(input).startsWith(walletApi[name].path) ? refusal('TOO_MANY_ATTEMPTS') : response
    },
  }
}

describe('a gateway that lies to a device with a share', () => {
  it('1. cannot replace the wallet by saying that the user has no wallet', async () => {
    const { gateway, storage, address, first, next } = await oneDevice()
    await move(first, await ownersMethod())
    first.end()
    const before = await storedShare(storage, alice)
    const calls = written(gateway)
    const stop = gateway.interrupt('wallet', () => Response.json({ wallet: null }))
    await expect(next().ask('GET_USER', undefined)).rejects.toMatchObject({ code: 'WALLET_NOT_REPORTED' })
    expect(written(gateway)).toBe(calls)
    expect(await storedShare(storage, alice)).toEqual(before)
    stop()
    const frame = next()
    expect((await frame.ask('GET_USER', undefined)).address).toBe(address)
    await sign(frame)
  })

  it.each([
    ['eip155', '0x000000000000000000000000000000000000dEaD'],
    ['solana', '11111111111111111111111111111112'],
    ['bip122', `02${'ab'.repeat(32)}`],
  ])('2. cannot show another %s address', async (namespace, address) => {
    const { storage, wallet, first, next } = await oneDevice()
    first.end()
    const before = await storedShare(storage, alice)
    const real = wallet.addresses
    Object.assign(wallet, { addresses: { ...real, [namespace]: address } })
    await expect(next().ask('GET_USER', undefined)).rejects.toMatchObject({ code: 'WALLET_ADDRESSES_CHANGED' })
    expect(await storedShare(storage, alice)).toEqual(before)
    Object.assign(wallet, { addresses: real })
    await sign(next())
  })

  it('2. cannot show another address by hiding the row', async () => {
    const { gateway, storage, wallet, first, next } = await oneDevice()
    first.end()
    const before = await storedShare(storage, alice)
    const stranger = testFrame({ gateway })
    await stranger.signIn('mallory@example.com')
    await stranger.ask('GET_USER', undefined)
    const real = { ...wallet }
    Object.assign(wallet, gateway.user('mallory@example.com').wallet)
    await expect(next().ask('GET_USER', undefined)).rejects.toMatchObject({ code: 'WALLET_ADDRESSES_CHANGED' })
    expect(await storedShare(storage, alice)).toEqual(before)
    Object.assign(wallet, real)
    await sign(next())
  })

  it('3. cannot go back to an earlier choice of the user', async () => {
    const device = await oneDevice()
    const { gateway, storage, first, next } = device
    const restore = backupOf(device)
    await move(first, await ownersMethod())
    first.end()
    const before = await storedShare(storage, alice)
    const undo = backupOf(device)
    const calls = written(gateway)
    restore()
    await expect(next().ask('GET_USER', undefined)).rejects.toMatchObject({ code: 'WALLET_ROLLED_BACK' })
    expect(written(gateway)).toBe(calls)
    expect(await storedShare(storage, alice)).toEqual(before)
    undo()
    await sign(next())
  })

  it('4. cannot make it drop a share that does not match a restored row', async () => {
    const { gateway, storage, wallet, address, first, next } = await oneDevice()
    await open(testFrame({ gateway }))
    const [mine, theirs] = [...wallet.rows.values()]
    if (mine === undefined || theirs === undefined) throw new Error('two rows expected')
    const before = await storedShare(storage, alice)
    const real = mine.authShare
    mine.authShare = theirs.authShare
    for (const _ of [1, 2]) await expect(sign(first)).rejects.toMatchObject({ code: 'WALLET_KEY_MISMATCH' })
    expect((await storedShare(storage, alice))?.device).toEqual(before?.device)
    mine.authShare = real
    first.end()
    const frame = next()
    expect((await frame.ask('GET_USER', undefined)).address).toBe(address)
    await sign(frame)
  })

  it('4. recovers the same wallet if its row was lost, and keeps the old share until the new one opens', async () => {
    const { gateway, storage, wallet, address, first, next } = await oneDevice()
    await open(testFrame({ gateway }))
    first.end()
    const before = await storedShare(storage, alice)
    const [token] = [...wallet.rows.keys()]
    wallet.rows.delete(token ?? '')
    const frame = next()
    expect((await frame.ask('GET_USER', undefined)).address).toBe(address)
    const replaced = await storedShare(storage, alice)
    expect(replaced?.device).not.toEqual(before?.device)
    expect(replaced?.previous).toEqual(before?.device)
    await sign(frame)
    expect((await storedShare(storage, alice))?.device).toEqual(replaced?.device)
    expect((await storedShare(storage, alice))?.previous).toBeUndefined()
  })

  it('4. recovers no other wallet than that of its share', async () => {
    const { gateway, storage, wallet, first, next } = await oneDevice()
    first.end()
    const before = await storedShare(storage, alice)
    const mallory = testFrame({ gateway })
    await mallory.signIn('mallory@example.com')
    await mallory.ask('GET_USER', undefined)
    const theirs = [...(gateway.user('mallory@example.com').wallet?.rows.values() ?? [])]
    const [token] = [...wallet.rows.keys()]
    const [mine] = [...wallet.rows.values()]
    wallet.rows.delete(token ?? '')
    const stop = gateway.interrupt('recover', () =>
      Response.json({ ...theirs[0], recovery: { method: 'gateway' }, recoveryProof: null }),
    )
    await expect(next().ask('GET_USER', undefined)).rejects.toMatchObject({ code: 'WALLET_KEY_MISMATCH' })
    expect(await storedShare(storage, alice)).toEqual(before)
    stop()
    if (token !== undefined && mine !== undefined) wallet.rows.set(token, mine)
    await sign(next())
  })

  it('5. cannot make it drop the share by saying that the device was removed', async () => {
    const { gateway, storage, first, next } = await oneDevice()
    const before = await storedShare(storage, alice)
    const stop = gateway.interrupt('deviceShare', () => refusal('DEVICE_REVOKED'))
    await expect(sign(first)).rejects.toMatchObject({ code: 'DEVICE_REVOKED' })
    await first.notice('SESSION_ENDED')
    expect(await storedShare(storage, alice)).toEqual(before)
    stop()
    first.end()
    const frame = next()
    await open(frame)
    await sign(frame)
    expect(names(frame)).not.toContain('recover')
  })

  it('5. names another device as this one: the share stays, whichever is removed', async () => {
    const { gateway, storage, first } = await oneDevice()
    await open(testFrame({ gateway }))
    const { devices } = await first.ask('GET_SECURITY', undefined)
    const flipped = devices.map((device) => ({ ...device, isThis: !device.isThis }))
    gateway.interrupt('wallet', () =>
      Response.json({ wallet: { ...publicOf(gateway), devices: flipped, stale: false } }),
    )
    const idOf = (isThis: boolean) => flipped.find((device) => device.isThis === isThis)?.id ?? ''
    await expect(removeDevice(first, idOf(true))).rejects.toMatchObject({ code: 'INVALID_PARAMS' })
    await removeDevice(first, idOf(false))
    expect(await storedShare(storage, alice)).not.toBeNull()
  })

  it('6. still lets the key be exported from this device', async () => {
    const { wallet, first, next } = await oneDevice()
    first.end()
    Object.assign(wallet, { addresses: { ...wallet.addresses, solana: '11111111111111111111111111111112' } })
    const frame = next()
    const window = await openedWindow(frame, 'export')
    expect(await window.ask('exportSource', { otp: '123456' })).toMatchObject({ ok: true })
  })
})

function publicOf(gateway: ReturnType<typeof fakeGateway>) {
  const { wallet } = gateway.user('alice@example.com')
  if (wallet === null) throw new Error('a wallet expected')
  const { addresses, recovery, recoveryProof, addressProof } = wallet
  return { addresses, recovery, recoveryProof, addressProof }
}

describe('a gateway that says that the wallet has ended', () => {
  const deleted = (at: number) => ({ generation: 0, at })

  /** What the wallet's own key signs, with the shares of `storage`. */
  async function statements() {
    const device = await oneDevice()
    const { gateway, storage, wallet, first } = device
    await move(first, await ownersMethod())
    await sign(first)
    first.end()
    const share = await storedShare(storage, alice)
    const [row] = [...wallet.rows.values()]
    if (share === null || row === undefined) throw new Error('a share expected')
    const source = { device: share.device, authShare: row.authShare, addresses: wallet.addresses }
    const worker = signingWorker()
    const other = await worker.create({ userId: alice, recovery: { method: 'gateway' } })
    const { device: theirs, authShare } = other.split
    const stranger = { device: theirs, authShare, addresses: other.addresses }
    const now = { generation: 1, at: 1_795_000_000_000 }
    return {
      ...device,
      lieWith(ends: readonly WalletEnd[], told: unknown = null) {
        return gateway.interrupt('wallet', () => Response.json({ wallet: told, ends }))
      },
      valid: await worker.endDeleted(source, { userId: alice, ended: now }),
      false: {
        forged: { ...(await worker.endDeleted(source, { userId: alice, ended: now })), at: 7 },
        'by the key of another wallet': await worker.endDeleted(stranger, { userId: alice, ended: now }),
        'of an earlier generation': await worker.endDeleted(source, { userId: alice, ended: deleted(now.at) }),
        'of another user': await worker.endDeleted(source, { userId: 'email-mallory@example.com', ended: now }),
        'of a move, without the new wallet': {
          ...(
            await worker.replace(source, { userId: alice, recovery: await ownersMethod(), draft: stranger, ended: now })
          ).end,
        },
      } satisfies Record<string, WalletEnd>,
    }
  }

  it.each([
    ['14.1', 'forged', 'forged'],
    ['14.1', 'by the key of another wallet', 'by the key of another wallet'],
    ['14.2', 'of another user', 'of another user'],
    ['14.3', 'of an earlier generation', 'of an earlier generation'],
    ['14.4', 'of a move, without the new wallet', 'of a move, without the new wallet'],
  ] as const)('%s cannot have the share removed by a statement that is %s', async (_, __, name) => {
    const { storage, address, next, lieWith, false: lies } = await statements()
    const before = await storedShare(storage, alice)
    const stop = lieWith([lies[name]])
    const frame = next()
    await expect(frame.ask('GET_USER', undefined)).rejects.toMatchObject({ code: 'WALLET_NOT_REPORTED' })
    await expect(forgetEnded(frame)).rejects.toMatchObject({ code: 'WALLET_NOT_REPORTED' })
    expect(frame.screen.code).toBeNull()
    expect(await storedShare(storage, alice)).toEqual(before)
    stop()
    expect((await frame.ask('GET_USER', undefined)).address).toBe(address)
    await sign(frame)
  })

  it('14.4 cannot put another wallet in the place of the one that the user moved to', async () => {
    const { storage, wallet, next, lieWith, false: lies } = await statements()
    const { addresses } = await signingWorker().create({ userId: alice, recovery: { method: 'gateway' } })
    const { recovery, recoveryProof } = wallet
    const told = { addresses, recovery, recoveryProof, addressProof: null, devices: [], stale: false }
    lieWith(Object.values(lies), told)
    const frame = next()
    await expect(frame.ask('GET_USER', undefined)).rejects.toMatchObject({ code: 'WALLET_ADDRESSES_CHANGED' })
    await expect(forgetEnded(frame)).rejects.toMatchObject({ code: 'WALLET_ADDRESSES_CHANGED' })
    expect(await storedShare(storage, alice)).not.toBeNull()
  })

  it('14.5 cannot use a statement of a deletion while it tells another wallet of the same account', async () => {
    const { storage, wallet, next, lieWith, valid } = await statements()
    const { addresses } = await signingWorker().create({ userId: alice, recovery: { method: 'gateway' } })
    const { recovery, recoveryProof } = wallet
    lieWith([valid], { addresses, recovery, recoveryProof, addressProof: null, devices: [], stale: false })
    await expect(next().ask('GET_USER', undefined)).rejects.toMatchObject({ code: 'WALLET_ADDRESSES_CHANGED' })
    expect(await storedShare(storage, alice)).not.toBeNull()
  })

  it('14.6 changes nothing by a valid statement while the wallet is alive', async () => {
    const { gateway, storage, address, next, valid } = await statements()
    const before = await storedShare(storage, alice)
    // A deletion that the user confirmed, and that failed.
    gateway.keepEnd('alice@example.com', valid)
    const frame = next()
    expect((await frame.ask('GET_USER', undefined)).address).toBe(address)
    await expect(forgetEnded(frame)).rejects.toMatchObject({ code: 'INVALID_PARAMS' })
    expect(frame.screen.code).toBeNull()
    await sign(frame)
    expect((await storedShare(storage, alice))?.device).toEqual(before?.device)
    // The user's next choice withdraws it.
    await move(frame, await ownersMethod())
    gateway.interrupt('wallet', () => Response.json({ wallet: null, ends: [valid] }))
    frame.end()
    await expect(next().ask('GET_USER', undefined)).rejects.toMatchObject({ code: 'WALLET_NOT_REPORTED' })
  })

  it('14.6 with a valid statement it still needs the press, and the key can be exported before', async () => {
    const { storage, next, lieWith, valid } = await statements()
    lieWith([valid])
    const frame = next()
    expect(await frame.ask('GET_USER', undefined)).toMatchObject({ address: '', ended: 'deleted' })
    const window = await openedWindow(frame, 'export')
    expect(await window.ask('exportSource', { otp: '123456' })).toMatchObject({ ok: true })
    expect(await storedShare(storage, alice)).not.toBeNull()
  })
})

describe('a gateway that lies to a new device', () => {
  async function hardened() {
    const device = await oneDevice()
    await move(device.first, await ownersMethod())
    return device
  }

  it.each([
    ['solana', '11111111111111111111111111111112'],
    ['bip122', `02${'ab'.repeat(32)}`],
    ['eip155', '0x000000000000000000000000000000000000dEaD'],
  ])('7. cannot show another %s address before the seed is rebuilt', async (namespace, address) => {
    const { gateway, wallet } = await hardened()
    const phone = testFrame({ gateway })
    await phone.signIn()
    const real = wallet.addresses
    Object.assign(wallet, { addresses: { ...real, [namespace]: address } })
    await expect(phone.ask('GET_USER', undefined)).rejects.toMatchObject({ code: 'WALLET_ADDRESSES_UNPROVEN' })
    Object.assign(wallet, { addresses: real })
    expect(await phone.ask('GET_USER', undefined)).toMatchObject({ address: real.eip155, locked: 'passphrase' })
    expect(count(phone, 'recover')).toBe(0)
  })

  it('7. needs the proof, for this user and the latest choice', async () => {
    const { gateway, wallet, first } = await hardened()
    const mallory = testFrame({ gateway })
    await mallory.signIn('mallory@example.com')
    await mallory.ask('GET_USER', undefined)
    const theirs = gateway.user('mallory@example.com').wallet
    const earlier = wallet.addressProof
    await move(first, await ownersMethod())
    const real = wallet.addressProof
    const phone = testFrame({ gateway })
    await phone.signIn()
    for (const lie of [earlier, theirs?.addressProof]) {
      Object.assign(wallet, { addressProof: lie })
      await expect(phone.ask('GET_USER', undefined)).rejects.toMatchObject({ code: 'WALLET_ADDRESSES_UNPROVEN' })
    }
    // Another user's whole wallet, with its proof.
    Object.assign(wallet, {
      addresses: theirs?.addresses,
      recovery: wallet.recovery,
      addressProof: theirs?.addressProof,
    })
    await expect(phone.ask('GET_USER', undefined)).rejects.toMatchObject({ code: 'WALLET_ADDRESSES_UNPROVEN' })
    Object.assign(wallet, { addresses: gateway.user('alice@example.com').wallet?.addresses, addressProof: real })
  })

  it('7. shows no address without a proof, until the unlocking has rebuilt the seed', async () => {
    const { gateway, wallet, address, first } = await oneDevice()
    const pair = await crypto.subtle.generateKey({ name: 'ECDH', namedCurve: 'P-256' }, true, ['deriveBits'])
    const spki = new Uint8Array(await crypto.subtle.exportKey('spki', pair.publicKey))
    await move(first, { ...passphrase, publicKey: base64urlnopad.encode(spki) })
    Object.assign(wallet, { addressProof: null })
    const real = wallet.addresses
    const phone = testFrame({ gateway })
    await phone.signIn()
    const shown = await phone.ask('GET_USER', undefined)
    expect(shown).toMatchObject({ address: '', locked: 'passphrase' })
    for (const hidden of ['accounts', 'solana', 'bitcoin']) expect(shown).not.toHaveProperty(hidden)
    await expect(phone.ask('RPC_REQUEST', { method: 'eth_accounts', params: [] })).rejects.toMatchObject({
      code: 'WALLET_LOCKED',
    })
    const window = await openedWindow(phone, 'unlock')
    expect(window.first.addresses).toBeNull()
    Object.assign(wallet, { addresses: { ...real, solana: '11111111111111111111111111111112' } })
    expect(await window.ask('unlock', { recoveryKey: pair.privateKey })).toMatchObject({ ok: false })
    Object.assign(wallet, { addresses: real })
    expect(await window.ask('unlock', { recoveryKey: pair.privateKey })).toMatchObject({ ok: true })
    expect((await phone.ask('GET_USER', undefined)).address).toBe(address)
    await sign(phone)
    expect(wallet.addressProof).not.toBeNull()
  })

  describe('with a whole wallet that it made up', () => {
    /** The gateway seals its own share to the user's recovery key, which is public. */
    async function madeUp() {
      const { gateway, wallet, first, address } = await oneDevice()
      const secret = crypto.getRandomValues(new Uint8Array(32))
      const wrapped = await createRecoveryKey('passphrase', secret, wallet.addresses)
      const recovery = { ...passphrase, ...wrapped }
      await move(first, recovery)
      const worker = signingWorker()
      const { addresses, split: own } = await worker.create({ userId: alice, recovery: { method: 'gateway' } })
      const source = { device: own.device, authShare: own.authShare, addresses }
      const { recoveryProof, split } = await worker.setRecovery(source, { userId: alice, recovery, generation: 1 })
      const { addressProof, authShare, recoveryShare } = split
      const lie = () => {
        gateway.interrupt('wallet', () =>
          Response.json({ wallet: { addresses, recovery, recoveryProof, addressProof, devices: [], stale: false } }),
        )
        gateway.interrupt('recover', () => Response.json({ authShare, recoveryShare, recovery, recoveryProof }))
        gateway.interrupt('putDevice', () => Response.json({}))
      }
      const phone = testFrame({ gateway })
      await phone.signIn()
      const unwrap = (shown: WalletAddresses | null) => openRecoveryKey('passphrase', wrapped, secret.slice(), shown)
      return { address, addresses, wallet, lie, phone, unwrap }
    }

    it('7. cannot have it unlocked: the passphrase opens nothing for other addresses', async () => {
      const { addresses, wallet, lie, phone, unwrap } = await madeUp()
      lie()
      const window = await openedWindow(phone, 'unlock')
      expect(window.first.addresses).toEqual(addresses)
      await expect(unwrap(window.first.addresses)).rejects.toThrow('BAD_RECOVERY_KEY')
      expect(await unwrap(wallet.addresses)).toBeDefined()
    })

    it('7. cannot put it in the place of the wallet that the window opened', async () => {
      const { address, lie, phone, unwrap } = await madeUp()
      const window = await openedWindow(phone, 'unlock')
      const recoveryKey = await unwrap(window.first.addresses)
      lie()
      expect(await window.ask('unlock', { recoveryKey, addresses: window.first.addresses })).toMatchObject({
        ok: false,
        code: 'WALLET_ADDRESSES_CHANGED',
      })
      expect((await phone.ask('GET_USER', undefined)).locked).toBe('passphrase')
      expect(await storedShare(phone.storage ?? newStorage(), alice)).toBeNull()
      expect(address).not.toBe('')
    })
  })

  it('8. cannot make it adopt addresses that differ from the seed’s', async () => {
    const { gateway, wallet, storage: _ } = await oneDevice()
    const storage = newStorage()
    const phone = testFrame({ gateway, storage })
    await phone.signIn()
    const addresses = { ...wallet.addresses, solana: '11111111111111111111111111111112' }
    for (const [addressProof, code] of [
      [wallet.addressProof, 'WALLET_ADDRESSES_UNPROVEN'],
      [null, 'WALLET_KEY_MISMATCH'],
    ] as const) {
      Object.assign(wallet, { addresses, addressProof })
      await expect(phone.ask('GET_USER', undefined)).rejects.toMatchObject({ code })
    }
    expect(await storedShare(storage, alice)).toBeNull()
  })
})

describe('a share of version 1', () => {
  async function version1() {
    const device = await oneDevice()
    device.first.end()
    await asVersion1(device)
    return device
  }

  /** Stores the share again as an earlier version of the wallet did. */
  async function asVersion1({ storage, wallet }: Pick<Awaited<ReturnType<typeof oneDevice>>, 'storage' | 'wallet'>) {
    const share = await storedShare(storage, alice)
    if (share === null) throw new Error('a share expected')
    const opened = await openDeviceShare(share.device, wallet.addresses)
    const key = await crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt'])
    const iv = crypto.getRandomValues(new Uint8Array(12))
    const additionalData = utf8(`postern/device-share/v1\n${wallet.addresses.eip155.toLowerCase()}`)
    const bytes = new Uint8Array(await crypto.subtle.encrypt({ name: 'AES-GCM', iv, additionalData }, key, opened))
    await storeIn(storage).dropShare(alice)
    await storeIn(storage).updateShare(alice, () => ({ userId: alice, device: { key, iv, bytes } }))
  }

  it('9. is opened before an address is shown, and stored again with all of them', async () => {
    const { storage, wallet, address, next } = await version1()
    const frame = next()
    expect((await frame.ask('GET_USER', undefined)).address).toBe(address)
    expect((await storedShare(storage, alice))?.device.binding).toEqual({
      version: 2,
      userId: alice,
      addresses: wallet.addresses,
      generation: 0,
    })
    await sign(frame)
    frame.end()
    Object.assign(wallet, { addresses: { ...wallet.addresses, solana: '11111111111111111111111111111112' } })
    await expect(next().ask('GET_USER', undefined)).rejects.toMatchObject({ code: 'WALLET_ADDRESSES_CHANGED' })
  })

  it('9. shows no other address, and stays', async () => {
    const { gateway, storage, wallet, next } = await version1()
    const before = await storedShare(storage, alice)
    const real = wallet.addresses
    Object.assign(wallet, { addresses: { ...real, solana: '11111111111111111111111111111112' } })
    await expect(next().ask('GET_USER', undefined)).rejects.toMatchObject({ code: 'WALLET_KEY_MISMATCH' })
    expect((await storedShare(storage, alice))?.device).toEqual(before?.device)
    const stop = gateway.interrupt('wallet', () => Response.json({ wallet: null }))
    await expect(next().ask('GET_USER', undefined)).rejects.toMatchObject({ code: 'WALLET_NOT_REPORTED' })
    stop()
    Object.assign(wallet, { addresses: real })
    await sign(next())
  })

  it('14.7 is not removed by a statement: only its EVM address is known, and that is sealed', async () => {
    const { gateway, storage, address, wallet, first, next } = await oneDevice()
    const share = await storedShare(storage, alice)
    const [row] = [...wallet.rows.values()]
    if (share === null || row === undefined) throw new Error('a share expected')
    const source = { device: share.device, authShare: row.authShare, addresses: wallet.addresses }
    const end = await signingWorker().endDeleted(source, { userId: alice, ended: { generation: 0, at: 1 } })
    first.end()
    await asVersion1({ storage, wallet })
    const before = await storedShare(storage, alice)
    const stop = gateway.interrupt('wallet', () => Response.json({ wallet: null, ends: [end] }))
    const frame = next()
    await expect(frame.ask('GET_USER', undefined)).rejects.toMatchObject({ code: 'WALLET_NOT_REPORTED' })
    await expect(forgetEnded(frame)).rejects.toMatchObject({ code: 'WALLET_NOT_REPORTED' })
    expect(await storedShare(storage, alice)).toEqual(before)
    stop()
    expect((await frame.ask('GET_USER', undefined)).address).toBe(address)
  })

  it('9. shows no address of a made-up wallet if its row is hidden', async () => {
    const { gateway, storage, address, next } = await version1()
    const before = await storedShare(storage, alice)
    const worker = signingWorker()
    const { addresses, split: first } = await worker.create({ userId: alice, recovery: { method: 'gateway' } })
    const recovery = await ownersMethod()
    const source = { device: first.device, authShare: first.authShare, addresses }
    const changed = await worker.setRecovery(source, { userId: alice, recovery, generation: 1 })
    const { recoveryProof, split } = changed
    const stop = gateway.interrupt('wallet', () =>
      Response.json({
        wallet: { addresses, recovery, recoveryProof, addressProof: split.addressProof, devices: [], stale: false },
      }),
    )
    expect(await next().ask('GET_USER', undefined)).toMatchObject({ address: '', locked: 'passphrase' })
    expect(await storedShare(storage, alice)).toEqual(before)
    stop()
    expect((await next().ask('GET_USER', undefined)).address).toBe(address)
  })

  it('9. is not replaced by a wallet made in a visit without storage', async () => {
    const { gateway, storage, wallet, address, next } = await version1()
    const before = await storedShare(storage, alice)
    const user = gateway.user('alice@example.com')
    user.wallet = null
    const visit = testFrame({
      gateway,
      storage: null,
      storageAccess: { isGranted: async () => false, request: async () => storage },
    })
    expect(await open(visit)).not.toBe(address)
    await visit.ask('USE_GRANTED_STORAGE', undefined).catch(() => {})
    await sign(visit).catch(() => {})
    expect((await storedShare(storage, alice))?.device).toEqual(before?.device)
    visit.end()
    user.wallet = wallet
    const frame = next()
    expect((await frame.ask('GET_USER', undefined)).address).toBe(address)
    await sign(frame)
  })

  it('9. is not replaced by a wallet recovered in a visit without storage', async () => {
    const { gateway, storage, wallet, address, next } = await version1()
    const before = await storedShare(storage, alice)
    const worker = signingWorker()
    const { addresses, split } = await worker.create({ userId: alice, recovery: { method: 'gateway' } })
    const chosen = { recovery: { method: 'gateway' }, recoveryProof: null }
    const stops = [
      gateway.interrupt('wallet', () =>
        Response.json({ wallet: { addresses, ...chosen, addressProof: null, devices: [], stale: false } }),
      ),
      gateway.interrupt('recover', () =>
        Response.json({ authShare: split.authShare, recoveryShare: split.recoveryShare, ...chosen }),
      ),
      gateway.interrupt('putDevice', () => Response.json({})),
    ]
    const visit = testFrame({
      gateway,
      storage: null,
      storageAccess: { isGranted: async () => false, request: async () => storage },
    })
    expect(await open(visit)).toBe(addresses.eip155)
    await visit.ask('USE_GRANTED_STORAGE', undefined).catch(() => {})
    expect((await storedShare(storage, alice))?.device).toEqual(before?.device)
    visit.end()
    for (const stop of stops) stop()
    const frame = next()
    expect((await frame.ask('GET_USER', undefined)).address).toBe(address)
    expect(wallet.addresses.eip155).toBe(address)
    await sign(frame)
  })

  it('10. hands in the proof of the addresses after the next signature, if the gateway has none', async () => {
    const { gateway, wallet, next } = await version1()
    wallet.addressProof = null
    await sign(next())
    await gateway.called('proveAddresses')
    await move(next(), await ownersMethod())
    const phone = testFrame({ gateway })
    await phone.signIn()
    expect(await phone.ask('GET_USER', undefined)).toMatchObject({ locked: 'passphrase' })
  })
})

describe('a gateway that claims a generation', () => {
  it('13. cannot use up the generations: an unproven one does not count', async () => {
    const { gateway, wallet, first, next } = await oneDevice()
    first.end()
    const { addresses, recovery, addressProof } = wallet
    const recoveryProof = { generation: 2_147_483_646, signature: `0x${'11'.repeat(65)}` }
    const devices = [{ id: 'device-1', name: 'Laptop', createdAt: 1, usedAt: 1, isThis: true }]
    const stop = gateway.interrupt('wallet', () =>
      Response.json({ wallet: { addresses, recovery, addressProof, recoveryProof, devices, stale: false } }),
    )
    const frame = next()
    await open(frame)
    expect((await move(frame, await ownersMethod())).generation).toBe(1)
    stop()
    expect((await move(frame, await ownersMethod())).generation).toBe(2)
  })

  it('13. cannot use up the generations with a choice that a stolen device signed', async () => {
    const { gateway, storage, wallet, first, next } = await oneDevice()
    const share = await storedShare(storage, alice)
    const [row] = [...wallet.rows.values()]
    if (share === null || row === undefined) throw new Error('a share expected')
    first.end()
    const { addresses, recovery, addressProof } = wallet
    const source = { device: share.device, authShare: row.authShare, addresses }
    const given = { userId: alice, recovery: await ownersMethod(), generation: 2_147_483_646 }
    const { recoveryProof } = await signingWorker().setRecovery(source, given)
    const devices = [{ id: 'device-1', name: 'Laptop', createdAt: 1, usedAt: 1, isThis: true }]
    const chosen = { recovery: given.recovery, recoveryProof }
    const stop = gateway.interrupt('wallet', () =>
      Response.json({ wallet: { addresses, addressProof, devices, stale: false, ...chosen } }),
    )
    const frame = next()
    await open(frame)
    expect((await move(frame, await ownersMethod())).generation).toBe(1)
    stop()
    expect(wallet.recovery).not.toEqual(recovery)
  })
})

describe('a gateway that renews the session for another user', () => {
  it('12. cannot make the wallet show that user’s address', async () => {
    const { gateway, storage, address, first, next } = await oneDevice()
    first.end()
    const before = await storeIn(storage).session()
    const stop = gateway.interrupt('session', () =>
      Response.json({
        status: 'signedIn',
        sessionToken: 'A'.repeat(43),
        expiresAt: 9e12,
        identityToken: 'e30.e30.s',
        user: { id: 'email-mallory', email: 'alice@example.com', userName: null, provider: 'email' },
      }),
    )
    const frame = next()
    await expect(frame.ask('IS_CONNECTED', undefined)).rejects.toMatchObject({ code: 'WALLET_NOT_REPORTED' })
    expect(await storeIn(storage).session()).toEqual(before)
    expect((await frame.ask('GET_USER', undefined)).address).toBe(address)
    stop()
    expect(await frame.ask('IS_CONNECTED', undefined)).toEqual({ isConnected: true })
    await sign(frame)
  })
})

describe('a gateway that interrupts', () => {
  it('11. leaves the share that fits if the key is exported after a lost change of recovery', async () => {
    const { gateway, storage, first, next, address } = await oneDevice()
    const before = await storedShare(storage, alice)
    const stop = gateway.interrupt('setRecovery', () => new Response('', { status: 502 }))
    const window = await openedWindow(first, 'recovery')
    expect(await window.ask('setRecovery', { recovery: await ownersMethod(), otp: '123456' })).toMatchObject({
      ok: false,
    })
    stop()
    const exporting = await openedWindow(first, 'export')
    expect(await exporting.ask('exportSource', { otp: '123456' })).toMatchObject({
      ok: true,
      payload: { device: { iv: before?.device.iv } },
    })
    expect((await storedShare(storage, alice))?.previous).toEqual(before?.device)
    await sign(first)
    first.end()
    const frame = next()
    expect((await frame.ask('GET_USER', undefined)).address).toBe(address)
    await sign(frame)
  })

  it('11. leaves the share that fits if the gateway accepts a change of recovery and then refuses it', async () => {
    const { gateway, storage, first, next, address } = await oneDevice()
    const before = await storedShare(storage, alice)
    first.end()
    const liar = testFrame({ gateway: acceptsThenRefuses(gateway, 'setRecovery'), storage })
    const window = await openedWindow(liar, 'recovery')
    expect(await window.ask('setRecovery', { recovery: await ownersMethod(), otp: '123456' })).toMatchObject({
      ok: false,
    })
    liar.end()
    const frame = next()
    expect((await frame.ask('GET_USER', undefined)).address).toBe(address)
    await sign(frame)
    const after = await storedShare(storage, alice)
    expect(after?.device).not.toEqual(before?.device)
    expect(after?.previous).toBeUndefined()
  })

  it('11. leaves the first share of a new device if the gateway accepts it and then refuses it', async () => {
    const { gateway, address } = await oneDevice()
    const storage = newStorage()
    const liar = testFrame({ gateway: acceptsThenRefuses(gateway, 'putDevice'), storage })
    await liar.signIn()
    await expect(liar.ask('GET_USER', undefined)).rejects.toMatchObject({ code: 'TOO_MANY_ATTEMPTS' })
    liar.end()
    const phone = testFrame({ gateway, storage })
    const recoveries = count(phone, 'recover')
    expect((await phone.ask('GET_USER', undefined)).address).toBe(address)
    await sign(phone)
    expect(count(phone, 'recover')).toBe(recoveries)
  })

  it('11. drops a refused share once the one before it has opened the wallet', async () => {
    const { storage, first } = await oneDevice()
    const before = await storedShare(storage, alice)
    const window = await openedWindow(first, 'recovery')
    expect(await window.ask('setRecovery', { recovery: await ownersMethod(), otp: '000000' })).toMatchObject({
      code: 'WRONG_CODE',
    })
    expect((await storedShare(storage, alice))?.previous).toEqual(before?.device)
    await sign(first)
    expect((await storedShare(storage, alice))?.device).toEqual(before?.device)
    expect((await storedShare(storage, alice))?.previous).toBeUndefined()
  })

  it('11. does not drop the share of another tab when it refuses this one’s', async () => {
    const { gateway, first } = await oneDevice()
    first.end()
    const storage = newStorage()
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    let calls = 0
    gateway.interrupt('putDevice', async () => {
      calls += 1
      if (calls > 1) return undefined
      await held
      return refusal('TOO_MANY_ATTEMPTS')
    })
    const slow = testFrame({ gateway, storage, channel: 'slow' })
    await slow.signIn()
    const opening = slow.ask('GET_USER', undefined)
    await gateway.called('putDevice')
    const other = testFrame({ gateway, storage, channel: 'other' })
    await sign(other)
    const stored = await storedShare(storage, alice)
    release()
    await expect(opening).rejects.toMatchObject({ code: 'TOO_MANY_ATTEMPTS' })
    expect(await storedShare(storage, alice)).toEqual(stored)
    await sign(other)
  })
})
