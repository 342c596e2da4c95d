/** Presses in the wallet's frame that end something: another device, and the share of a wallet that was deleted elsewhere. */
import type { Page } from '@playwright/test'
import { installClock } from './support/clock'
import { allChains, dappPage } from './support/dapp'
import { signInByEmail, signs, walletFrameIn } from './support/embedded'
import { createGateway } from './support/gateway'
import { newAddress } from './support/mailbox'
import { inDapp, modal, openConnect, press, status } from './support/postern'
import { expect, test } from './support/test'
import { connectedAddresses, deleteAccount, openOn, openSecurity, signInOnNewDevice } from './support/wallet-window'

const question = (page: Page, name: string) => walletFrameIn(page).getByRole('main', { name })

/** In the top layer, above the modal, and let through by presses. */
async function cover(page: Page): Promise<void> {
  await page.evaluate(() => {
    const element = document.createElement('div')
    element.id = 'cover'
    element.popover = 'manual'
    element.style.cssText = 'position:fixed;inset:0;width:100vw;height:100vh;background:#fff;pointer-events:none'
    document.body.append(element)
    element.showPopover()
  })
}

const uncover = (page: Page) => page.evaluate(() => document.getElementById('cover')?.remove())

test('@main @embedded @hostile a device is removed by a press in the wallet’s frame, which the page cannot take under a cover', async ({
  page,
  visit,
  browser,
}) => {
  const email = newAddress()
  const address = await visit({ wallets: [], networks: allChains })
  await signInOnNewDevice(page, email)
  const [account] = await connectedAddresses(page)
  const second = await browser.newContext()
  const other = await openOn(second, address)
  await signInOnNewDevice(other, email)
  await connectedAddresses(other)

  await openSecurity(page)
  const devices = modal(page).getByRole('region', { name: 'Your devices' }).getByRole('listitem')
  await expect(devices).toHaveCount(2)
  await press(devices.last().getByRole('button', { name: 'Remove' }))
  const card = question(page, 'Remove device')
  const remove = card.getByRole('button', { name: 'Remove', exact: true })
  await expect(card).toContainText('Chrome')
  await expect(remove).toBeEnabled()

  await cover(page)
  await expect(remove).toBeDisabled()
  await remove.click({ force: true })
  await uncover(page)
  await expect(remove).toBeEnabled()
  await press(card.getByRole('button', { name: 'Keep it' }))
  await expect(devices).toHaveCount(2)

  await press(devices.last().getByRole('button', { name: 'Remove' }))
  await expect(remove).toBeEnabled()
  await press(remove)
  await expect(devices).toHaveCount(1)
  await inDapp(page, (postern) => postern.close())
  await signs(page, account)
  await other.reload()
  await other.waitForFunction(() => 'Postern' in window)
  await expect.poll(() => status(other)).toBe('disconnected')
  await second.close()
})

test('@embedded a wallet that was deleted on one device: the other one says so, and starts with a new wallet after a press', async ({
  page,
  browser,
  sites,
  lane,
}) => {
  const project = { id: 'demo', name: 'Dapp', allowedOrigins: [sites.origin('dapp')], defaultAncestors: false }
  const gateway = await createGateway(lane.ownGatewayPort, [project])
  const email = newAddress()
  try {
    await gateway.start()
    const address = sites.serve('dapp', '/', dappPage({ host: gateway.origin, wallets: [], networks: allChains }))
    await page.goto(address)
    await page.waitForFunction(() => 'Postern' in window)
    await signInOnNewDevice(page, email)
    const before = await connectedAddresses(page)
    const context = await browser.newContext()
    const other = await context.newPage()
    await installClock(other)
    await other.goto(address)
    await other.waitForFunction(() => 'Postern' in window)
    await signInOnNewDevice(other, email)
    expect(await connectedAddresses(other)).toEqual(before)

    await test.step('the first device deletes the account', async () => {
      await openSecurity(page)
      await deleteAccount(page, email)
      await expect.poll(() => status(page)).toBe('disconnected')
    })

    await test.step('the other one is signed out, and told after the next sign-in', async () => {
      await other.reload()
      await other.waitForFunction(() => 'Postern' in window)
      await expect.poll(() => status(other)).toBe('disconnected')
      // A browser may request an email every 30 s.
      await gateway.advance(31_000)
      await other.clock.fastForward(31_000)
      await openConnect(other)
      await signInByEmail(other, email)
      const card = question(other, 'Old wallet')
      await expect(card).toContainText('Wallet deleted on another device', { timeout: 60_000 })
      await expect(card).toContainText(/Old wallet: 0x[0-9a-fA-F]{40}/)
      expect(await status(other)).toBe('disconnected')
      await press(card.getByRole('button', { name: 'Keep it' }))
      await press(modal(other).getByRole('button', { name: 'Try again' }))
      const remove = card.getByRole('button', { name: 'Remove and continue' })
      await expect(remove).toBeEnabled()
      await press(remove)
    })

    await test.step('it has a new wallet, which signs, also on the next visit', async () => {
      const fresh = await connectedAddresses(other)
      expect(fresh.filter((one) => before.includes(one))).toEqual([])
      await signs(other, fresh[0])
      await other.reload()
      await other.waitForFunction(() => 'Postern' in window)
      expect(await connectedAddresses(other)).toEqual(fresh)
    })
    await context.close()
  } finally {
    await gateway.remove()
  }
})
