import type { Recovery, WalletAddresses } from '@postern/protocol'
import { describe, expect, it } from 'vitest'
import { createRecoveryKey, openRecoveryKey } from './keys/recovery-key'
import { signingWorker } from './keys/signing-worker'
import { type FakeGateway, fakeGateway, refusal } from './testing/fake-gateway'
import { type Frame, move, open, ownersMethod, passphrase, sign } from './testing/steps'
import { newStorage, storedShare, storeIn, testFrame } from './testing/test-frame'
import { openedWindow } from './testing/test-window'

const alice = 'email-alice@example.com'

/** A wallet that moved to a passphrase, on one device. */
async function oneDevice() {
  const gateway = fakeGateway()
  const storage = newStorage()
  const frame = testFrame({ gateway, storage })
  const address = await open(frame)
  await move(frame, await ownersMethod())
  const { wallet } = gateway.user('alice@example.com')
  if (wallet === null) throw new Error('a wallet expected')
  return { gateway, storage, frame, address, old: wallet, next: () => testFrame({ gateway, storage }) }
}

/** A passphrase that opens the wallet with these addresses. */
async function passphraseFor(addresses: WalletAddresses) {
  const secret = crypto.getRandomValues(new Uint8Array(32))
  const wrapped = await createRecoveryKey('passphrase', secret, addresses)
  const recovery: Recovery = { ...passphrase, ...wrapped }
  return {
    recovery,
    unwrap: (shown: WalletAddresses | null) => openRecoveryKey('passphrase', wrapped, secret.slice(), shown),
  }
}

async function replaceIn(frame: Frame, otp = '123456') {
  const window = await openedWindow(frame, 'move')
  const { addresses } = window.first
  if (addresses === null) throw new Error('addresses expected')
  const { recovery, unwrap } = await passphraseFor(addresses)
  const answer = await window.ask('replaceWallet', { recovery, addresses, otp })
  return { addresses, recovery, unwrap, answer }
}

async function deletePreviousIn(frame: Frame, otp: string) {
  const window = await openedWindow(frame, 'deletePrevious')
  const { addresses } = window.first
  return { addresses, answer: await window.ask('deletePrevious', { addresses, otp }) }
}

function fail(): never {
  throw new Error('a wallet expected')
}

const nameOf = (frame: Frame) => frame.ask('GET_USER', undefined).then(({ address }) => address)

/** Sends from `address`, which the chain of the tests only signs. */
async function sendFrom(frame: Frame, from: string): Promise<string> {
  const { id, reply } = frame.send('RPC_REQUEST', { method: 'eth_sendTransaction', params: [{ from, to: from }] })
  await Promise.race([
    frame.notice('APPROVAL_REQUEST'),
    reply.then((early) => {
      throw Object.assign(new Error('settled before it was shown'), early)
    }),
  ])
  await frame.approve(id)
  const answer = await reply
  if (!answer?.ok) throw Object.assign(new Error(answer?.message), { code: answer?.code })
  return String(answer.payload)
}

