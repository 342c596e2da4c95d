import { recoveryProofText, recoveryText, type WalletApiBody, walletApi } from '@postern/protocol'
import { recoverMessageAddress } from 'viem'
import { describe, expect, it } from 'vitest'
import { count, open, ownersMethod, sign } from './testing/steps'
import { newStorage, storedShare, testFrame } from './testing/test-frame'
import { openedWindow } from './testing/test-window'

const alice = 'email-alice@example.com'
const first = { recoveryChoice: 'first' } as const
const hardened = { recovery: 'hardened' } as const

type Frame = ReturnType<typeof testFrame>

async function signedIn(options: Parameters<typeof testFrame>[0]): Promise<Frame> {
  const frame = testFrame(options)
  await frame.signIn()
  return frame
}

/** Every body that the gateway got to create the wallet. */
function created(frame: Frame): readonly WalletApiBody<'createWallet'>[] {
  const bodies = frame.gateway.calls.filter(({ name }) => name === 'createWallet').map(({ body }) => body)
  return bodies.map((body) => walletApi.createWallet.body.parse(body))
}

async function createWith(frame: Frame, recovery: unknown) {
  const window = await openedWindow(frame, 'create')
  return window.ask('createWallet', { recovery, addresses: window.first?.addresses })
}

describe('a new user of a project that asks first', () => {
  it('1. nothing is made or sent before the choice', async () => {
    const storage = newStorage()
    const frame = await signedIn({ page: first, storage })
    expect(await frame.ask('GET_USER', undefined)).toMatchObject({ address: '', recoveryWanted: 'any' })
    expect(await frame.ask('GET_SECURITY', undefined)).toMatchObject({ recovery: null, devices: [] })
    expect(created(frame)).toEqual([])
    expect(await storedShare(storage, alice)).toBeNull()
    await expect(sign(frame)).rejects.toMatchObject({ code: 'WALLET_NOT_CREATED' })
    expect(frame.counted.signers).toBe(0)
  })

  it('1. the first split is for the chosen method, with the proof of the choice, in one request', async () => {
    const storage = newStorage()
    const frame = await signedIn({ page: first, storage })
    const recovery = await ownersMethod()
    expect(await createWith(frame, recovery)).toMatchObject({ ok: true })
    const [body, ...more] = created(frame)
    if (body?.chosen === undefined) throw new Error('A choice expected')
    expect(more).toEqual([])
    // A share is 17 bytes; a sealed one has a version, a point and a tag besides.
    expect(body.shares.authShare).toHaveLength(23)
    expect(body.shares.recoveryShare.length).toBeGreaterThan(100)
    expect(body.chosen).toMatchObject({ recovery, recoveryProof: { generation: 1 } })
    const { signature, generation } = body.chosen.recoveryProof
    const message = recoveryProofText({ userId: alice, generation, recovery: recoveryText(recovery) })
    expect(await recoverMessageAddress({ message, signature: `0x${signature.slice(2)}` })).toBe(body.addresses.eip155)
    const user = await frame.ask('GET_USER', undefined)
    expect(user.address).toBe(body.addresses.eip155)
    expect(user.recoveryWanted).toBeUndefined()
    expect((await storedShare(storage, alice))?.device.binding?.generation).toBe(1)
    await sign(frame)
    expect(count(frame, 'setRecovery')).toBe(0)
  })

  it('the sign-in as recovery needs one request of the modal, and no window', async () => {
    const frame = await signedIn({ page: first })
    await frame.ask('CREATE_WALLET', { recovery: 'gateway' })
    expect(created(frame)).toHaveLength(1)
    expect(created(frame)[0]?.chosen).toBeUndefined()
    await sign(frame)
  })

  it('a later visit asks again, until a wallet exists', async () => {
    const [gateway, storage] = [testFrame().gateway, newStorage()]
    const before = await signedIn({ gateway, storage, page: first })
    await before.ask('GET_USER', undefined)
    before.end()
    const after = testFrame({ gateway, storage, page: first })
    expect(await after.ask('GET_USER', undefined)).toMatchObject({ recoveryWanted: 'any' })
    await after.ask('CREATE_WALLET', { recovery: 'gateway' })
    after.end()
    const last = testFrame({ gateway, storage, page: first })
    expect((await last.ask('GET_USER', undefined)).recoveryWanted).toBeUndefined()
  })

  it('a window of another purpose cannot create a wallet', async () => {
    const frame = await signedIn({ page: first })
    const window = await openedWindow(frame, 'unlock')
    expect(
      await window.ask('createWallet', { recovery: { method: 'gateway' }, addresses: window.first?.addresses }),
    ).toMatchObject({ ok: false })
    expect(created(frame)).toEqual([])
  })
})

