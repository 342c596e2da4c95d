/** Failures during a sign-in by email: data survives where possible, and the user can always continue. */
import type { Page } from '@playwright/test'
import { watchFromOutside } from './support/bystander'
import { installClock } from './support/clock'
import { allChains } from './support/dapp'
import {
  approveDevice,
  codeField,
  codeOf,
  codeRefusal,
  typeCode,
  typeEmail,
  walletFrame,
  walletFrameIn,
} from './support/embedded'
import { lastMail, newAddress, nextMail } from './support/mailbox'
import { card, connectButton, modal, openConnect, press, reloadFrame, status, untilDrawn } from './support/postern'
import { pressToEnd } from './support/social'
import { expect, test } from './support/test'
import {
  choosePassphrase,
  connectedAddresses,
  openOn,
  openWindow,
  passphrase,
  signInOnNewDevice,
  signUpElsewhere,
} from './support/wallet-window'

test('@embedded @weather the network is cut, and the gateway restarts, at each step of a sign-in by email', async ({
  page,
  browser,
  visit,
  gateway,
}) => {
  const isWallet = ({ host }: URL) => host.startsWith('wallet.postern.')
  const cut = () => page.route(isWallet, (route) => route.abort('internetdisconnected'))
  const restore = () => page.unroute(isWallet)
  const unreachable = modal(page).getByRole('alert').filter({ hasText: 'Can’t reach the wallet service' })
  const email = newAddress()
  await installClock(page)
  // With an account, this browser is a new device.
  await signUpElsewhere(browser, await visit({ wallets: [] }), email)
  const before = await lastMail(email)
  await openConnect(page)
  await typeEmail(page, newAddress())
  await untilDrawn(codeField(page))
  await press(modal(page).getByRole('button', { name: 'Use a different email' }))
  await page.clock.fastForward('00:31')

  await test.step('the address is submitted offline, and again online', async () => {
    await cut()
    await typeEmail(page, email)
    await expect(unreachable).toBeVisible()
    await restore()
    await modal(page).getByRole('textbox', { name: 'Email address' }).press('Enter')
  })

  const link = await nextMail(email, before)
  await test.step('the gateway restarts while waiting for the link', async () => {
    await expect(card(page)).toContainText('Waiting for your approval')
    await gateway.stop()
    await expect(unreachable).toBeVisible({ timeout: 60_000 })
    await gateway.start()
    await approveDevice(page.context(), link)
    await untilDrawn(codeField(page))
  })

  await test.step('the code is submitted offline, stays in its field, and is submitted again online', async () => {
    const code = codeOf(await nextMail(email, link))
    await cut()
    await typeCode(page, code)
    await expect(codeRefusal(page, 'Can’t reach the wallet service')).toBeVisible()
    await expect(codeField(page)).toHaveValue(code)
    await restore()
    // By the frame after a second, or by the user once it has given up.
    const again = walletFrameIn(page).getByRole('button', { name: 'Try again' })
    await expect(async () => {
      if (await again.isVisible()) await again.click({ timeout: 1_000 })
      expect(await status(page)).toBe('connected')
    }).toPass({ timeout: 60_000 })
  })
})

/** Each as a browser does that needs the memory for the mail app. */
const reloads = {
  page: (page: Page) => page.reload(),
  modal: (page: Page) => reloadFrame(page.frames().find((frame) => frame.url().includes('//modal.postern.localhost'))),
  wallet: (page: Page) => reloadFrame(walletFrame(page)),
}

for (const [what, tag] of [
  ['page', '@main '],
  ['modal', ''],
  ['wallet', ''],
] as const)
  test(`${tag}@embedded @weather the code of an email works after a reload of the ${what}, without another email`, async ({
    page,
    visit,
  }) => {
    const email = newAddress()
    await visit({ wallets: [] })
    await openConnect(page)
    await typeEmail(page, email)
    const mail = await nextMail(email)
    await untilDrawn(codeField(page))
    await reloads[what](page)
    if (what === 'page') {
      await page.waitForFunction(() => 'Postern' in window)
      await press(connectButton(page))
    }
    await expect(walletFrameIn(page).getByText(email)).toBeVisible()
    await typeCode(page, codeOf(mail))
    await expect.poll(() => status(page), { timeout: 60_000 }).toBe('connected')
    expect(await lastMail(email)).toEqual(mail)
  })

