/**
 * A wallet whose frame has no storage; `embedded-email.spec.ts` covers one with. Only unit tests
 * (`storage/ladder.test.ts`) cover a grant that gives storage: Debian's Chromium 156 crashes when a frame opens its
 * database.
 */
import type { Page } from '@playwright/test'
import { installClock } from './support/clock'
import { allChains } from './support/dapp'
import { signs, untilSaid } from './support/embedded'
import { newAddress } from './support/mailbox'
import { card, inDapp, modal, openConnect, openModal, press, status } from './support/postern'
import { pressToEnd, untilClosed } from './support/social'
import { expect, test } from './support/test'
import { connectedAddresses, openWindow, signInOnNewDevice } from './support/wallet-window'

const ends = 'You’ll be signed out when you close this page'

async function comeAgain(page: Page): Promise<void> {
  await page.reload()
  await page.waitForFunction(() => 'Postern' in window)
}

test('@main @embedded @denied without storage: the modal says so, the next visit recovers, and the wallet’s own window stores it', async ({
  page,
  context,
  visit,
}) => {
  const email = newAddress()
  await installClock(page)
  await visit({ wallets: [], networks: allChains })
  await signInOnNewDevice(page, email)
  await press(modal(page).getByRole('button', { name: 'Done', exact: true }))
  await expect(card(page)).toContainText(ends)
  const addresses = await connectedAddresses(page)

  await test.step('the next visit recovers', async () => {
    await comeAgain(page)
    await expect.poll(() => status(page)).toBe('disconnected')
    // One email per 30 s.
    await page.clock.fastForward('00:31')
    await signInOnNewDevice(page, email)
    await expect(card(page)).toContainText(ends)
    expect(await connectedAddresses(page)).toEqual(addresses)
    await signs(page, addresses[0], 'From memory')
  })

  await test.step('a storage grant that stores nothing is reported', async () => {
    await openModal(page)
    await context.grantPermissions(['storage-access'])
    await press(modal(page).getByRole('button', { name: 'Allow storage' }))
    await expect(modal(page).getByText('Your browser blocks storage here')).toBeVisible()
    await expect(card(page)).toContainText(ends)
  })

  await test.step('the wallet’s own window stores the wallet', async () => {
    const popup = await openWindow(page, 'Stay signed in using a separate window')
    const keep = popup.getByRole('button', { name: 'Save wallet' })
    await keep.waitFor()
    await untilSaid(popup.locator('body'), 'Your wallet is saved in this browser', () => pressToEnd(keep))
    await untilClosed(popup)
    await expect(card(page)).not.toContainText(ends)
    await inDapp(page, (postern) => postern.close())
    await signs(page, addresses[0], 'Kept')
  })

  await test.step('the next visit opens it with a click, without an email', async () => {
    await comeAgain(page)
    await expect.poll(() => status(page)).toBe('disconnected')
    await openConnect(page)
    const popup = await openWindow(page, /^Open my wallet/)
    await pressToEnd(popup.getByRole('button', { name: 'Open my wallet' }))
    expect(await connectedAddresses(page)).toEqual(addresses)
    await signs(page, addresses[0], 'Opened')
  })

  await test.step('after sign-out there is nothing to open', async () => {
    await openModal(page)
    const out = modal(page).getByRole('button', { name: 'Sign out' })
    await press(out)
    await press(out.last())
    await expect.poll(() => status(page)).toBe('disconnected')
    await comeAgain(page)
    await openConnect(page)
    await expect(modal(page).getByRole('textbox', { name: 'Email address' })).toBeVisible()
    await expect(modal(page).getByRole('button', { name: /^Open my wallet/ })).toHaveCount(0)
  })
})
