/** Recovery with a passphrase, and switching back to the service. */
import type { Page } from '@playwright/test'
import { allChains } from './support/dapp'
import { signs } from './support/embedded'
import { lastMail, newAddress } from './support/mailbox'
import { card, modal, status } from './support/postern'
import { pressToEnd, untilClosed } from './support/social'
import { expect, test } from './support/test'
import {
  connectedAddresses,
  openOn,
  openSecurity,
  openWindow,
  passphrase,
  signInOnNewDevice,
  typeWindowCode,
} from './support/wallet-window'

async function choose(popup: Page, method: string): Promise<void> {
  await expect(popup.getByRole('heading', { name: 'Recovery' })).toBeVisible()
  await popup.getByText(method, { exact: true }).click()
  await pressToEnd(popup.getByRole('button', { name: 'Continue' }))
}

test('@embedded a passphrase protects the recovery until the user switches back to the service', async ({
  page,
  visit,
  browser,
}) => {
  const email = newAddress()
  const address = await visit({ wallets: [], networks: allChains })
  await signInOnNewDevice(page, email)
  const addresses = await connectedAddresses(page)

  await test.step('the recovery method changes to a passphrase', async () => {
    await openSecurity(page)
    const before = await lastMail(email)
    const popup = await openWindow(page, /^Sign-in only/)
    await choose(popup, 'Passphrase')
    const [first, second] = [popup.getByLabel('Passphrase', { exact: true }), popup.getByLabel('Repeat passphrase')]
    await first.fill(passphrase)
    await second.fill(passphrase.toLowerCase())
    await pressToEnd(popup.getByRole('button', { name: 'Continue' }))
    await expect(popup.getByText('The passphrases don’t match')).toBeVisible()
    await second.fill(passphrase)
    await pressToEnd(popup.getByRole('button', { name: 'Continue' }))
    await expect(popup.getByRole('textbox', { name: '6-digit code' })).toBeVisible({ timeout: 60_000 })
    await typeWindowCode(popup, email, before)
    await expect(popup.getByText('Someone with an old copy of the servers’ data')).toBeVisible()
    await pressToEnd(popup.getByRole('button', { name: 'Done' }))
    await untilClosed(popup)
    await expect(modal(page).getByRole('button', { name: /^Passphrase/ })).toBeVisible()
  })

  const second = await browser.newContext()
  const other = await openOn(second, address)
  await test.step('on a new device, neither sign-in alone nor a wrong passphrase unlocks', async () => {
    await signInOnNewDevice(other, email)
    await expect(card(other)).toContainText('Unlock your wallet')
    const popup = await openWindow(other, 'Enter passphrase')
    const field = popup.getByLabel('Passphrase', { exact: true })
    await field.fill(passphrase.toLowerCase())
    await pressToEnd(popup.getByRole('button', { name: 'Unlock' }))
    await expect(popup.getByText('Wrong passphrase')).toBeVisible({ timeout: 60_000 })
    expect(await status(other)).toBe('disconnected')

    await test.step('the right passphrase unlocks', async () => {
      await field.fill(passphrase)
      await pressToEnd(popup.getByRole('button', { name: 'Unlock' }))
      expect(await connectedAddresses(other)).toEqual(addresses)
      await signs(other, addresses[0])
    })
  })

  await test.step('back to the service: the next device needs only the sign-in', async () => {
    await openSecurity(other)
    const before = await lastMail(email)
    const popup = await openWindow(other, /^Passphrase/)
    await choose(popup, 'Sign-in only (managed by us)')
    await typeWindowCode(popup, email, before)
    await untilClosed(popup)
    await expect(modal(other).getByRole('button', { name: /^Sign-in only/ })).toBeVisible()
    const third = await browser.newContext()
    const next = await openOn(third, address)
    await signInOnNewDevice(next, email)
    expect(await connectedAddresses(next)).toEqual(addresses)
    await third.close()
  })
  await second.close()
})
