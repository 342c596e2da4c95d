/** Strangers have used up half of the emails to new devices. */
import { randomBytes } from 'node:crypto'
import { request } from 'node:http'
import type { Request } from '@playwright/test'
import { dappPage } from './support/dapp'
import { signInByEmail } from './support/embedded'
import { createGateway } from './support/gateway'
import { newAddress } from './support/mailbox'
import { openConnect, status } from './support/postern'
import { expect, test } from './support/test'

test('@main @embedded @hostile sign-in by email goes on with half of the emails used up, without a word to the user', async ({
  page,
  sites,
  lane,
}) => {
  const project = { id: 'demo', name: 'Any development origin', allowedOrigins: [], defaultAncestors: true }
  // Eight emails to new devices, four of them without a solved challenge.
  const settings = { MAIL_RATE_PER_PROJECT: '12' }
  const gateway = await createGateway(lane.ownGatewayPort, [project], undefined, 'warn', settings)
  try {
    await gateway.start()
    await page.goto(sites.serve('dapp', '/', dappPage({ host: gateway.origin, wallets: [] })))
    await page.waitForFunction(() => 'Postern' in window)
    await openConnect(page)
    const { origin } = new URL(page.url())
    const statusForStranger = (email: string) => beginSignIn(lane.ownGatewayPort, { email, origin })
    for (let count = 0; count < 4; count += 1) expect(await statusForStranger(newAddress())).toBe(200)
    expect(await statusForStranger(newAddress())).toBe(428)

    const isSolved = (request: Request) =>
      request.url().includes('/auth/email?') && (request.postData() ?? '').includes('"solution"')
    await Promise.all([page.waitForRequest(isSolved, { timeout: 60_000 }), signInByEmail(page, newAddress())])
    await expect.poll(() => status(page), { timeout: 60_000 }).toBe('connected')
  } finally {
    await gateway.remove()
  }
})

/** From a program, on a new device. Returns the status. */
function beginSignIn(port: number, given: { readonly email: string; readonly origin: string }) {
  const body = JSON.stringify({ ...given, deviceToken: randomBytes(32).toString('base64url') })
  const headers = { Host: `wallet.postern.localhost:${port}`, 'Content-Type': 'application/json' }
  const path = '/auth/email?projectId=demo'
  return new Promise<number | undefined>((resolve, reject) => {
    request({ host: '127.0.0.1', port, path, method: 'POST', headers, agent: false }, (response) => {
      response.resume().on('end', () => resolve(response.statusCode))
    })
      .on('error', reject)
      .end(body)
  })
}