describe('a move to a new wallet', () => {
  it('is offered for a wallet that the gateway once could open, and not for the new one', async () => {
    const { frame } = await oneDevice()
    expect(await frame.ask('GET_SECURITY', undefined)).toMatchObject({ isExposed: true, previous: null })
    expect((await replaceIn(frame)).answer).toMatchObject({ ok: true })
    const { isExposed, previous } = await frame.ask('GET_SECURITY', undefined)
    expect(isExposed).toBe(false)
    expect(previous?.locked).toBeNull()
  })

  it('has a new seed, of which the gateway gets one open share', async () => {
    const { gateway, frame, address, old } = await oneDevice()
    const { addresses } = await replaceIn(frame)
    expect(addresses.eip155).not.toBe(old.addresses.eip155)
    expect(await nameOf(frame)).not.toBe(address)
    const { wallet } = gateway.user('alice@example.com')
    const [row] = [...(wallet?.rows.values() ?? [])]
    // 17 bytes in base64url: an open share.
    expect(row?.authShare).toHaveLength(23)
    expect(row?.recoveryShare?.length).toBeGreaterThan(100)
    await sign(frame)
  })

  it('is out of reach of an old copy of the gateway’s data, which still opens the previous wallet', async () => {
    const gateway = fakeGateway()
    const frame = testFrame({ gateway })
    await open(frame)
    const user = gateway.user('alice@example.com')
    const copyOf = (wallet: typeof user.wallet) =>
      [...(wallet?.rows.values() ?? [])].map(({ authShare, recoveryShare }) => ({
        authShare,
        recoveryShare: recoveryShare ?? '',
      }))
    const copied = copyOf(user.wallet)
    const chosen = { recovery: { method: 'gateway' }, recoveryProof: null } as const
    const opens = (shares: (typeof copied)[number] | undefined, addresses: WalletAddresses) =>
      signingWorker()
        .recover({ userId: alice, authShare: '', recoveryShare: '', ...shares, chosen, addresses })
        .then(() => true)
        .catch(() => false)
    const old = user.wallet?.addresses ?? fail()
    await move(frame, await ownersMethod())
    const { addresses } = await replaceIn(frame)
    expect(await opens(copied[0], old)).toBe(true)
    expect(await opens(copied[0], addresses)).toBe(false)
    const [later] = copyOf(user.wallet)
    expect(await opens(later, addresses)).toBe(false)
    expect(
      await opens({ authShare: later?.authShare ?? '', recoveryShare: copied[0]?.recoveryShare ?? '' }, addresses),
    ).toBe(false)
  })

  it('names the accounts of the previous wallet, each with the new one to send to', async () => {
    const { frame, old } = await oneDevice()
    const { addresses } = await replaceIn(frame)
    const { previous } = await frame.ask('GET_SECURITY', undefined)
    const plain = previous?.accounts.find(({ address }) => address === old.addresses.eip155)
    expect(plain).toMatchObject({ to: addresses.eip155, type: 'eoa' })
    expect(plain?.networkIds).toContain('eip155:1')
    expect(previous?.accounts).toContainEqual(
      expect.objectContaining({ address: old.addresses.solana, to: addresses.solana }),
    )
  })

  it('lets the previous wallet send, also after a reload, and nothing else', async () => {
    const { frame, old, next } = await oneDevice()
    await replaceIn(frame)
    await sendFrom(frame, old.addresses.eip155)
    frame.end()
    const again = next()
    await sendFrom(again, old.addresses.eip155)
    const params = ['0x68656c6c6f', old.addresses.eip155]
    await expect(again.ask('RPC_REQUEST', { method: 'personal_sign', params })).rejects.toMatchObject({
      code: 'UNAUTHORIZED',
    })
  })

  it('is not made for the gateway, for other addresses, or with a wrong code, and the wallet stays', async () => {
    const { frame, address, storage } = await oneDevice()
    const window = await openedWindow(frame, 'move')
    const { addresses } = window.first
    if (addresses === null) throw new Error('addresses expected')
    const { recovery } = await passphraseFor(addresses)
    for (const [payload, code] of [
      [{ recovery: { method: 'gateway' }, addresses, otp: '123456' }, 'HARDENED_RECOVERY_REQUIRED'],
      [{ recovery, addresses: { ...addresses, eip155: address }, otp: '123456' }, 'WALLET_ADDRESSES_CHANGED'],
      [{ recovery, addresses, otp: '000000' }, 'WRONG_CODE'],
    ] as const)
      expect(await window.ask('replaceWallet', payload)).toMatchObject({ ok: false, code })
    expect(await nameOf(frame)).toBe(address)
    expect(await storeIn(storage).previous.share(alice)).toBeNull()
    await sign(frame)
    // The window asks again with the right code, for the same seed.
    expect(await window.ask('replaceWallet', { recovery, addresses, otp: '123456' })).toMatchObject({ ok: true })
    await sign(frame)
  })

  it('a second one waits until the previous wallet is removed here', async () => {
    const { frame, storage } = await oneDevice()
    const { addresses } = await replaceIn(frame)
    expect((await replaceIn(frame)).answer).toMatchObject({ ok: false, code: 'PREVIOUS_WALLET_EXISTS' })
    expect((await deletePreviousIn(frame, '123456')).answer).toMatchObject({ ok: true })
    expect(await storeIn(storage).previous.share(alice)).toBeNull()
    expect((await frame.ask('GET_SECURITY', undefined)).previous).toBeNull()
    const second = await replaceIn(frame)
    expect(second.answer).toMatchObject({ ok: true })
    expect(second.addresses).not.toEqual(addresses)
  })

  it('the previous wallet is deleted in a window that names it, with the right code, and no other wallet', async () => {
    const { gateway, frame, storage, old } = await oneDevice()
    const { addresses } = await replaceIn(frame)
    expect(await deletePreviousIn(frame, '000000')).toMatchObject({
      addresses: old.addresses,
      answer: { ok: false, code: 'WRONG_CODE' },
    })
    const window = await openedWindow(frame, 'deletePrevious')
    expect(await window.ask('deletePrevious', { addresses, otp: '123456' })).toMatchObject({
      ok: false,
      code: 'WALLET_ADDRESSES_CHANGED',
    })
    const other = await openedWindow(frame, 'export')
    expect(await other.ask('deletePrevious', { addresses: old.addresses, otp: '123456' })).toMatchObject({
      ok: false,
      code: 'INVALID_REQUEST',
    })
    expect(gateway.user('alice@example.com').previous).not.toBeNull()
    expect(await storeIn(storage).previous.share(alice)).not.toBeNull()
    await sendFrom(frame, old.addresses.eip155)
    expect((await deletePreviousIn(frame, '123456')).answer).toMatchObject({ ok: true })
    expect(gateway.user('alice@example.com').previous).toBeNull()
    expect(await storeIn(storage).previous.share(alice)).toBeNull()
    expect((await storedShare(storage, alice))?.device.binding?.addresses).toEqual(addresses)
    await sign(frame)
  })

  it('waits for the move of recovery: no previous wallet is left that the gateway could still open', async () => {
    const gateway = fakeGateway()
    const frame = testFrame({ gateway })
    const address = await open(frame)
    expect((await replaceIn(frame)).answer).toMatchObject({ ok: false, code: 'HARDENED_RECOVERY_REQUIRED' })
    expect(gateway.calls.map(({ name }) => name)).not.toContain('replaceWallet')
    expect(await nameOf(frame)).toBe(address)
  })

  it('another window does not get to it', async () => {
    const { frame } = await oneDevice()
    const window = await openedWindow(frame, 'recovery')
    const { addresses } = window.first
    if (addresses === null) throw new Error('addresses expected')
    const { recovery } = await passphraseFor(addresses)
    const answer = await window.ask('replaceWallet', { recovery, addresses, otp: '123456' })
    expect(answer).toMatchObject({ ok: false, code: 'INVALID_REQUEST' })
  })
})

