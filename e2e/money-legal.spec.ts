/** Terms are accepted before connecting. Without terms, nothing of them is loaded. */
import { approve, card, chooseWallet, inDapp, modal, openConnect, walletPrompt, walletRow } from './support/postern'
import { expect, test } from './support/test'

const terms = 'https://saltmarsh.example/terms'
const privacy = 'https://saltmarsh.example/privacy'
const legal = /\/assets\/(?:Legal|Consent)/
const attributes = { 'terms-conditions-url': terms, 'privacy-policy-url': privacy, name: 'Saltmarsh' }

test('@main @money requires the terms before connecting, for every connect method', async ({ page, visit }) => {
  const fetched: string[] = []
  page.on('request', (request) => fetched.push(request.url()))
  await visit({ projectId: 'terms', attributes })
  await openConnect(page)
  const box = modal(page).getByRole('checkbox')
  await expect(box).not.toBeChecked()
  await expect(card(page)).toContainText('I accept the terms of service and the privacy policy of Saltmarsh')
  for (const [name, href] of [
    ['Terms of service', terms],
    ['Privacy policy', privacy],
  ] as const) {
    const link = modal(page).getByRole('link', { name })
    await expect(link).toHaveAttribute('href', href)
    await expect(link).toHaveAttribute('rel', 'noopener noreferrer')
  }

  await test.step('a row is disabled, and pressing it leads to the checkbox', async () => {
    const row = modal(page).locator('button', { hasText: 'Devnet Wallet' })
    expect(await row.evaluate((element) => element.closest('[inert]') !== null)).toBe(true)
    // Clicks in an undrawn frame miss. Inert elements never get the pointer, but their neighbours do.
    await expect(async () => {
      await box.hover()
      expect(await box.evaluate((element) => element.matches(':hover'))).toBe(true)
    }).toPass({ intervals: [20, 50, 100], timeout: 30_000 })
    await row.click({ force: true })
    await expect(box).toBeFocused()
    await expect(walletPrompt(page)).toBeHidden()
  })

  await test.step('another view does not bypass it', async () => {
    await inDapp(page, (postern) => postern.open({ view: 'AllWallets' }))
    await expect(card(page, 'Connect')).toBeVisible()
    await expect(box).toBeVisible()
  })

  // Its absence is checked below by this name.
  expect(fetched.some((url) => legal.test(url))).toBe(true)
  await box.check()
  await chooseWallet(page, 'Devnet Wallet')
  await approve(page)
  await expect(card(page)).toBeHidden()
})

test('@money without terms, their code is never fetched (spec §1)', async ({ page, visit }) => {
  const fetched: string[] = []
  page.on('request', (request) => fetched.push(request.url()))
  await visit({ attributes })
  await openConnect(page)
  await expect(walletRow(page, 'Devnet Wallet')).toBeVisible()
  // Fetched together with other lazy code.
  await expect.poll(() => fetched.some((url) => url.includes('/assets/views-'))).toBe(true)
  expect(fetched.filter((url) => legal.test(url))).toEqual([])
  expect(await modal(page).getByRole('checkbox').count()).toBe(0)
})
