/** The operator's drill: a backup, an empty database, and a user who signs in and signs. */
import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { allChains, dappPage } from './support/dapp'
import { codeOf, signedIn, signs, typeCode, typeEmail } from './support/embedded'
import { createGateway } from './support/gateway'
import { lastMail, newAddress, nextMail } from './support/mailbox'
import { address, inDapp, openConnect, status } from './support/postern'
import { expect, test } from './support/test'

const cli = path.resolve(import.meta.dirname, '../apps/gateway/dist/cli.js')

test('@operator @embedded after a restore into an empty database, the user signs in to the same wallet and signs', async ({
  page,
  sites,
  lane,
}) => {
  const project = { id: 'demo', name: 'Demo', allowedOrigins: [sites.origin('dapp')], defaultAncestors: false }
  const gateway = await createGateway(lane.ownGatewayPort, [project])
  const backups = await mkdtemp(path.join(tmpdir(), 'postern-drill-'))
  const run = (...words: string[]) =>
    promisify(execFile)(process.execPath, [cli, ...words], {
      env: { PATH: process.env.PATH, POSTERN_DATA: gateway.data, INIT_CWD: backups },
    })
  const email = newAddress()
  const files = ['rows.backup', '--data-keys', 'keys.backup']
  try {
    await gateway.start()
    await page.goto(sites.serve('dapp', '/', dappPage({ host: gateway.origin, wallets: [], networks: allChains })))
    await page.waitForFunction(() => 'Postern' in window)
    const { eip155 } = await signedIn(page, email)
    await signs(page, eip155)

    await gateway.stop()
    await run('backup', ...files)
    // The machine is lost. Of it only the secrets remain, which the operator keeps apart.
    await rm(path.join(gateway.data, 'gateway-db'), { recursive: true })
    await run('restore', ...files)
    await gateway.start()

    await page.reload()
    await page.waitForFunction(() => 'Postern' in window)
    // All users are signed out.
    await expect.poll(() => status(page), { timeout: 60_000 }).toBe('disconnected')
    const seen = await lastMail(email)
    await openConnect(page)
    await typeEmail(page, email)
    await typeCode(page, codeOf(await nextMail(email, seen)))
    await expect.poll(() => status(page), { timeout: 60_000 }).toBe('connected')
    expect(await address(page)).toBe(eip155)
    await inDapp(page, (postern) => postern.close())
    await signs(page, eip155)
  } finally {
    await gateway.remove()
    await rm(backups, { recursive: true })
  }
})