test('@embedded @weather a sign-in that the user left is not continued, unless they enter its address again', async ({
  page,
  visit,
}) => {
  const email = newAddress()
  await visit({ wallets: [] })
  await openConnect(page)
  await typeEmail(page, email)
  const mail = await nextMail(email)
  await untilDrawn(codeField(page))
  await press(modal(page).getByRole('button', { name: 'Use a different email' }))
  await page.reload()
  await page.waitForFunction(() => 'Postern' in window)
  await openConnect(page)
  await typeEmail(page, email)
  await typeCode(page, codeOf(mail))
  await expect.poll(() => status(page), { timeout: 60_000 }).toBe('connected')
})

test('@embedded @denied the wallet’s frame dies during code entry: a new one completes the sign-in', async ({
  page,
  visit,
}) => {
  const email = newAddress()
  await installClock(page)
  await visit({ wallets: [] })
  await openConnect(page)
  await typeEmail(page, email)
  const mail = await nextMail(email)
  const digits = codeField(page)
  await untilDrawn(digits)
  await reloads.wallet(page)

  // Without storage, the new frame knows neither the request nor the device.
  await expect(modal(page).getByRole('alert').filter({ hasText: 'The code has expired' })).toBeVisible()
  expect(await status(page)).toBe('disconnected')
  await page.clock.fastForward('00:31')
  await press(modal(page).getByRole('button', { name: 'Resend email' }))
  await typeCode(page, codeOf(await nextMail(email, mail)))
  await expect.poll(() => status(page), { timeout: 60_000 }).toBe('connected')
})

test('@main @embedded the process of modal and wallet dies during code entry: the page can reopen them', async ({
  page,
  visit,
}) => {
  const email = newAddress()
  await visit({ wallets: [] })
  await openConnect(page)
  await typeEmail(page, email)
  await nextMail(email)
  await untilDrawn(codeField(page))
  const bystander = await watchFromOutside(page)
  await bystander.crashModal()
  const opened = 'Postern.open({ view: "Connect" }).then(() => Postern.getSnapshot().open)'
  expect(await bystander.evaluate(opened)).toBe(true)
  expect(await bystander.evaluate('Postern.getSnapshot().connections.eip155?.status ?? "disconnected"')).toBe(
    'disconnected',
  )
})

test('@embedded @weather a wallet that waits for its passphrase still does after a reload of the frame, the modal or the page', async ({
  page,
  visit,
  browser,
}) => {
  const email = newAddress()
  const address = await visit({ projectId: 'hardened', wallets: [], networks: allChains })
  await signInOnNewDevice(page, email)
  await choosePassphrase(await openWindow(page, 'Use a passkey or passphrase'))
  const addresses = await connectedAddresses(page)

  const context = await browser.newContext()
  const other = await openOn(context, address)
  await signInOnNewDevice(other, email)
  await expect(card(other)).toContainText('Unlock your wallet')
  const mail = await lastMail(email)
  for (const what of ['wallet', 'modal', 'page'] as const)
    await test.step(what, async () => {
      const left = await openWindow(other, 'Enter passphrase')
      await expect(left.getByLabel('Passphrase', { exact: true })).toBeVisible()
      await reloads[what](other)
      await left.close()
      if (what === 'page') {
        await other.waitForFunction(() => 'Postern' in window)
        await press(connectButton(other))
      }
      await expect(card(other)).toContainText('Unlock your wallet')
    })
  expect(await lastMail(email)).toEqual(mail)
  const popup = await openWindow(other, 'Enter passphrase')
  await popup.getByLabel('Passphrase', { exact: true }).fill(passphrase)
  await pressToEnd(popup.getByRole('button', { name: 'Unlock' }))
  expect(await connectedAddresses(other)).toEqual(addresses)
  await context.close()
})
