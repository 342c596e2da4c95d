/** A device returns after its wallet ended on another one: `shares/ended-wallet.ts`. */
import type { Recovery, WalletEnd } from '@postern/protocol'
import { describe, expect, it } from 'vitest'
import { createRecoveryKey, openRecoveryKey } from './keys/recovery-key'
import { fakeGateway } from './testing/fake-gateway'
import { type Frame, move, open, ownersMethod, passphrase, sign } from './testing/steps'
import { forgetEnded, newStorage, storedShare, storeIn, testFrame } from './testing/test-frame'
import { deleteAccount, openedWindow } from './testing/test-window'

const email = 'alice@example.com'
const alice = `email-${email}`
const user = (frame: Frame) => frame.ask('GET_USER', undefined)

/** A wallet on two devices; the page of the second one is closed. */
async function twoDevices() {
  const gateway = fakeGateway()
  const first = testFrame({ gateway })
  await open(first)
  const storage = newStorage()
  const second = testFrame({ gateway, storage })
  await open(second)
  second.end()
  const { wallet } = gateway.user(email)
  if (wallet === null) throw new Error('a wallet expected')
  return { gateway, first, storage, wallet, old: wallet.addresses, back: () => testFrame({ gateway, storage }) }
}

/** Returns what opens the new wallet on another device. */
async function moveTo(frame: Frame) {
  const window = await openedWindow(frame, 'move')
  const { addresses } = window.first
  if (addresses === null) throw new Error('addresses expected')
  const secret = crypto.getRandomValues(new Uint8Array(32))
  const wrapped = await createRecoveryKey('passphrase', secret, addresses)
  const recovery: Recovery = { ...passphrase, ...wrapped }
  expect(await window.ask('replaceWallet', { recovery, addresses, otp: '123456' })).toMatchObject({ ok: true })
  const unwrap = () => openRecoveryKey('passphrase', wrapped, secret.slice(), addresses)
  return { addresses, unwrap }
}

async function deletePrevious(frame: Frame): Promise<void> {
  const window = await openedWindow(frame, 'deletePrevious')
  const { addresses } = window.first
  expect(await window.ask('deletePrevious', { addresses, otp: '123456' })).toMatchObject({ ok: true })
}

describe('a device whose wallet was deleted elsewhere', () => {
  it('5. says so after the next sign-in, and starts with a new wallet once its share is removed', async () => {
    const { first, storage, old, back } = await twoDevices()
    await deleteAccount(first)
    const second = back()
    expect(await second.ask('IS_CONNECTED', undefined)).toEqual({ isConnected: false })
    await second.signIn()
    const told = await user(second)
    expect(told).toMatchObject({ address: '', ended: 'deleted' })
    expect(told).not.toHaveProperty('accounts')
    expect(await storedShare(storage, alice)).not.toBeNull()
    await expect(second.ask('RPC_REQUEST', { method: 'eth_accounts', params: [] })).rejects.toMatchObject({
      code: 'WALLET_ENDED',
    })
    expect(await forgetEnded(second)).toMatchObject({ what: 'deleted', from: old.eip155, to: null })
    expect(await storedShare(storage, alice)).toBeNull()
    const { address, isNew } = await user(second)
    expect(isNew).toBe(true)
    expect(address).not.toBe(old.eip155)
    await sign(second)
  })

  it('5. opens the wallet that the user has made since then', async () => {
    const { gateway, first, back } = await twoDevices()
    await deleteAccount(first)
    const address = await open(testFrame({ gateway }))
    const second = back()
    await second.signIn()
    expect(await user(second)).toMatchObject({ ended: 'deleted' })
    await forgetEnded(second)
    expect((await user(second)).address).toBe(address)
    await sign(second)
  })

  it('keeps its share if the user declines, and asks again', async () => {
    const { first, storage, back } = await twoDevices()
    await deleteAccount(first)
    const second = back()
    await second.signIn()
    const { id, reply } = second.send('FORGET_ENDED_WALLET', undefined)
    const drawn = await second.when(() => (second.screen.code?.id === id ? second.screen.code : undefined))
    drawn.onCancel()
    expect(await reply).toMatchObject({ ok: false, code: 'USER_REJECTED' })
    expect(await storedShare(storage, alice)).not.toBeNull()
    expect(await user(second)).toMatchObject({ ended: 'deleted' })
  })

  it('no message of the modal removes its share', async () => {
    const { first, storage, back } = await twoDevices()
    await deleteAccount(first)
    const second = back()
    await second.signIn()
    await expect(second.ask('CREATE_WALLET', { recovery: 'gateway' })).rejects.toMatchObject({ code: 'WALLET_ENDED' })
    expect(await storedShare(storage, alice)).not.toBeNull()
    const { id, reply } = second.send('FORGET_ENDED_WALLET', undefined)
    await second.when(() => (second.screen.code?.id === id ? true : undefined))
    await second.ask('RPC_ABORT', { id })
    expect(await reply).toMatchObject({ ok: false, code: 'ABORTED' })
    expect(await storedShare(storage, alice)).not.toBeNull()
  })

  it('a wallet that the deleting device cannot open is deleted without a statement, if no other device uses it', async () => {
    const { gateway, first, wallet } = await twoDevices()
    await move(first, await ownersMethod())
    const locked = testFrame({ gateway })
    await locked.signIn()
    expect(await user(locked)).toMatchObject({ locked: 'passphrase' })
    await expect(deleteAccount(locked)).rejects.toMatchObject({ code: 'WALLET_IN_USE' })
    expect((await user(locked)).locked).toBe('passphrase')
    wallet.rows.clear()
    await deleteAccount(locked)
    expect(gateway.calls.findLast(({ name }) => name === 'deleteAccount')?.body).toEqual({ otp: '123456' })
  })

  it('a device that deletes the account removes its share of the previous wallet too', async () => {
    const { gateway } = await twoDevices()
    const storage = newStorage()
    const frame = testFrame({ gateway, storage })
    await open(frame)
    await move(frame, await ownersMethod())
    await moveTo(frame)
    expect(await storeIn(storage).previous.share(alice)).not.toBeNull()
    await deleteAccount(frame)
    expect(await storedShare(storage, alice)).toBeNull()
    expect(await storeIn(storage).previous.share(alice)).toBeNull()
  })
})

