/** A new user chooses how to recover the wallet before its first share leaves the browser. */
import type { Page, Request } from '@playwright/test'
import { allChains } from './support/dapp'
import { signs } from './support/embedded'
import { newAddress } from './support/mailbox'
import { card, inDapp, modal, press, status } from './support/postern'
import { pressToEnd } from './support/social'
import { expect, test } from './support/test'
import {
  addAuthenticator,
  choosePassphrase,
  connectedAddresses,
  openOn,
  openSecurity,
  openWindow,
  passphrase,
  signInOnNewDevice,
} from './support/wallet-window'

/** Every request of the wallet's pages that hands in shares, oldest first. */
function handedIn(page: Page): Request[] {
  const requests: Request[] = []
  page.context().on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (['/wallet/create', '/wallet/device', '/wallet/recovery'].includes(pathname)) requests.push(request)
  })
  return requests
}

const chosenIn = (request: Request | undefined): unknown => request?.postDataJSON()?.chosen?.recovery?.method

test('@main @embedded a project can ask first; the email takes one click and no window', async ({ page, visit }) => {
  const sent = handedIn(page)
  await visit({ projectId: 'first', wallets: [], networks: allChains })
  await signInOnNewDevice(page, newAddress())
  await expect(card(page)).toContainText('Keep your wallet safe')
  expect(sent).toEqual([])
  expect(await status(page)).toBe('disconnected')
  await press(modal(page).getByRole('button', { name: 'Use my email' }))
  const addresses = await connectedAddresses(page)
  expect(sent.map(chosenIn)).toEqual([undefined])
  await signs(page, addresses[0])
  await openSecurity(page)
  await expect(modal(page).getByRole('button', { name: /^Sign-in only/ })).toBeVisible()
})

test('@embedded a user who leaves before choosing is asked again', async ({ page, visit }) => {
  const sent = handedIn(page)
  const email = newAddress()
  await visit({ projectId: 'first', wallets: [], networks: allChains })
  await signInOnNewDevice(page, email)
  await expect(card(page)).toContainText('Keep your wallet safe')
  const popup = await openWindow(page, 'Use a passkey or passphrase')
  await pressToEnd(popup.getByRole('button', { name: 'Cancel' }))
  await expect(card(page)).toContainText('Keep your wallet safe')
  await inDapp(page, (postern) => postern.close())
  await expect(card(page)).toBeHidden()
  expect(sent).toEqual([])
  await page.reload()
  await page.waitForFunction(() => 'Postern' in window)
  expect(await status(page)).toBe('disconnected')
})

test('@embedded a project can require a passkey or passphrase: the first share is already for it', async ({
  page,
  visit,
  browser,
}) => {
  const sent = handedIn(page)
  const email = newAddress()
  const address = await visit({ projectId: 'hardened', wallets: [], networks: allChains })
  await signInOnNewDevice(page, email)
  await expect(card(page)).toContainText('Keep your wallet safe')
  await expect(modal(page).getByRole('button', { name: 'Use my email' })).toHaveCount(0)
  const popup = await openWindow(page, 'Use a passkey or passphrase')
  await expect(popup.getByRole('heading', { name: 'Keep your wallet safe' })).toBeVisible()
  await expect(popup.getByText('Sign-in only')).toHaveCount(0)
  await choosePassphrase(popup)
  const addresses = await connectedAddresses(page)
  expect(sent.map(chosenIn)).toEqual(['passphrase'])
  await signs(page, addresses[0])

  await test.step('a new device needs the passphrase', async () => {
    const second = await browser.newContext()
    const other = await openOn(second, address)
    await signInOnNewDevice(other, email)
    await expect(card(other)).toContainText('Unlock your wallet')
    expect(await status(other)).toBe('disconnected')
    const unlock = await openWindow(other, 'Enter passphrase')
    await unlock.getByLabel('Passphrase', { exact: true }).fill(passphrase)
    await pressToEnd(unlock.getByRole('button', { name: 'Unlock' }))
    expect(await connectedAddresses(other)).toEqual(addresses)
    await second.close()
  })
})

test('@embedded the first share can be for a passkey', async ({ page, visit }) => {
  const sent = handedIn(page)
  await visit({ projectId: 'first', wallets: [], networks: allChains })
  await signInOnNewDevice(page, newAddress())
  const popup = await openWindow(page, 'Use a passkey or passphrase')
  await expect(popup.getByRole('heading', { name: 'Keep your wallet safe' })).toBeVisible()
  await addAuthenticator(popup)
  await popup.getByText('Passkey', { exact: true }).click()
  await pressToEnd(popup.getByRole('button', { name: 'Continue' }))
  await pressToEnd(popup.getByRole('button', { name: 'Create passkey' }))
  const again = popup.getByRole('button', { name: 'Use passkey' })
  const ready = popup.getByRole('heading', { name: 'Your wallet is ready' })
  await expect(again.or(ready)).toBeVisible()
  if (await again.isVisible()) await pressToEnd(again)
  const addresses = await connectedAddresses(page)
  expect(sent.map(chosenIn)).toEqual(['passkey'])
  await signs(page, addresses[0])
})
