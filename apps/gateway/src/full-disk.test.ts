/** A gateway, as a process, on a PostgreSQL whose disk is full. */
import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtemp, open, readdir, rm, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { startPostgres, type TestPostgres } from '@postern/devnet/postgres'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { runBackupCommand } from './operator/backup/command'
import { newSecretKeys } from './platform/secrets/secrets'
import { ProjectInput } from './projects/project'
import { createProjectStore } from './projects/store'
import { modalOrigin, walletOrigin } from './testing/app'
import { noon } from './testing/clock'
import { openTestDatabase } from './testing/databases'
import { type Replica, startReplica } from './testing/replica'
import { call, codeIn, newToken, signInByEmail, succeed } from './testing/sign-in'
import { newWallet } from './testing/wallet'

const origin = 'https://app.example.com'
/** Only root may mount one. */
const canMount = process.getuid?.() === 0 && process.platform === 'linux'

let disk = ''
let postgres: TestPostgres | undefined
let gateway: Replica | undefined

beforeAll(async () => {
  if (!canMount) return
  postgres = await startPostgres(async (folder) => {
    disk = folder
    mountDisk(folder, '160m')
  })
  gateway = await startReplica(inject('builtFolder'), {
    DATABASE_URL: postgres.url,
    MODAL_ORIGIN: modalOrigin,
    WALLET_ORIGIN: walletOrigin,
    POSTERN_SECRETS: JSON.stringify(newSecretKeys()),
    POSTERN_SEED: JSON.stringify([{ id: 'demo', name: 'Demo', allowedOrigins: [origin] }]),
    SMTP_URL: 'terminal',
  })
}, 240_000)
afterAll(async () => {
  await gateway?.kill()
  if (disk !== '') spawnSync('umount', ['-l', disk])
  await postgres?.stop()
})

/** `size` as `mount` takes it. */
function mountDisk(folder: string, size: string): void {
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', folder], { encoding: 'utf8' })
  if (mounted.status !== 0) throw new Error(mounted.stderr)
}

const filler = () => path.join(disk, 'filler')

async function fillDisk(): Promise<void> {
  const { bavail, bsize } = await statfs(disk)
  const file = await open(filler(), 'w')
  for (let left = bavail * bsize; left > 0; ) {
    const written = await file.write(Buffer.alloc(Math.min(left, 1_048_576))).catch(() => null)
    if (written === null) break
    left -= written.bytesWritten
  }
  await file.close()
}

test.runIf(canMount)(
  'a full disk loses nothing and leaves nothing half done, is logged once, and ends once there is space',
  { timeout: 120_000 },
  async () => {
    if (gateway === undefined) throw new Error('no gateway')
    const app = gateway
    const { sessionToken: token, user } = await signInByEmail(app, 'alice@example.com')
    const wallet = newWallet()
    const shares = await wallet.split('create', user.id)
    await succeed(app, 'createWallet', { addresses: wallet.addresses, shares }, { token })
    const begun = { email: 'bob@example.com', deviceToken: newToken(), origin }
    const { flow } = await succeed(app, 'email', begun)
    const otp = codeIn(app, begun.email)

    await fillDisk()
    // Rows go into existing pages; the first one that needs a new page fails.
    const answers: { readonly email: string; readonly status: number }[] = []
    while (!answers.some(({ status }) => status === 503) && answers.length < 2_000) {
      const email = `visitor-${answers.length}@example.com`
      answers.push({ email, status: (await call(app, 'email', { email, deviceToken: newToken(), origin })).status })
    }
    const refused = answers.filter(({ status }) => status !== 200)
    expect(refused.map(({ status }) => status)).toEqual([503])
    for (let count = 0; count < 5; count += 1) {
      const { status } = await call(app, 'email', {
        email: `more-${count}@example.com`,
        deviceToken: newToken(),
        origin,
      })
      expect([200, 503]).toContain(status)
    }
    // A refused visitor got no code, which would not work.
    expect(app.mails.some(({ to }) => to === refused[0]?.email)).toBe(false)
    // What needs no space goes on.
    expect(await app.status('/ready')).toBe(200)
    expect((await succeed(app, 'session', {}, { token })).user.id).toBe(user.id)
    expect(app.messages().filter((message) => message === 'database cannot serve')).toHaveLength(1)
    expect(app.messages()).not.toContain('failed')

    await rm(filler())
    const { user: bob } = await succeed(app, 'emailVerify', { flow, deviceToken: begun.deviceToken, otp })
    expect(bob.email).toBe(begun.email)
    expect((await call(app, 'emailVerify', { flow, deviceToken: begun.deviceToken, otp })).status).not.toBe(200)
    expect((await succeed(app, 'deviceShare', {}, { token })).authShare).toBe(shares.authShare)
    await signInByEmail(app, refused[0]?.email ?? '')
  },
)

test.runIf(canMount)('a backup onto a full disk says so, and leaves no file that looks like one', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'postern-backup-'))
  mountDisk(folder, '16k')
  const database = await openTestDatabase()
  try {
    const rows = Array.from({ length: 400 }, (_, index) => ({ id: `${index}`, name: randomBytes(60).toString('hex') }))
    for (const row of rows) await createProjectStore(database, () => noon).add(ProjectInput.parse(row))
    const backUp = runBackupCommand(['backup', 'everything'], folder, async () => database)
    await expect(backUp).rejects.toThrow(/everything was not written: its disk is full/)
    expect(await readdir(folder)).toEqual([])
  } finally {
    await database.close()
    spawnSync('umount', ['-l', folder])
    await rm(folder, { recursive: true, force: true })
  }
})