describe('a project that requires a passkey or passphrase', () => {
  it('2. sends no split for the gateway, whatever the modal or the window asks', async () => {
    const storage = newStorage()
    const frame = await signedIn({ page: hardened, storage })
    expect(await frame.ask('GET_USER', undefined)).toMatchObject({ address: '', recoveryWanted: 'hardened' })
    const refused = { code: 'HARDENED_RECOVERY_REQUIRED' }
    await expect(frame.ask('CREATE_WALLET', { recovery: 'gateway' })).rejects.toMatchObject(refused)
    expect(await createWith(frame, { method: 'gateway' })).toMatchObject({ ok: false, ...refused })
    expect(created(frame)).toEqual([])
    expect(await storedShare(storage, alice)).toBeNull()
    expect(await createWith(frame, await ownersMethod())).toMatchObject({ ok: true })
    await sign(frame)
  })

  it('2. does not move a wallet back to the gateway', async () => {
    const frame = await signedIn({ page: hardened })
    expect(await createWith(frame, await ownersMethod())).toMatchObject({ ok: true })
    const window = await openedWindow(frame, 'recovery')
    const answer = await window.ask('setRecovery', { recovery: { method: 'gateway' }, otp: '123456' })
    expect(answer).toMatchObject({ ok: false, code: 'HARDENED_RECOVERY_REQUIRED' })
    expect(count(frame, 'setRecovery')).toBe(0)
  })
})

describe('3. a key that is bound to addresses', () => {
  it('protects the wallet with these addresses, or no wallet is made', async () => {
    const frame = await signedIn({ page: first })
    const window = await openedWindow(frame, 'create')
    const addresses = window.first?.addresses
    const other = { ...addresses, eip155: `0x${'11'.repeat(20)}` }
    const recovery = await ownersMethod()
    expect(await window.ask('createWallet', { recovery, addresses: other })).toMatchObject({
      ok: false,
      code: 'WALLET_ADDRESSES_CHANGED',
    })
    expect(created(frame)).toEqual([])
    expect(await window.ask('createWallet', { recovery, addresses })).toMatchObject({ ok: true })
    expect(created(frame)[0]?.addresses).toEqual(addresses)
  })

  it('a seed that only a closed window saw is never stored or sent', async () => {
    const storage = newStorage()
    const frame = await signedIn({ page: first, storage })
    const window = await openedWindow(frame, 'create')
    await frame.ask('SIGN_OUT', undefined)
    await frame.signIn()
    const again = await openedWindow(frame, 'create')
    expect(again.first?.addresses).not.toEqual(window.first?.addresses)
    expect(await storedShare(storage, alice)).toBeNull()
    expect(created(frame)).toEqual([])
  })
})

describe('4. a gateway that lies about a new wallet', () => {
  /** Another user's wallet, which the gateway shows as Alice's with the choice that she sent. */
  async function madeUp(frame: Frame) {
    const other = testFrame({ gateway: frame.gateway })
    await other.signIn('mallory@example.com')
    await other.ask('GET_USER', undefined)
    return { ...frame.gateway.user('mallory@example.com').wallet }
  }

  it.each(['WALLET_EXISTS', 'BAD_PROOF'] as const)('cannot put another wallet in its place by %s', async (name) => {
    const storage = newStorage()
    const frame = await signedIn({ page: first, storage })
    await frame.ask('GET_USER', undefined)
    const wallet = await madeUp(frame)
    const recovery = await ownersMethod()
    frame.gateway.interrupt('createWallet', () => {
      Object.assign(frame.gateway.user('alice@example.com'), { wallet: { ...wallet, recovery } })
      return Response.json({ status: 'error', reasons: [{ name, description: '' }] }, { status: 409 })
    })
    const answer = await createWith(frame, recovery)
    expect(answer).toMatchObject({
      ok: false,
      code: name === 'WALLET_EXISTS' ? 'WALLET_ALREADY_CREATED' : 'WALLET_KEY_MISMATCH',
    })
    expect((await storedShare(storage, alice))?.isNew).toBe(true)
  })

  it('cannot have a wallet made in place of the one on this device', async () => {
    const storage = newStorage()
    const frame = testFrame({ storage })
    await open(frame)
    frame.end()
    const before = await storedShare(storage, alice)
    const { gateway } = frame
    gateway.interrupt('wallet', () => Response.json({ wallet: null }))
    const next = testFrame({ gateway, storage, page: first })
    await expect(next.ask('GET_USER', undefined)).rejects.toMatchObject({ code: 'WALLET_NOT_REPORTED' })
    await expect(next.ask('CREATE_WALLET', { recovery: 'gateway' })).rejects.toMatchObject({
      code: 'WALLET_NOT_REPORTED',
    })
    expect(await storedShare(storage, alice)).toEqual(before)
    expect(created(frame)).toHaveLength(1)
  })

  it('loses nothing by an answer that never arrives: the next request finds the wallet', async () => {
    const frame = await signedIn({ page: first })
    const { gateway } = frame
    const recovery = await ownersMethod()
    const lost = testFrame({
      gateway: {
        ...gateway,
        async fetch(input, init) {
          const response = await gateway.fetch(input, init)
          if (String(input).startsWith(walletApi.createWallet.path)) throw new TypeError('Failed to fetch')
          return response
        },
      },
      storage: frame.storage,
      page: first,
    })
    expect(await createWith(lost, recovery)).toMatchObject({ ok: false, code: 'WALLET_SERVICE_UNREACHABLE' })
    const { addresses } = gateway.user('alice@example.com').wallet ?? {}
    expect(await createWith(lost, recovery)).toMatchObject({ ok: true })
    expect((await lost.ask('GET_USER', undefined)).address).toBe(addresses?.eip155)
    await sign(lost)
  })
})
