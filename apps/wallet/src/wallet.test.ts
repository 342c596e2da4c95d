import { walletApi } from '@postern/protocol'
import { describe, expect, it } from 'vitest'
import { fakeGateway, refusal } from './testing/fake-gateway'
import { count, type Frame, move, names, open, ownersMethod, passphrase, sign } from './testing/steps'
import { newStorage, removeDevice, testFrame } from './testing/test-frame'
import { openedWindow } from './testing/test-window'

/** The second device recovered from the first one's row. */
async function twoDevices() {
  const gateway = fakeGateway()
  const laptop = testFrame({ gateway })
  const tablet = testFrame({ gateway })
  await open(laptop)
  await open(tablet)
  const { wallet } = gateway.user('alice@example.com')
  if (wallet === null) throw new Error('a wallet expected')
  return { gateway, wallet, laptop, tablet }
}

const handedIn = (gateway: Frame['gateway']) => gateway.calls.filter(({ name }) => name === 'putDevice').length

async function afterAllElse(frame: Frame): Promise<void> {
  const window = await openedWindow(frame, 'recovery')
  expect(await window.ask('setRecovery', { recovery: { method: 'gateway' }, otp: '000000' })).toMatchObject({
    code: 'WRONG_CODE',
  })
}

describe('a wallet', () => {
  it('1. is created once, and its share is stored before the gateway knows of it', async () => {
    const gateway = fakeGateway()
    const storage = newStorage()
    gateway.interrupt('createWallet', () => Promise.reject(new TypeError('Failed to fetch')))
    const first = testFrame({ gateway, storage })
    await first.signIn()
    await expect(first.ask('GET_USER', undefined)).rejects.toMatchObject({ code: 'WALLET_SERVICE_UNREACHABLE' })
    gateway.interrupt('createWallet', () => undefined)
    const address = (await first.ask('GET_USER', undefined)).address
    expect(gateway.user('alice@example.com').wallet?.addresses.eip155).toBe(address)
    await sign(first)
  })

  it('1. is opened, not created again, if its creation succeeded without a response', async () => {
    const gateway = fakeGateway()
    let isFirst = true
    const real = gateway.fetch
    const frame = testFrame({
      gateway: {
        ...gateway,
        async fetch(input, init) {
          const response = await real(input, init)
          if (!String(input).startsWith('/wallet/create') || !isFirst) return response
          isFirst = false
          throw new TypeError('Failed to fetch')
        },
      },
    })
    await frame.signIn()
    await frame.ask('GET_USER', undefined).catch(() => null)
    const { address } = await frame.ask('GET_USER', undefined)
    expect(gateway.user('alice@example.com').wallet?.addresses.eip155).toBe(address)
    expect(count(frame, 'createWallet')).toBe(1)
    await sign(frame)
  })

  it('2. is one wallet when two tabs create it at once', async () => {
    const gateway = fakeGateway()
    const storage = newStorage()
    const one = testFrame({ gateway, storage })
    const two = testFrame({ gateway, storage })
    await one.signIn()
    const [a, b] = await Promise.all([one.ask('GET_USER', undefined), two.ask('GET_USER', undefined)])
    expect(a.address).toBe(b.address)
    await sign(one)
    await sign(two)
  })

  it('3. is the same on a second device, which gets its own split and row', async () => {
    const gateway = fakeGateway()
    const laptop = testFrame({ gateway })
    const phone = testFrame({ gateway })
    const address = await open(laptop)
    expect(await open(phone)).toBe(address)
    expect(names(phone)).toContain('recover')
    expect(await sign(laptop)).toBe(await sign(phone))
    const shares = [...(gateway.user('alice@example.com').wallet?.rows.values() ?? [])].map(
      ({ authShare }) => authShare,
    )
    expect(new Set(shares).size).toBe(2)
  })

  it('3. creates a row in memory for a new wallet only', async () => {
    const gateway = fakeGateway()
    const first = testFrame({ gateway, storage: null })
    const address = await open(first)
    expect((await first.ask('GET_USER', undefined)).storage).toBe('memory')
    const second = testFrame({ gateway, storage: null })
    expect(await open(second)).toBe(address)
    await sign(second)
    expect(gateway.user('alice@example.com').wallet?.rows.size).toBe(1)
  })

  it('5. signs nothing on a revoked device, which is then signed out', async () => {
    const gateway = fakeGateway()
    const laptop = testFrame({ gateway })
    const phone = testFrame({ gateway })
    await open(laptop)
    await open(phone)
    const { devices } = await laptop.ask('GET_SECURITY', undefined)
    await removeDevice(laptop, devices.find(({ isThis }) => !isThis)?.id ?? '')
    await expect(sign(phone)).rejects.toMatchObject({ code: 'DEVICE_REVOKED' })
    await phone.notice('SESSION_ENDED')
    await sign(laptop)
    const recoveries = count(phone, 'recover')
    await open(phone)
    await sign(phone)
    expect(count(phone, 'recover')).toBe(recoveries + 1)
  })

  it('5. in memory signs nothing after the session ended', async () => {
    const gateway = fakeGateway()
    await open(testFrame({ gateway }))
    const guest = testFrame({ gateway, storage: null })
    await open(guest)
    gateway.endSessions()
    await expect(sign(guest)).rejects.toMatchObject({ code: 'UNAUTHORIZED' })
  })

  it('6. still signs if the gateway accepted a new split without a response', async () => {
    const { gateway, laptop, tablet } = await twoDevices()
    await move(laptop, await ownersMethod())
    tablet.end()
    const again = testFrame({ gateway, storage: tablet.storage })
    gateway.interrupt('putDevice', () => Promise.reject(new TypeError('Failed to fetch')))
    for (let times = 1; times <= 3; times += 1) {
      await sign(again)
      await gateway.called('putDevice', times + 1)
    }
    // The next frame too, with both shares in storage.
    again.end()
    const third = testFrame({ gateway, storage: tablet.storage })
    await sign(third)
  })

  it('8. hands in a new split after the next signature if it is stale, once per choice of the user', async () => {
    const { gateway, wallet, laptop, tablet } = await twoDevices()
    for (const times of [1, 2]) {
      await move(laptop, await ownersMethod())
      expect([...wallet.rows.values()].map(({ recoveryShare }) => recoveryShare === null)).toContain(true)
      tablet.end()
      const again = testFrame({ gateway, storage: tablet.storage })
      await sign(again)
      await gateway.called('putDevice', 1 + times)
      await afterAllElse(again)
      await sign(again)
      expect([...wallet.rows.values()].every(({ recoveryShare }) => recoveryShare !== null)).toBe(true)
      expect(handedIn(gateway)).toBe(1 + times)
      again.end()
    }
  })

  it('8. makes no share for a method that only the gateway claims, even if it knows no other', async () => {
    const { gateway, wallet, laptop, tablet } = await twoDevices()
    const owners = await ownersMethod()
    const proof = await move(laptop, owners)
    tablet.end()
    const stranger = await twoDevices()
    const theirs = await move(stranger.laptop, await ownersMethod())
    const mine = await ownersMethod()
    const lies = [
      // Only one device saw the new method; the gateway tells the others that nothing changed and their share was lost.
      { recovery: { method: 'gateway' }, recoveryProof: null },
      { recovery: { method: 'gateway' }, recoveryProof: proof },
      { recovery: mine, recoveryProof: null },
      { recovery: mine, recoveryProof: proof },
      { recovery: mine, recoveryProof: theirs },
      { recovery: owners, recoveryProof: { ...proof, generation: 2 } },
      { recovery: owners, recoveryProof: null },
    ] as const
    for (const lie of lies) {
      Object.assign(wallet, lie)
      const frame = testFrame({ gateway, storage: tablet.storage })
      await sign(frame)
      await afterAllElse(frame)
      expect(handedIn(gateway)).toBe(1)
      frame.end()
    }
    Object.assign(wallet, { recovery: owners, recoveryProof: proof })
    const frame = testFrame({ gateway, storage: tablet.storage })
    await sign(frame)
    await gateway.called('putDevice', 2)
  })

  it('8. rejects an earlier choice of the user, and repeats none', async () => {
    const { gateway, wallet, laptop, tablet } = await twoDevices()
    const choices = []
    for (const recovery of [await ownersMethod(), { method: 'gateway' }, await ownersMethod()] as const)
      choices.push({ recovery, recoveryProof: await move(laptop, recovery) })
    tablet.end()
    const learning = testFrame({ gateway, storage: tablet.storage })
    await sign(learning)
    await gateway.called('putDevice', 2)
    await afterAllElse(learning)
    learning.end()
    const latest = choices.at(-1)
    for (const choice of [...choices, { recovery: { method: 'gateway' }, recoveryProof: null }]) {
      Object.assign(wallet, choice)
      for (const row of wallet.rows.values()) row.recoveryShare = null
      const frame = testFrame({ gateway, storage: tablet.storage })
      if (choice === latest) {
        await sign(frame)
        await afterAllElse(frame)
      } else await expect(frame.ask('GET_USER', undefined)).rejects.toMatchObject({ code: 'WALLET_ROLLED_BACK' })
      expect(handedIn(gateway)).toBe(2)
      frame.end()
    }
  })

  it('8. does not recover with an earlier choice if the gateway claims that the row is gone', async () => {
    const { gateway, wallet, laptop, tablet } = await twoDevices()
    const copy = [...wallet.rows].map(([token, row]) => [token, { ...row }] as const)
    await move(tablet, await ownersMethod())
    tablet.end()
    const [laptopRow] = copy
    wallet.rows = new Map(laptopRow === undefined ? [] : [laptopRow])
    Object.assign(wallet, { recovery: { method: 'gateway' }, recoveryProof: null })
    const frame = testFrame({ gateway, storage: tablet.storage })
    await expect(frame.ask('GET_USER', undefined)).rejects.toMatchObject({ code: 'WALLET_ROLLED_BACK' })
    expect(handedIn(gateway)).toBe(1)
    await sign(laptop)
  })

  it('8. counts generations on from its own if the gateway forgot them, so that the next choice is the latest', async () => {
    const { wallet, laptop } = await twoDevices()
    expect((await move(laptop, await ownersMethod())).generation).toBe(1)
    expect((await move(laptop, await ownersMethod())).generation).toBe(2)
    Object.assign(wallet, { recoveryProof: null })
    expect((await move(laptop, await ownersMethod())).generation).toBe(3)
  })

  it('7. reports shares that do not match, and recovers after the next sign-in', async () => {
    const gateway = fakeGateway()
    const frame = testFrame({ gateway })
    const phone = testFrame({ gateway })
    const address = await open(frame)
    await open(phone)
    const rows = [...(gateway.user('alice@example.com').wallet?.rows.values() ?? [])]
    const [mine, theirs] = rows
    if (mine === undefined || theirs === undefined) throw new Error('two rows expected')
    const before = mine.authShare
    mine.authShare = theirs.authShare
    await expect(sign(frame)).rejects.toMatchObject({ code: 'WALLET_KEY_MISMATCH' })
    mine.authShare = before
    await frame.ask('SIGN_OUT', undefined)
    expect(await open(frame)).toBe(address)
    await sign(frame)
  })

  it('7. signs if another tab replaced the split meanwhile', async () => {
    const gateway = fakeGateway()
    const frame = testFrame({ gateway })
    await open(frame)
    await open(testFrame({ gateway }))
    const [, theirs] = [...(gateway.user('alice@example.com').wallet?.rows.values() ?? [])]
    let asked = 0
    gateway.interrupt('deviceShare', () => {
      asked += 1
      return asked === 1 ? Response.json({ authShare: theirs?.authShare }) : undefined
    })
    await sign(frame)
    expect(asked).toBe(2)
  })

  it('9. keeps its share if another user signs in in another tab while it signs', async () => {
    const gateway = fakeGateway()
    const storage = newStorage()
    const alice = testFrame({ gateway, storage })
    const address = await open(alice)
    const bob = testFrame({ gateway, storage, channel: 'slow' })
    let asked = 0
    const stop = gateway.interrupt('deviceShare', async () => {
      asked += 1
      if (asked > 1) return undefined
      await bob.signIn('bob@example.com')
      await bob.ask('GET_USER', undefined)
      // But not with the other user's session.
      return Response.json({ authShare: 'AAAA' })
    })
    await expect(sign(alice)).rejects.toMatchObject({ code: 'UNAUTHORIZED' })
    expect(asked).toBe(1)
    stop()
    await sign(bob)
    expect(await open(alice)).toBe(address)
    await sign(alice)
    expect(gateway.calls.map(({ name }) => name)).not.toContain('recover')
    expect(bob.notices.map(({ name }) => name)).not.toContain('SESSION_ENDED')
  })

  it('4. is locked on a new device if a passphrase protects it, but shows its addresses', async () => {
    const gateway = fakeGateway()
    const laptop = testFrame({ gateway })
    const address = await open(laptop)
    const wallet = gateway.user('alice@example.com').wallet
    if (wallet === null) throw new Error('a wallet expected')
    wallet.recovery = passphrase
    const phone = testFrame({ gateway })
    await phone.signIn()
    expect(await phone.ask('GET_USER', undefined)).toMatchObject({ address, locked: 'passphrase' })
    await expect(phone.ask('RPC_REQUEST', { method: 'personal_sign', params: [] })).rejects.toMatchObject({
      code: 'WALLET_LOCKED',
    })
    expect(await phone.ask('RPC_REQUEST', { method: 'eth_blockNumber' })).toEqual({ answered: 'eth_blockNumber' })
    expect(names(phone)).not.toContain('recover')
  })

  it('moves from memory to granted storage', async () => {
    const gateway = fakeGateway()
    await open(testFrame({ gateway }))
    const granted = newStorage()
    const storageAccess = { isGranted: async () => false, request: async () => granted }
    const guest = testFrame({ gateway, storage: null, storageAccess })
    const address = await open(guest)
    expect(await guest.ask('USE_GRANTED_STORAGE', undefined)).toEqual({ storage: 'granted' })
    await sign(guest)
    expect(gateway.user('alice@example.com').wallet?.rows.size).toBe(2)
    guest.end()
    const next = testFrame({ gateway, storage: null, storageAccess: { ...storageAccess, isGranted: async () => true } })
    expect(await next.ask('IS_CONNECTED', undefined)).toEqual({ isConnected: true })
    expect(await next.ask('GET_USER', undefined)).toMatchObject({ address, storage: 'granted' })
    await sign(next)
  })

  it('stays in memory if the grant yields no storage', async () => {
    const guest = testFrame({ storage: null })
    await open(guest)
    expect(await guest.ask('USE_GRANTED_STORAGE', undefined)).toEqual({ storage: 'memory' })
    await sign(guest)
  })

  it('ends its worker when idle', async () => {
    const frame = testFrame()
    await open(frame)
    expect(frame.counted).toMatchObject({ signers: 1, ended: 0 })
    frame.advance(60_000)
    await sign(frame)
    expect(frame.counted).toMatchObject({ signers: 2, ended: 1 })
  })

  it('says until when a new device waits, and opens after that', async () => {
    const gateway = fakeGateway()
    const address = await open(testFrame({ gateway }))
    const phone = testFrame({ gateway })
    await phone.signIn()
    const stop = gateway.interrupt('recover', () => refusal('RECOVERY_WAITING', 3_600))
    await expect(phone.ask('GET_USER', undefined)).rejects.toMatchObject({
      code: 'RECOVERY_WAITING',
      message: expect.stringMatching(/from \d{4}-\d\d-\d\dT[\d:.]+Z on/),
    })
    stop()
    expect((await phone.ask('GET_USER', undefined)).address).toBe(address)
  })

  it('passes on recoveries of other devices, and that the user has seen them', async () => {
    const gateway = fakeGateway()
    const laptop = testFrame({ gateway })
    await open(laptop)
    const recoveries = [{ deviceId: 'device-2', at: 5, opensAt: null }]
    gateway.interrupt('wallet', ({ body }) => {
      if (walletApi.wallet.body.parse(body).which === 'previous') return undefined
      const { wallet } = gateway.user('alice@example.com')
      if (wallet === null) throw new Error('There is no wallet')
      const { rows: _, ...told } = wallet
      return Response.json({ wallet: { ...told, devices: [], recoveries, stale: false } })
    })
    expect((await laptop.ask('GET_SECURITY', undefined)).recoveries).toEqual(recoveries)
    gateway.interrupt('seeRecoveries', () => Response.json({}))
    await laptop.ask('SEE_RECOVERIES', { until: 5 })
    expect(gateway.calls.at(-1)).toEqual({ name: 'seeRecoveries', body: { until: 5 } })
  })

  it('rejects in time if the gateway refuses recovery', async () => {
    const gateway = fakeGateway()
    await open(testFrame({ gateway }))
    const phone = testFrame({ gateway })
    await phone.signIn()
    gateway.interrupt('recover', () => refusal('SESSION_EXPIRED'))
    await expect(phone.ask('GET_USER', undefined)).rejects.toMatchObject({ code: 'SIGN_IN_AGAIN' })
    await phone.notice('SESSION_ENDED')
  })

  it('stays signed in if the sign-in is too old to recover', async () => {
    const gateway = fakeGateway()
    const address = await open(testFrame({ gateway }))
    const phone = testFrame({ gateway })
    await phone.signIn()
    const stop = gateway.interrupt('recover', () => refusal('SIGN_IN_TOO_OLD'))
    await expect(phone.ask('GET_USER', undefined)).rejects.toMatchObject({ code: 'SIGN_IN_AGAIN' })
    stop()
    expect((await phone.ask('GET_USER', undefined)).address).toBe(address)
  })
})