describe('a gateway that crashes or lies during a move', () => {
  it('cannot have this device recover a previous wallet that there never was', async () => {
    const { gateway, frame } = await oneDevice()
    const lie = gateway.user('alice@example.com')
    lie.previous = { ...(lie.wallet ?? fail()), recovery: { method: 'gateway' }, recoveryProof: null, rows: new Map() }
    expect((await frame.ask('GET_SECURITY', undefined)).previous).toBeNull()
    expect(gateway.calls.map(({ name }) => name)).not.toContain('recover')
  })

  const acceptsThen = (gateway: FakeGateway, answer: () => Response): FakeGateway => ({
    ...gateway,
    async fetch(input, init) {
      const response = await gateway.fetch(input, init)
      return String(input).includes('/wallet/replace') ? answer() : response
    },
  })
  const answers: [string, () => Response][] = [
    ['says that it refused', () => refusal('BAD_PROOF')],
    ['answers nothing that parses', () => new Response('gone', { status: 502 })],
  ]

  it.each(answers)('accepts the new wallet and %s: the next opening has both', async (_, answer) => {
    const { gateway, storage, frame, old } = await oneDevice()
    frame.end()
    const cut = testFrame({ gateway: acceptsThen(gateway, answer), storage })
    const { addresses, answer: said } = await replaceIn(cut)
    expect(said).toMatchObject({ ok: false })
    cut.end()
    const after = testFrame({ gateway, storage })
    await nameOf(after)
    expect((await storedShare(storage, alice))?.device.binding?.addresses).toEqual(addresses)
    expect((await storeIn(storage).previous.share(alice))?.device.binding?.addresses).toEqual(old.addresses)
    await sign(after)
    await sendFrom(after, old.addresses.eip155)
  })

  it('refuses and later says that it accepted an earlier try: that seed is still there', async () => {
    const { gateway, storage, frame, old } = await oneDevice()
    frame.end()
    const lying = testFrame({ gateway: acceptsThen(gateway, () => refusal('BAD_PROOF')), storage })
    const first = await replaceIn(lying)
    const user = gateway.user('alice@example.com')
    const hidden = user.wallet
    // As if nothing had happened.
    Object.assign(user, { wallet: old, previous: null })
    lying.end()
    const again = testFrame({ gateway: acceptsThen(gateway, () => refusal('BAD_PROOF')), storage })
    const second = await replaceIn(again)
    expect(second.addresses).not.toEqual(first.addresses)
    again.end()
    Object.assign(user, { wallet: hidden, previous: old })
    const after = testFrame({ gateway, storage })
    await nameOf(after)
    expect((await storedShare(storage, alice))?.device.binding?.addresses).toEqual(first.addresses)
    await sign(after)
    await sendFrom(after, old.addresses.eip155)
  })

  it('claims that it accepted the new wallet, but did not: the user is told, and the old wallet stays in use', async () => {
    const { gateway, storage, frame, address, old, next } = await oneDevice()
    const stop = gateway.interrupt('replaceWallet', () => Response.json({}))
    const { addresses, answer } = await replaceIn(frame)
    expect(answer).toMatchObject({ ok: false, code: 'WALLET_NOT_REPORTED' })
    expect((await storedShare(storage, alice))?.device.binding?.addresses).toEqual(old.addresses)
    expect(await nameOf(frame)).toBe(address)
    await sign(frame)
    frame.end()
    const again = next()
    expect(await nameOf(again)).toBe(address)
    await sign(again)
    // The seed of the try is still there.
    expect(await storeIn(storage).next(alice, addresses)).not.toBeNull()
    stop()
    expect((await replaceIn(again)).answer).toMatchObject({ ok: true })
  })

  it('accepts the new wallet and then does not answer: the new wallet is in use', async () => {
    const { gateway, frame, address } = await oneDevice()
    const window = await openedWindow(frame, 'move')
    const { addresses } = window.first
    if (addresses === null) throw new Error('addresses expected')
    const { recovery } = await passphraseFor(addresses)
    gateway.interrupt('wallet', () => new Response('gone', { status: 502 }))
    expect(await window.ask('replaceWallet', { recovery, addresses, otp: '123456' })).toMatchObject({ ok: true })
    expect(await nameOf(frame)).not.toBe(address)
    await sign(frame)
  })

  it('cannot put a wallet of its own in the place of this one', async () => {
    const { gateway, storage, frame, old, address } = await oneDevice()
    frame.end()
    const worker = signingWorker()
    const draft = await worker.draft({ userId: alice })
    const { recovery } = await passphraseFor(draft.addresses)
    // Signed by its own key, not by the one of this wallet.
    const made = await worker.replace(draft, { userId: alice, recovery, draft, ended: { generation: 0, at: 1 } })
    const user = gateway.user('alice@example.com')
    user.wallet = {
      addresses: draft.addresses,
      recovery,
      recoveryProof: made.recoveryProof,
      addressProof: made.split.addressProof,
      replaces: { from: old.addresses, signature: made.signature },
      rows: new Map(),
    }
    const after = testFrame({ gateway, storage })
    await expect(nameOf(after)).rejects.toMatchObject({ code: 'WALLET_ADDRESSES_CHANGED' })
    user.wallet = old
    expect(await nameOf(after)).toBe(address)
    await sign(after)
  })
})

