import { base64urlnopad } from '@scure/base'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fakeGateway } from '../../testing/fake-gateway'
import { newStorage, testFrame, walletOrigin } from '../../testing/test-frame'
import { hello, openedWindow as opened, openWindow, ticketOf } from '../../testing/test-window'
import { WalletRecord } from '../../window-messages'
import { ticketLife } from './window-link'

type Frame = ReturnType<typeof testFrame>

async function signed(frame: Frame): Promise<void> {
  const { id, reply } = frame.send('RPC_REQUEST', { method: 'personal_sign', params: ['0x00'] })
  await frame.notice('APPROVAL_REQUEST')
  await frame.approve(id)
  expect(await reply).toMatchObject({ ok: true })
}

describe('the wallet window', () => {
  it('receives its user and purpose, and settles the pending request', async () => {
    const frame = testFrame()
    await frame.signIn()
    const { address } = await frame.ask('GET_USER', undefined)
    await frame.ask('SYNC_THEME', { themeMode: 'dark' })
    const window = await opened(frame, 'export')
    expect(window.first).toMatchObject({
      purpose: 'export',
      projectName: 'Demo',
      origin: 'https://app.example',
      storage: 'frame',
      themeMode: 'dark',
      user: { email: 'alice@example.com' },
      recovery: { method: 'gateway' },
      addresses: { eip155: address },
    })
    const finished = frame.ask('AWAIT_WINDOW', { purpose: 'export' })
    expect(await window.ask('done')).toMatchObject({ ok: true })
    await finished
    await frame.ask('AWAIT_WINDOW', { purpose: 'export' })
  })

  it('1. 2. is accepted from this origin only, with a fresh ticket of its purpose', async () => {
    const frame = testFrame()
    await frame.signIn()
    const ticket = await ticketOf(frame, 'export')
    for (const [data, origin] of [
      [hello('export', ticket), 'https://app.example'],
      [hello('export', ticket), 'https://modal.test'],
      [hello('export', ticket), 'null'],
      [hello('recovery', ticket), walletOrigin],
      [hello('export', 'b'.repeat(43)), walletOrigin],
      [{ ...hello('export', ticket), more: 1 }, walletOrigin],
    ] as const) {
      const stranger = openWindow(frame, data, { origin })
      stranger.port.postMessage({ kind: 'ask', id: '1', name: 'exportSource', payload: { otp: '123456' } })
      await frame.ask('GET_CHAIN_ID', undefined)
      expect(stranger.received).toEqual([])
    }
    await ticketOf(frame, 'export')
    const late = openWindow(frame, hello('export', ticket))
    await frame.ask('GET_CHAIN_ID', undefined)
    expect(late.received).toEqual([])
    const newest = await ticketOf(frame, 'export')
    frame.advance(ticketLife)
    const later = openWindow(frame, hello('export', newest))
    await frame.ask('GET_CHAIN_ID', undefined)
    expect(later.received).toEqual([])
    expect(frame.gateway.calls.map(({ name }) => name)).not.toContain('confirmExport')
  })

  it('2. is accepted for its own project only, even on a page with two projects’ frames', async () => {
    const gateway = fakeGateway()
    const demo = testFrame({ gateway })
    const shop = testFrame({ gateway, page: { projectId: 'shop' } })
    await demo.signIn()
    await shop.signIn('bob@example.com')
    const ticket = await ticketOf(demo, 'export')
    const { projectId: _, ...nameless } = hello('export', ticket)
    for (const data of [{ ...hello('export', ticket), projectId: 'shop' }, nameless])
      for (const frame of [demo, shop]) {
        const stranger = openWindow(frame, data)
        await frame.ask('GET_CHAIN_ID', undefined)
        expect(stranger.received).toEqual([])
      }
    expect((await openWindow(demo, hello('export', ticket)).context())?.user?.email).toBe('alice@example.com')
  })

  it('may only ask what its purpose allows', async () => {
    const frame = testFrame()
    await frame.signIn()
    const window = await opened(frame, 'keep')
    for (const name of ['exportSource', 'setRecovery', 'confirm', 'unlock'])
      expect(await window.ask(name, { otp: '123456' })).toMatchObject({ ok: false, code: 'INVALID_REQUEST' })
  })

  it('gets two matching shares only with the code', async () => {
    const frame = testFrame()
    await frame.signIn()
    const window = await opened(frame, 'export')
    expect(await window.ask('confirm', { purpose: 'export' })).toMatchObject({ ok: true, payload: { needsCode: true } })
    expect(await window.ask('exportSource', { otp: '000000' })).toMatchObject({ ok: false, code: 'WRONG_CODE' })
    expect(await window.ask('exportSource', { otp: 'x' })).toMatchObject({ ok: false, code: 'INVALID_PARAMS' })
    const answer = await window.ask('exportSource', { otp: '123456' })
    expect(answer).toMatchObject({ ok: true, payload: { addresses: window.first.addresses } })
  })

  it('does nothing for a user who signs in after it opened', async () => {
    const frame = testFrame()
    await frame.signIn()
    const [exporting, recovering] = [await opened(frame, 'export'), await opened(frame, 'recovery')]
    await frame.signIn('bob@example.com')
    await frame.ask('GET_USER', undefined)
    const recovery = { method: 'gateway' }
    for (const answer of [
      await exporting.ask('confirm', { purpose: 'export' }),
      await exporting.ask('exportSource', { otp: '123456' }),
      await recovering.ask('setRecovery', { recovery, otp: '123456' }),
    ])
      expect(answer).toMatchObject({ ok: false, code: 'UNAUTHORIZED' })
    expect(frame.gateway.calls.map(({ name }) => name)).not.toContain('confirmExport')
    expect(await (await opened(frame, 'export')).ask('exportSource', { otp: '123456' })).toMatchObject({ ok: true })
  })

  it('reports that it was closed, but not a reload', async () => {
    const frame = testFrame()
    await frame.signIn()
    const ticket = await ticketOf(frame, 'recovery')
    const first = openWindow(frame, hello('recovery', ticket))
    await first.context()
    const waiting = frame.send('AWAIT_WINDOW', { purpose: 'recovery' })
    first.port.postMessage({ kind: 'bye' })
    await frame.ask('GET_CHAIN_ID', undefined)
    const again = openWindow(frame, hello('recovery', ticket))
    await again.context()
    frame.advance(10_000)
    await frame.ask('GET_CHAIN_ID', undefined)
    again.port.postMessage({ kind: 'bye' })
    await again.ask('confirm', { purpose: 'recovery' })
    frame.advance(10_000)
    expect(await waiting.reply).toMatchObject({ ok: false, code: 'WINDOW_CLOSED' })
    await expect(frame.ask('AWAIT_WINDOW', { purpose: 'recovery' })).rejects.toMatchObject({ code: 'WINDOW_CLOSED' })
  })

  it('stores what a denied frame cannot, and returns it to the next one', async () => {
    const gateway = fakeGateway()
    const frame = testFrame({ gateway, storage: null })
    await frame.signIn()
    const { address, storage } = await frame.ask('GET_USER', undefined)
    expect(storage).toBe('memory')
    const window = await opened(frame, 'keep')
    const taken = await window.ask('takeRecord')
    const record = WalletRecord.parse(taken.ok ? taken.payload : null)
    await window.ask('kept')
    await window.ask('done')
    expect((await frame.ask('GET_USER', undefined)).storage).toBe('window')
    frame.end()

    const next = testFrame({ gateway, storage: null })
    expect(await next.ask('IS_CONNECTED', undefined)).toEqual({ isConnected: false })
    const other = await opened(next, 'keep')
    expect(other.first).toMatchObject({ user: null, addresses: null })
    expect(await other.ask('giveRecord', record)).toMatchObject({ ok: true, payload: { signedIn: true } })
    expect(await next.ask('GET_USER', undefined)).toMatchObject({ address, storage: 'window' })
    const sign = next.send('RPC_REQUEST', { method: 'personal_sign', params: ['0x00'] })
    await next.notice('APPROVAL_REQUEST')
    await next.approve(sign.id)
    expect(await sign.reply).toMatchObject({ ok: true })
    expect(gateway.user('alice@example.com').wallet?.rows.size).toBe(1)
  })

  it('gives a device its row before it stores anything', async () => {
    const gateway = fakeGateway()
    const laptop = testFrame({ gateway })
    await laptop.signIn()
    await laptop.ask('GET_USER', undefined)
    const guest = testFrame({ gateway, storage: null })
    await guest.signIn()
    await guest.ask('GET_USER', undefined)
    expect(gateway.user('alice@example.com').wallet?.rows.size).toBe(1)
    const window = await opened(guest, 'keep')
    const taken = await window.ask('takeRecord')
    const record = WalletRecord.parse(taken.ok ? taken.payload : null)
    expect(record.shares).toHaveLength(1)
    expect(gateway.user('alice@example.com').wallet?.rows.size).toBe(2)
  })

  it('does not sign out the current user', async () => {
    const gateway = fakeGateway()
    const bob = testFrame({ gateway, storage: newStorage() })
    await bob.signIn('bob@example.com')
    await bob.ask('GET_USER', undefined)
    const bobs = await opened(bob, 'keep')
    const taken = await bobs.ask('takeRecord')
    const alice = testFrame({ gateway, storage: null })
    await alice.signIn()
    const window = await opened(alice, 'keep')
    await window.ask('giveRecord', taken.ok ? taken.payload : null)
    expect((await alice.ask('GET_USER', undefined)).email).toBe('alice@example.com')
  })

  it('moves recovery to the user: other devices keep working, and the window unlocks a new one', async () => {
    const gateway = fakeGateway()
    const laptop = testFrame({ gateway })
    await laptop.signIn()
    const { address } = await laptop.ask('GET_USER', undefined)
    const tablet = testFrame({ gateway })
    await tablet.signIn()
    await tablet.ask('GET_USER', undefined)

    const { publicKey, privateKey } = await crypto.subtle.generateKey({ name: 'ECDH', namedCurve: 'P-256' }, true, [
      'deriveBits',
    ])
    const spki = new Uint8Array(await crypto.subtle.exportKey('spki', publicKey))
    const recovery = {
      method: 'passphrase',
      publicKey: base64urlnopad.encode(spki),
      wrappedKey: 'AAAA',
      salt: 'AAAA',
      memory: 65_536,
      passes: 3,
      lanes: 1,
    } as const
    const window = await opened(laptop, 'recovery')
    expect(await window.ask('setRecovery', { recovery, otp: '000000' })).toMatchObject({
      ok: false,
      code: 'WRONG_CODE',
    })
    // A rejected request changes nothing.
    await signed(laptop)
    expect(await window.ask('setRecovery', { recovery, otp: '123456' })).toMatchObject({ ok: true })
    await signed(laptop)
    await signed(tablet)
    await tablet.gateway.called('putDevice')
    await signed(tablet)

    const phone = testFrame({ gateway })
    await phone.signIn()
    expect(await phone.ask('GET_USER', undefined)).toMatchObject({ address, locked: 'passphrase' })
    const stranger = await crypto.subtle.generateKey({ name: 'ECDH', namedCurve: 'P-256' }, false, ['deriveBits'])
    const unlocking = await opened(phone, 'unlock')
    expect(unlocking.first.recovery).toEqual(recovery)
    expect(await unlocking.ask('unlock', { recoveryKey: stranger.privateKey })).toMatchObject({
      ok: false,
      code: 'WALLET_LOCKED',
    })
    expect(await unlocking.ask('unlock', { recoveryKey: 'a passphrase' })).toMatchObject({ code: 'INVALID_PARAMS' })
    expect(await unlocking.ask('unlock', { recoveryKey: privateKey })).toMatchObject({ ok: true })
    const user = await phone.ask('GET_USER', undefined)
    expect(user.address).toBe(address)
    expect(user.locked).toBeUndefined()
    await signed(phone)
  })

  it('never makes the frame throw, whatever it sends', async () => {
    const frame = testFrame()
    await frame.signIn()
    const window = await opened(frame, 'keep')
    await fc.assert(
      fc.asyncProperty(fc.anything(), async (value) => {
        try {
          window.port.postMessage(value)
        } catch {
          return
        }
        frame.window.post({ data: value, origin: walletOrigin })
        await frame.ask('GET_CHAIN_ID', undefined)
      }),
      { numRuns: 200 },
    )
    expect(frame.counted.reports).toEqual([])
  })
})
