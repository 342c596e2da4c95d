/** What the project's owner learns of a visit: nothing where that is off, and no more than is allowed where it is on. */
import type { Page } from '@playwright/test'
import { devnetAccounts } from '@postern/devnet'
import { events, listen } from './support/analytics'
import { card, connect, inDapp, modal, openConnect, openModal, pageAlert, press } from './support/postern'
import { expect, test } from './support/test'

/** Opens, connects and looks at the account. */
async function visitIt(page: Page): Promise<void> {
  await connect(page)
  await openModal(page)
  await inDapp(page, (postern) => postern.close())
  await expect(card(page)).toBeHidden()
}

/** Once more, and a balance that is read over the network afterwards: what was to be sent of the first time has been sent. */
async function lookAgain(page: Page): Promise<void> {
  await openModal(page)
  await inDapp(page, (postern) => postern.close())
  await expect(card(page)).toBeHidden()
  await inDapp(page, (postern) => postern.eip155.request({ method: 'eth_gasPrice' }))
}

test('@money off is not one request', async ({ page, visit }) => {
  const heard = listen(page)
  await visit({ projectId: 'uncounted' })
  await visitIt(page)
  await lookAgain(page)
  expect(heard).toEqual([])
})

test('@money where nobody keeps it, one question and no event', async ({ page, visit }) => {
  const heard = listen(page)
  await visit({ projectId: 'unkept' })
  await visitIt(page)
  await expect.poll(() => heard.length).toBeGreaterThan(0)
  await lookAgain(page)
  expect(heard.map(({ path }) => path)).toEqual(['/getAnalyticsConfig'])
})

test('@money on, it is told what happened, and neither who nor on which page', async ({ page, visit, lane }) => {
  const heard = listen(page)
  const address = await visit()
  await page.goto(`${address}?invoice=1207`)
  await page.waitForFunction(() => 'Postern' in window)
  // What counts is fetched beside the rest: what happens from here on is counted.
  await openModal(page)
  await expect.poll(() => events(heard)).toContain('MODAL_OPEN')
  await inDapp(page, (postern) => postern.close())
  await expect(card(page)).toBeHidden()
  await visitIt(page)
  await expect
    .poll(() => events(heard))
    .toEqual(expect.arrayContaining(['MODAL_OPEN', 'SELECT_WALLET', 'CONNECT_SUCCESS', 'MODAL_CLOSE']))
  const all = heard.map(({ body }) => body).join('\n')
  expect(all.toLowerCase()).not.toContain((devnetAccounts[lane.account]?.address ?? 'x').toLowerCase())
  // The search finds what is there.
  expect(all).toContain(new URL(address).origin)
  expect(all).not.toContain('invoice')
})

test('@money an address goes along only where the project allows it', async ({ page, visit, lane }) => {
  const heard = listen(page)
  await visit({ projectId: 'addresses' })
  await visitIt(page)
  const named = () => heard.filter(({ body }) => body.includes(devnetAccounts[lane.account]?.address ?? 'x'))
  await expect.poll(() => named().length).toBeGreaterThan(0)
})

test('@money where the visitor is asked first, nothing is sent before their yes', async ({ page, visit }) => {
  const heard = listen(page)
  await visit({ projectId: 'consent' })
  await openConnect(page)
  await expect(card(page)).toContainText('May this be counted?')
  expect(events(heard)).toEqual([])
  await press(modal(page).getByRole('button', { name: 'Allow', exact: true }))
  await expect(card(page)).not.toContainText('May this be counted?')
  await inDapp(page, (postern) => postern.close())
  await expect.poll(() => events(heard)).toEqual(['MODAL_CLOSE'])
})

test('@money a no is kept, and sends nothing', async ({ page, visit }) => {
  const heard = listen(page)
  await visit({ projectId: 'consent' })
  await openConnect(page)
  await press(modal(page).getByRole('button', { name: 'Do not allow' }))
  // The page keeps it, and hears of it after the press.
  await expect.poll(() => page.evaluate(() => Object.keys(localStorage).join())).toContain('analyticsConsent')
  await inDapp(page, (postern) => postern.close())
  await page.reload()
  await page.waitForFunction(() => 'Postern' in window)
  const asked = page.waitForResponse((response) => response.url().includes('/getAnalyticsConfig'))
  await connect(page)
  await asked
  await openModal(page)
  await inDapp(page, (postern) => postern.open({ view: 'Connect' }))
  await expect(card(page, 'Connect')).not.toContainText('May this be counted?')
  expect(events(heard)).toEqual([])
})

test('@money refused as forbidden, it is a wrong configuration, said once', async ({ page, visit, context }) => {
  const heard = listen(page)
  await context.route('**/e?*', (route) =>
    route.fulfill({
      status: 403,
      contentType: 'application/json',
      body: JSON.stringify({
        status: 'FAILED',
        reasons: [{ name: 'origin', description: 'Unauthorized: origin not allowed' }],
      }),
    }),
  )
  await visit()
  await openConnect(page)
  await expect(modal(page).getByRole('alertdialog').or(pageAlert(page)).first()).toContainText(
    'Invalid App Configuration',
  )
  await press(modal(page).getByRole('button', { name: 'Dismiss' }))
  // Closed, opened and used: what would be counted is not.
  await inDapp(page, (postern) => postern.close())
  await expect(card(page)).toBeHidden()
  await visitIt(page)
  await lookAgain(page)
  expect(events(heard)).toEqual(['MODAL_OPEN'])
})
