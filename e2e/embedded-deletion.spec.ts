/** The account is deleted in the wallet's own window, which no page covers. */
import type { Page } from '@playwright/test'
import { allChains } from './support/dapp'
import { codeField, codeOf, signs, walletFrameIn, withoutOcclusionReports } from './support/embedded'
import { lastMail, newAddress, nextMail } from './support/mailbox'
import { card, inDapp, modal, opening, press, status, type } from './support/postern'
import { untilClosed } from './support/social'
import { expect, test } from './support/test'
import { connectedAddresses, openDeletion, openSecurity, signInOnNewDevice } from './support/wallet-window'

const wrong = (code: string) => (code === '000000' ? '000001' : '000000')
const deleteIn = (popup: Page) => popup.getByRole('button', { name: 'Delete account', exact: true })
const continueIn = (page: Page) =>
  walletFrameIn(page).getByRole('button', { name: 'Continue in your wallet', exact: true })

/** The window that the card in the frame opens again. */
const openAgain = (page: Page): Promise<Page> => opening(page, () => press(continueIn(page)))

const saysClosed = (page: Page) => expect(walletFrameIn(page).getByText('The window was closed')).toBeVisible()

/** The window has lost its frame, and says so at the next press. */
async function isCutOff(popup: Page): Promise<void> {
  await deleteIn(popup).click()
  await expect(popup.getByText('Nothing was changed')).toBeVisible()
  await popup.close()
}

test('@main @embedded @engines @hostile a page that paints over the wallet’s frame gets no account deleted, in any engine', async ({
  page,
  visit,
}) => {
  await withoutOcclusionReports(page)
  const email = newAddress()
  await visit({ wallets: [], networks: allChains })
  await signInOnNewDevice(page, email)
  const [account] = await connectedAddresses(page)
  const before = await lastMail(email)
  const deletions: string[] = []
  page.context().on('request', (sent) => {
    if (new URL(sent.url()).pathname.endsWith('/wallet/delete')) deletions.push(sent.url())
  })
  await openSecurity(page)
  await press(modal(page).getByRole('button', { name: /^Delete account/ }))
  await expect(continueIn(page)).toBeVisible()
  await page.evaluate(() => {
    const element = document.createElement('div')
    element.id = 'cover'
    element.popover = 'manual'
    element.textContent = 'Enter the code of your free picture'
    element.style.cssText = 'position:fixed;inset:0;width:100vw;height:100vh;background:#fff;pointer-events:none'
    document.body.append(element)
    element.showPopover()
  })

  const popup = await openAgain(page)
  await expect(popup.getByRole('main')).toContainText(`our parts of the key for ${email}`)
  // No field to type a code into, and no code to type.
  await expect(codeField(page)).toHaveCount(0)
  await expect(deleteIn(page)).toHaveCount(0)
  expect(await lastMail(email)).toEqual(before)
  await popup.close()
  await page.evaluate(() => document.getElementById('cover')?.remove())
  await saysClosed(page)
  await press(walletFrameIn(page).getByRole('button', { name: 'Keep account', exact: true }))
  await expect(card(page, 'Wallet security')).toBeVisible()
  expect(deletions).toEqual([])
  await inDapp(page, (postern) => postern.close())
  await signs(page, account)
})

test('@embedded a deletion that is closed, left or interrupted changes nothing; a wrong code is asked for again', async ({
  page,
  visit,
}) => {
  const email = newAddress()
  await visit({ wallets: [], networks: allChains })
  await signInOnNewDevice(page, email)
  const [account] = await connectedAddresses(page)

  await test.step('Cancel in the window leaves the card, which opens it again', async () => {
    await openSecurity(page)
    const popup = await openDeletion(page)
    await popup.getByRole('button', { name: 'Cancel', exact: true }).click()
    await untilClosed(popup)
    await saysClosed(page)
  })

  await test.step('Back in the modal ends the window', async () => {
    const popup = await openAgain(page)
    await expect(deleteIn(popup)).toBeEnabled()
    await press(modal(page).getByRole('button', { name: 'Back' }))
    await expect(card(page, 'Wallet security')).toBeVisible()
    // The view goes after its transition, and with it the wallet's card.
    await expect(continueIn(page)).toHaveCount(0)
    await isCutOff(popup)
  })

  await test.step('a reload of the page ends the window', async () => {
    const popup = await openDeletion(page)
    await expect(deleteIn(popup)).toBeEnabled()
    await page.reload()
    await page.waitForFunction(() => 'Postern' in window)
    await expect.poll(() => status(page), { timeout: 60_000 }).toBe('connected')
    await isCutOff(popup)
    await signs(page, account)
  })

  await test.step('a wrong code stays in the window; the right one deletes the account', async () => {
    const before = await lastMail(email)
    await openSecurity(page)
    const popup = await openDeletion(page)
    await deleteIn(popup).click()
    const code = codeOf(await nextMail(email, before))
    const field = popup.getByRole('textbox', { name: '6-digit code' })
    await type(field, wrong(code))
    await expect(popup.getByText(/^Wrong code/)).toBeVisible()
    await expect(field).toHaveValue('')
    expect(await status(page)).toBe('connected')
    await type(field, code)
    await expect.poll(() => status(page)).toBe('disconnected')
    await untilClosed(popup)
    await expect(card(page)).toBeHidden()
  })
})
