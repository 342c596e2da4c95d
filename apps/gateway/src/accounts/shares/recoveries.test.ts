import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { rateLimits } from '../../platform/db/schema'
import { startTestApp, type TestApp } from '../../testing/app'
import { noon } from '../../testing/clock'
import { call, newToken, notMeIn, ownDevice, pressNotMe as press, signInByEmail, succeed } from '../../testing/sign-in'
import { newWallet } from '../../testing/wallet'

const hour = 60 * 60_000
let app: TestApp
let at = noon
let count = 0
let email: string
beforeAll(async () => {
  app = await startTestApp({ now: () => at })
})
afterAll(() => app.close())
beforeEach(async () => {
  at += 24 * hour
  email = `visitor${++count}@example.com`
  await app.database.orm.delete(rateLimits)
})
afterEach(async () => {
  await app.projects.update('demo', { recoveryWaitHours: 0 })
  app.mails.length = 0
})

type Device = { readonly token: string; readonly deviceToken: string; readonly userId: string }

async function newDevice(deviceToken = newToken()): Promise<Device> {
  at += 60_000
  const { sessionToken, user } = await signInByEmail(app, email, deviceToken)
  return { token: sessionToken, deviceToken, userId: user.id }
}

async function owner(): Promise<Device> {
  const device = await newDevice()
  const wallet = newWallet()
  const shares = await wallet.split('create', device.userId)
  await succeed(app, 'createWallet', { addresses: wallet.addresses, shares }, device)
  return device
}

const recover = (device: Device) => call(app, 'recover', {}, device)
const seenBy = async (device: Device) => (await succeed(app, 'wallet', {}, device)).wallet?.recoveries ?? []
const notices = () => app.mails.filter(({ to, subject }) => to === email && subject.startsWith('A new device'))
const waitHours = (hours: number) => app.projects.update('demo', { recoveryWaitHours: hours })

async function pressNotMe(): Promise<void> {
  expect((await press(app, notMeIn({ mails: notices() }, email))).status).toBe(200)
}

describe('a recovery', () => {
  test('1. is told to the mailbox once, however often the session repeats it', async () => {
    await owner()
    const second = await newDevice()
    await Promise.all([recover(second), recover(second)])
    expect((await recover(second)).status).toBe(200)
    expect(notices().map(({ subject }) => subject)).toEqual(['A new device opened your wallet'])
    const again = await newDevice(second.deviceToken)
    expect((await recover(again)).status).toBe(200)
    expect(notices()).toHaveLength(2)
  })

  test('1. is told to the other devices even if the mail fails', async () => {
    const first = await owner()
    const second = await newDevice()
    const push = app.mails.push
    app.mails.push = () => {
      throw new Error('no mail server')
    }
    try {
      expect((await recover(second)).status).toBe(200)
    } finally {
      app.mails.push = push
    }
    expect(await seenBy(first)).toHaveLength(1)
  })

  test('is ended from the mailbox: the device is signed out, the owner is not', async () => {
    const first = await owner()
    const thief = await newDevice()
    await recover(thief)
    await pressNotMe()
    expect((await recover(thief)).failure).toBe('DEVICE_REVOKED')
    expect((await call(app, 'deviceShare', {}, first)).status).toBe(200)
    expect(await seenBy(first)).toEqual([])
  })

  test('4. is listed on every other device until that one has seen it, and on no later device', async () => {
    const first = await owner()
    const second = await newDevice()
    const third = await newDevice()
    await recover(third)
    const [listed] = await seenBy(first)
    expect(listed).toEqual({ deviceId: expect.any(String), at, opensAt: null })
    expect(await seenBy(second)).toHaveLength(1)
    expect(await seenBy(third)).toEqual([])
    at += 1
    expect(await seenBy(await newDevice())).toEqual([])
    await succeed(app, 'seeRecoveries', { until: listed?.at ?? 0 }, third)
    expect(await seenBy(first)).toHaveLength(1)
    await succeed(app, 'seeRecoveries', { until: listed?.at ?? 0 }, first)
    expect(await seenBy(first)).toEqual([])
    expect(await seenBy(second)).toHaveLength(1)
    at += 30 * 24 * hour
    const later = await newDevice(second.deviceToken)
    expect(await seenBy(later)).toEqual([])
  })

  test.each([
    ['asks again while mail fails', true],
    ['asks again and waits', false],
  ])('5. that opened the wallet stays listed if its device %s', async (_, mailFails) => {
    const first = await owner()
    const second = await newDevice()
    expect((await recover(second)).status).toBe(200)
    const [opened] = await seenBy(first)
    await waitHours(24)
    const again = await newDevice(second.deviceToken)
    const push = app.mails.push
    if (mailFails)
      app.mails.push = () => {
        throw new Error('no mail server')
      }
    try {
      expect((await recover(again)).failure).toBe(mailFails ? 'server' : 'RECOVERY_WAITING')
    } finally {
      app.mails.push = push
    }
    const waiting = { deviceId: opened?.deviceId, at, opensAt: at + 24 * hour }
    expect(await seenBy(first)).toEqual(mailFails ? [opened] : [waiting, opened])
    // The session that recovered still has its recovery.
    expect((await recover(second)).status).toBe(200)
    at += 8 * 24 * hour
    await recover(await newDevice(second.deviceToken))
    expect((await seenBy(first)).at(-1)).toEqual(opened)
  })

  test('5. is listed once for each session that opened the wallet', async () => {
    const first = await owner()
    const second = await newDevice()
    await recover(second)
    const again = await newDevice(second.deviceToken)
    await Promise.all([recover(again), recover(again), recover(second)])
    expect(await seenBy(first)).toHaveLength(2)
  })

  test('4. no one can dismiss what is still to come', async () => {
    const first = await owner()
    await succeed(app, 'seeRecoveries', { until: at + 1_000 * hour }, first)
    await recover(await newDevice())
    expect(await seenBy(first)).toHaveLength(1)
  })
})