describe('the user’s other device', () => {
  /** As `oneDevice`, with a second device that has a share of the old wallet. */
  async function followed() {
    const gateway = fakeGateway()
    const frame = testFrame({ gateway })
    await open(frame)
    const storage = newStorage()
    const other = testFrame({ gateway, storage })
    await open(other)
    other.end()
    await move(frame, await ownersMethod())
    const old = gateway.user('alice@example.com').wallet
    if (old === null) throw new Error('a wallet expected')
    const replaced = await replaceIn(frame)
    return { gateway, old, ...replaced, storage, other: testFrame({ gateway, storage }) }
  }

  it('is locked until the passphrase of the new wallet opens it, and keeps its share of the previous one', async () => {
    const { other, storage, old, addresses, unwrap } = await followed()
    expect(await other.ask('GET_USER', undefined)).toMatchObject({ locked: 'passphrase' })
    expect((await storedShare(storage, alice))?.device.binding?.addresses).toEqual(old.addresses)
    const window = await openedWindow(other, 'unlock')
    expect(window.first.addresses).toEqual(addresses)
    const recoveryKey = await unwrap(window.first.addresses)
    expect(await window.ask('unlock', { recoveryKey, addresses })).toMatchObject({ ok: true })
    expect((await storedShare(storage, alice))?.device.binding?.addresses).toEqual(addresses)
    expect((await storeIn(storage).previous.share(alice))?.device.binding?.addresses).toEqual(old.addresses)
    await sign(other)
    await sendFrom(other, old.addresses.eip155)
  })

  it('does not follow to a wallet for the gateway, or one whose key is not bound to its addresses', async () => {
    const { gateway, other } = await followed()
    const { wallet } = gateway.user('alice@example.com')
    for (const recovery of [{ method: 'gateway' as const }, await ownersMethod()]) {
      Object.assign(wallet ?? {}, { recovery })
      expect(await other.ask('GET_USER', undefined)).toMatchObject({ address: '', ended: 'replaced' })
      const stop = gateway.interrupt('wallet', () =>
        Response.json({ wallet: { ...wallet, rows: undefined, devices: [], stale: false } }),
      )
      await expect(nameOf(other)).rejects.toMatchObject({ code: 'WALLET_ADDRESSES_CHANGED' })
      stop()
    }
  })

  it('does not open without the addresses that its key is bound to', async () => {
    const { other, storage, old, unwrap, addresses } = await followed()
    const window = await openedWindow(other, 'unlock')
    const answer = await window.ask('unlock', { recoveryKey: await unwrap(addresses) })
    expect(answer).toMatchObject({ ok: false, code: 'WALLET_ADDRESSES_UNPROVEN' })
    expect((await storedShare(storage, alice))?.device.binding?.addresses).toEqual(old.addresses)
  })

  it('without any share unlocks the previous wallet in a window of its own', async () => {
    const { gateway, frame, old } = await oneDevice()
    const { recovery, unwrap } = await passphraseFor(old.addresses)
    await move(frame, recovery)
    const { addresses, unwrap: unwrapNew } = await replaceIn(frame)
    const phone = testFrame({ gateway })
    await phone.signIn()
    const unlock = await openedWindow(phone, 'unlock')
    await unlock.ask('unlock', { recoveryKey: await unwrapNew(addresses), addresses })
    expect((await phone.ask('GET_SECURITY', undefined)).previous).toEqual({ locked: 'passphrase', accounts: [] })
    const send = { method: 'eth_sendTransaction', params: [{ from: old.addresses.eip155, to: old.addresses.eip155 }] }
    await expect(phone.ask('RPC_REQUEST', send)).rejects.toMatchObject({ code: 'UNAUTHORIZED' })
    const window = await openedWindow(phone, 'unlockPrevious')
    expect(window.first.addresses).toEqual(old.addresses)
    const recoveryKey = await unwrap(old.addresses)
    expect(await window.ask('unlock', { recoveryKey, addresses: old.addresses })).toMatchObject({ ok: true })
    await sendFrom(phone, old.addresses.eip155)
  })
})