describe('a device whose wallet was replaced elsewhere', () => {
  it('4. follows statements over wallets in between, then continues as a new device', async () => {
    const { gateway, first, storage, old, back } = await twoDevices()
    await move(first, await ownersMethod())
    await moveTo(first)
    await deletePrevious(first)
    const { addresses, unwrap } = await moveTo(first)
    await deletePrevious(first)
    expect(gateway.user(email).wallet?.replaces?.from).not.toEqual(old)
    const second = back()
    expect(await user(second)).toMatchObject({ address: '', ended: 'replaced' })
    const said = { what: 'replaced', from: old.eip155, to: addresses.eip155 }
    expect(await forgetEnded(second)).toMatchObject(said)
    expect(await storedShare(storage, alice)).toBeNull()
    expect(await user(second)).toMatchObject({ locked: 'passphrase' })
    const window = await openedWindow(second, 'unlock')
    expect(await window.ask('unlock', { recoveryKey: await unwrap(), addresses })).toMatchObject({ ok: true })
    expect((await user(second)).address).toBe(addresses.eip155)
    await sign(second)
  })

  it('keeps its share as that of the previous wallet while the gateway has that', async () => {
    const { gateway, first, storage, old, back } = await twoDevices()
    await move(first, await ownersMethod())
    const { addresses } = await moveTo(first)
    // As if recovery had moved back: no passkey or passphrase says that the new wallet is the user's.
    const before = gateway.user(email).wallet?.recovery
    Object.assign(gateway.user(email).wallet ?? {}, { recovery: { method: 'gateway' } })
    const second = back()
    expect(await user(second)).toMatchObject({ ended: 'replaced' })
    expect(await forgetEnded(second)).toMatchObject({ to: addresses.eip155 })
    expect(await storedShare(storage, alice)).toBeNull()
    expect((await storeIn(storage).previous.share(alice))?.device.binding?.addresses).toEqual(old)
    Object.assign(gateway.user(email).wallet ?? {}, { recovery: before })
  })

  it('4. and deleted in the end', async () => {
    const { first, storage, back } = await twoDevices()
    await move(first, await ownersMethod())
    await moveTo(first)
    await deleteAccount(first)
    const second = back()
    await second.signIn()
    expect(await user(second)).toMatchObject({ ended: 'replaced' })
    await forgetEnded(second)
    expect(await storedShare(storage, alice)).toBeNull()
    expect(await user(second)).toMatchObject({ isNew: true })
  })

  it('4. gets other addresses than the statement leads to: the error stays', async () => {
    const { gateway, first, storage, back } = await twoDevices()
    await move(first, await ownersMethod())
    await moveTo(first)
    await deletePrevious(first)
    await moveTo(first)
    const stranger = testFrame({ gateway })
    await stranger.signIn('mallory@example.com')
    await user(stranger)
    const theirs = gateway.user('mallory@example.com').wallet
    Object.assign(gateway.user(email).wallet ?? {}, { addresses: theirs?.addresses })
    const second = back()
    await expect(user(second)).rejects.toMatchObject({ code: 'WALLET_ADDRESSES_CHANGED' })
    await expect(forgetEnded(second)).rejects.toMatchObject({ code: 'WALLET_ADDRESSES_CHANGED' })
    expect(await storedShare(storage, alice)).not.toBeNull()
  })
})

it('a statement with a tampered field is rejected', async () => {
  const { gateway, first, back } = await twoDevices()
  await deleteAccount(first)
  const body = gateway.calls.findLast(({ name }) => name === 'deleteAccount')?.body
  const end = body !== null && typeof body === 'object' && 'end' in body ? body.end : null
  const changes: Partial<WalletEnd>[] = [{ at: 1 }, { generation: 5 }, { signature: `0x${'11'.repeat(65)}` }]
  for (const change of changes) {
    const stop = gateway.interrupt('wallet', () =>
      Response.json({ wallet: null, ends: [Object.assign({}, end, change)] }),
    )
    const second = back()
    await second.signIn()
    expect(await user(second).catch((thrown: unknown) => thrown)).not.toHaveProperty('ended')
    stop()
    second.end()
  }
})