describe('a waiting time', () => {
  test('2. the shares are given out only after it, also to other sessions of the device', async () => {
    await owner()
    await waitHours(24)
    const second = await newDevice()
    expect(await recover(second)).toMatchObject({
      status: 403,
      failure: 'RECOVERY_WAITING',
      retryAfter: 24 * 3600,
    })
    expect(notices().map(({ subject }) => subject)).toEqual(['A new device wants to open your wallet'])
    at += 23 * hour
    const again = await newDevice(second.deviceToken)
    const left = await recover(again)
    expect(left.failure).toBe('RECOVERY_WAITING')
    expect(left.retryAfter).toBeLessThan(3600)
    expect(notices()).toHaveLength(1)
    at += hour
    expect((await recover(await newDevice(second.deviceToken))).status).toBe(200)
    expect(notices().map(({ subject }) => subject)).toEqual([
      'A new device wants to open your wallet',
      'A new device opened your wallet',
    ])
  })

  test('2. does not become shorter if the project shortens it meanwhile, nor longer', async () => {
    await owner()
    await waitHours(24)
    const second = await newDevice()
    await recover(second)
    await waitHours(0)
    expect((await recover(second)).failure).toBe('RECOVERY_WAITING')
    await waitHours(720)
    at += 24 * hour
    expect((await recover(await newDevice(second.deviceToken))).status).toBe(200)
  })

  test('3. begins again after 7 days, and for each recovery', async () => {
    await owner()
    await waitHours(1)
    const second = await newDevice()
    await recover(second)
    at += hour + 7 * 24 * hour
    expect((await recover(await newDevice(second.deviceToken))).failure).toBe('RECOVERY_WAITING')
    at += hour
    expect((await recover(await newDevice(second.deviceToken))).status).toBe(200)
    expect((await recover(await newDevice(second.deviceToken))).failure).toBe('RECOVERY_WAITING')
  })

  test('can be cancelled from the mailbox', async () => {
    await owner()
    await waitHours(24)
    const thief = await newDevice()
    await recover(thief)
    await pressNotMe()
    at += 24 * hour
    expect((await recover(thief)).failure).toBe('DEVICE_REVOKED')
    expect((await recover(await newDevice(thief.deviceToken))).failure).toBe('RECOVERY_WAITING')
  })

  test('can be cancelled on another device, which sees when it ends', async () => {
    const first = await owner()
    await waitHours(24)
    const thief = await newDevice()
    await recover(thief)
    const [waiting] = await seenBy(first)
    expect(waiting).toEqual({ deviceId: expect.any(String), at, opensAt: at + 24 * hour })
    await succeed(app, 'revokeDevice', { id: waiting?.deviceId ?? '' }, first)
    expect((await recover(thief)).failure).toBe('DEVICE_REVOKED')
    expect(await seenBy(first)).toEqual([])
  })

  test('is the owner’s projects’ time, even if the thief signs in through a project without one', async () => {
    await owner()
    await waitHours(24)
    const { sessionToken: token } = await app.auth.sessions.signIn(
      { provider: 'email', subject: email, email, userName: null },
      await ownDevice(),
      'strict',
    )
    expect((await call(app, 'recover', {}, { token, projectId: 'strict' })).failure).toBe('RECOVERY_WAITING')
  })

  test('is the owner’s projects’ time, even if the thief removed the device of the project with one', async () => {
    const through = async (projectId: string) => {
      const identity = { provider: 'email', subject: email, email, userName: null } as const
      const { sessionToken: token } = await app.auth.sessions.signIn(identity, await ownDevice(), projectId)
      return { token, projectId }
    }
    const wallet = newWallet()
    const first = await newDevice()
    const shares = await wallet.split('create', first.userId)
    await succeed(app, 'createWallet', { addresses: wallet.addresses, shares }, first)
    await waitHours(24)
    const second = await through('strict')
    await succeed(app, 'putDevice', await wallet.split('device', first.userId), second)
    const thief = await through('strict')
    const { wallet: told } = await succeed(app, 'wallet', {}, first)
    const id = told?.devices.find(({ isThis }) => isThis)?.id ?? ''
    await succeed(app, 'revokeDevice', { id }, thief)
    expect((await call(app, 'recover', {}, thief)).failure).toBe('RECOVERY_WAITING')
    // The owner left that project.
    at += 31 * 24 * hour
    expect((await call(app, 'recover', {}, await through('strict'))).status).toBe(200)
  })

  test('does not begin if the mailbox cannot be told', async () => {
    await owner()
    await waitHours(1)
    const second = await newDevice()
    const push = app.mails.push
    app.mails.push = () => {
      throw new Error('no mail server')
    }
    try {
      expect((await recover(second)).status).toBeGreaterThanOrEqual(500)
    } finally {
      app.mails.push = push
    }
    at += hour
    expect((await recover(await newDevice(second.deviceToken))).failure).toBe('RECOVERY_WAITING')
  })
})
