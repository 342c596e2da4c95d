/** Time advances for the gateway and the browser together. */
import { installClock } from './support/clock'
import { dappPage } from './support/dapp'
import { codeField, codeOf, codeRefusal, typeCode, typeEmail } from './support/embedded'
import { createGateway } from './support/gateway'
import { newAddress, nextMail } from './support/mailbox'
import { inDapp, modal, openConnect, press, status, untilDrawn } from './support/postern'
import { expect, test } from './support/test'

test('@embedded a code is valid for ten minutes and one use, and only the newest one works', async ({
  page,
  sites,
  lane,
}) => {
  const project = { id: 'demo', name: 'Any development origin', allowedOrigins: [], defaultAncestors: true }
  const gateway = await createGateway(lane.ownGatewayPort, [project])
  const email = newAddress()
  const refused = codeRefusal(page, /./)
  const pass = async (milliseconds: number) => {
    await gateway.advance(milliseconds)
    await page.clock.fastForward(milliseconds)
  }
  const isIn = () => expect.poll(() => status(page), { timeout: 60_000 }).toBe('connected')
  try {
    await gateway.start()
    await installClock(page)
    await page.goto(sites.serve('dapp', '/', dappPage({ host: gateway.origin, wallets: [] })))
    await page.waitForFunction(() => 'Postern' in window)
    await openConnect(page)
    await typeEmail(page, email)
    const first = await nextMail(email)
    // The resend timer starts there.
    await untilDrawn(codeField(page))

    await pass(11 * 60_000)
    await typeCode(page, codeOf(first))
    await expect(refused.filter({ hasText: 'The code has expired' })).toBeVisible()
    await press(modal(page).getByRole('button', { name: 'Resend email' }))
    const second = await nextMail(email, first)
    // The email arrives before the modal knows.
    await expect(modal(page).getByText(/^Resend in \d+ s$/)).toBeVisible()
    await typeCode(page, codeOf(first))
    await expect(refused.filter({ hasText: 'already used, or we sent a newer one' })).toBeVisible()
    await typeCode(page, codeOf(second))
    await isIn()

    await inDapp(page, async (postern) => {
      await postern.close()
      await postern.disconnect()
    })
    await pass(31_000)
    await openConnect(page)
    await typeEmail(page, email)
    const third = await nextMail(email, second)
    await typeCode(page, codeOf(second))
    await expect(refused.filter({ hasText: 'already used, or we sent a newer one' })).toBeVisible()
    expect(await status(page)).toBe('disconnected')
    await typeCode(page, codeOf(third))
    await isIn()
  } finally {
    await gateway.remove()
  }
})
