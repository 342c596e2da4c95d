/** A wallet whose frame may keep nothing of its own, and has storage that the visitor grants (Storage Access API). */
import { chromiumArguments, findChromium } from './support/chromium'
import { allChains } from './support/dapp'
import { signedIn, signs } from './support/embedded'
import { addressesIn, card, inDapp, modal, openModal, status } from './support/postern'
import { expect, test } from './support/test'

const chromium = findChromium()

test.use({
  storageMode: 'allowed',
  launchOptions: {
    args: chromiumArguments('allowed'),
    ...(chromium === undefined ? {} : { executablePath: chromium }),
  },
})

test('@embedded storage that the visitor grants keeps the wallet for the next visit', async ({
  page,
  context,
  visit,
}) => {
  // Chromium denies either all storage or none. What is granted here is its own; only what the frame has by itself is taken from it.
  await context.addInitScript(() => {
    if (!location.hostname.startsWith('wallet.') || window.top === window) return
    Object.defineProperty(window, 'indexedDB', {
      get() {
        throw new DOMException('Denied', 'SecurityError')
      },
    })
  })
  await visit({ wallets: [], networks: allChains })
  const { eip155: account } = await signedIn(page)

  await test.step('it is granted by a click', async () => {
    await openModal(page)
    await expect(card(page)).toContainText('You will be signed out with this page')
    await context.grantPermissions(['storage-access'])
    await modal(page).getByRole('button', { name: 'Allow storage' }).click()
    await expect(card(page)).not.toContainText('You will be signed out with this page')
    await inDapp(page, (postern) => postern.close())
    await signs(page, account, 'Granted')
  })

  await test.step('the next visit finds it', async () => {
    await page.reload()
    await page.waitForFunction(() => 'Postern' in window)
    await expect.poll(() => status(page), { timeout: 20_000 }).toBe('connected')
    expect(await addressesIn(page, 'eip155')).toContain(account)
    await signs(page, account, 'Found')
  })
})
