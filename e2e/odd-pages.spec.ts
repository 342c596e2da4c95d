/** Pages that break what the modal stands on. */
import type { Page } from '@playwright/test'
import { limits } from '@postern/protocol'
import { installClock } from './support/clock'
import { allChains, dappPage } from './support/dapp'
import { askAndApprove, signedIn, signInByEmail } from './support/embedded'
import { newAddress } from './support/mailbox'
import {
  approve,
  card,
  connect,
  connectButton,
  inDapp,
  modal,
  openConnect,
  pageAlert,
  press,
  request,
  status,
  textOf,
  walletRow,
} from './support/postern'
import { expect, test } from './support/test'

const failsToLoad = (page: Page) =>
  expect(pageAlert(page)).toContainText('Network Error - Could not load embedded wallet', { timeout: 10_000 })

test('@main @connect a policy without frame-src is reported as a configuration error', async ({
  page,
  gateway,
  sites,
}) => {
  const headers = { 'content-security-policy': `frame-src 'self'; connect-src ${gateway.origin}` }
  await page.goto(sites.serve('app', '/', { headers, body: dappPage({ host: gateway.origin }) }))
  await press(connectButton(page))
  await expect(pageAlert(page)).toContainText('Invalid App Configuration')
  await expect(pageAlert(page)).toContainText('Add it to frame-src')
})

test('@connect a page that stops messages hears why nothing opens, and not after 20 s', async ({ page, visit }) => {
  const stop = `<script>
    window.stops = true
    window.addEventListener('message', (event) => { if (window.stops) event.stopImmediatePropagation() }, true)
  </script>`
  await visit({ head: stop })
  await press(connectButton(page))
  await failsToLoad(page)
  await page.evaluate('stops = false')
  await press(pageAlert(page).getByRole('button', { name: 'Try again' }))
  await expect(card(page, 'Connect')).toBeVisible()
})

test('@connect an error in place of the modal’s document is reported soon, and a retry works', async ({
  page,
  visit,
  gateway,
}) => {
  await visit()
  const isModal = (url: URL) => url.origin === gateway.origin && url.pathname === '/'
  await page.route(isModal, (route) => route.fulfill({ status: 500, contentType: 'text/html', body: '<h1>Error</h1>' }))
  await press(connectButton(page))
  await failsToLoad(page)
  await page.unroute(isModal)
  await press(pageAlert(page).getByRole('button', { name: 'Try again' }))
  await expect(card(page, 'Connect')).toBeVisible()
})

test('@connect offline before the modal has loaded: told soon, and a retry works', async ({ page, visit, context }) => {
  await visit()
  await context.setOffline(true)
  await press(connectButton(page))
  await failsToLoad(page)
  await context.setOffline(false)
  await press(pageAlert(page).getByRole('button', { name: 'Try again' }))
  await expect(card(page, 'Connect')).toBeVisible()
})

test('@connect a page that writes its document again: the modal opens again', async ({ page, visit }) => {
  await visit()
  await connect(page)
  await page.evaluate(() => {
    document.open()
    document.write('<!doctype html><title>New</title><h1>Written again</h1>')
    document.close()
  })
  await inDapp(page, (postern) => postern.open())
  await expect(card(page, 'Account')).toBeVisible()
  // The new frame shows the stored account at once, and confirms it with the wallet after that.
  await expect.poll(() => status(page)).toBe('connected')
})

test('@connect a page that moves the modal or replaces all elements while it is open: it comes back', async ({
  page,
  visit,
}) => {
  await visit()
  const changes = [
    () => document.body.append(document.querySelector('postern-frame') ?? ''),
    () => {
      document.documentElement.innerHTML = '<body><h1>Replaced</h1></body>'
    },
  ]
  for (const change of changes) {
    await openConnect(page)
    const frames = page.frames().length
    await page.evaluate(change)
    await expect(modal(page).getByRole('button', { name: /^Devnet Wallet\b/ })).toBeVisible()
    await expect.poll(() => page.frames().length).toBeLessThanOrEqual(frames)
    await inDapp(page, (postern) => postern.close())
    await expect(card(page)).toBeHidden()
  }
})

test('@connect a page that keeps removing the modal: it opens again', async ({ page, visit, gateway }) => {
  await visit()
  await openConnect(page)
  await inDapp(page, (postern) => postern.close())
  // A modal that is ready again before the next removal is lost once more, and the SDK gives up after some losses.
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route(`${gateway.origin}/?*`, async (route) => {
    await released
    await route.continue()
  })
  // One by one, as a page does that replaces its content with each navigation.
  const isThere = () => page.evaluate(() => document.querySelector('postern-frame') !== null)
  for (let removals = 0; removals < 7; removals++) {
    await expect.poll(isThere).toBe(true)
    await page.evaluate(() => document.querySelector('postern-frame')?.remove())
  }
  release()
  await inDapp(page, (postern) => postern.open())
  await expect(card(page, 'Connect')).toBeVisible()
})

test('@connect a page that hides all that it does not know, or has a grid as its root: the modal shows, and nothing moves', async ({
  page,
  visit,
}) => {
  const grid = 'html{display:grid;gap:30px;min-height:100%;place-content:center}'
  await visit({
    attributes: { prewarm: 'off' },
    head: `<style>${grid}html>:not(head,body){display:none!important}</style>`,
  })
  await expect(connectButton(page)).toBeVisible()
  const before = await page.locator('main').boundingBox()
  await openConnect(page)
  expect(await page.locator('main').boundingBox()).toEqual(before)
  await inDapp(page, (postern) => postern.close())
  expect(await page.locator('main').boundingBox()).toEqual(before)
})

test('@connect a page that has locked the pointer: the user gets it back with the modal', async ({ page, visit }) => {
  await visit({ body: '<button onclick="this.requestPointerLock()">Play</button>' })
  await page.getByRole('button', { name: 'Play' }).click()
  await page.waitForFunction(() => document.pointerLockElement !== null)
  await inDapp(page, (postern) => postern.open())
  await expect(walletRow(page, 'Devnet Wallet')).toBeVisible()
  await expect.poll(() => page.evaluate(() => document.pointerLockElement === null)).toBe(true)
})

test('@connect a page with a modal dialog of its own: the alert in it can be pressed', async ({
  page,
  visit,
  gateway,
}) => {
  await visit({
    attributes: { prewarm: 'off' },
    body: '<main><dialog aria-label="Choose">Choose a way<br><br><postern-button></postern-button></dialog></main>',
  })
  await page.evaluate(() => document.querySelector('dialog')?.showModal())
  const isModal = (url: URL) => url.origin === gateway.origin && url.pathname === '/'
  await page.route(isModal, (route) => route.fulfill({ status: 500, contentType: 'text/html', body: '<h1>Error</h1>' }))
  await press(connectButton(page))
  await failsToLoad(page)
  await page.unroute(isModal)
  await press(pageAlert(page).getByRole('button', { name: 'Try again' }))
  await expect(card(page, 'Connect')).toBeVisible()
})

const extendPrototypes = `<script>
  Object.prototype.plain = 1
  Object.prototype.toJSON = function () { return { ...this } }
  Object.prototype.get = function () {}
  Array.prototype.toJSON = function () { return [...this] }
</script>`

test('@connect a page that extends Object.prototype: signs in and signs', async ({ page, visit }) => {
  await visit({ head: extendPrototypes, wallets: [], networks: allChains })
  const { eip155 } = await signedIn(page)
  const signed = request(page, 'personal_sign', ['0x686579', eip155])
  expect(textOf(await askAndApprove(page, signed))).toMatch(/^0x[0-9a-f]{130,}$/)
})

test('@main @connect a directory that never answers: AllWallets says so, and a retry works', async ({
  page,
  visit,
}) => {
  await installClock(page)
  await visit()
  await openConnect(page)
  const isList = (url: URL) => url.pathname === '/getWallets'
  await page.route(isList, () => {})
  await Promise.all([
    page.waitForRequest((request) => isList(new URL(request.url()))),
    press(modal(page).getByRole('button', { name: /^All wallets\b/ })),
  ])
  await page.clock.fastForward(limits.rpcTimeout)
  const failed = modal(page).getByRole('status').filter({ hasText: 'Couldn’t load' })
  await expect(failed).toBeVisible()
  await page.unroute(isList)
  await press(modal(page).getByRole('button', { name: 'Try again' }))
  await expect(failed).toBeHidden()
})

test('@embedded a page that cuts itself off from popups: sign-in leaves one window', async ({
  page,
  context,
  gateway,
  sites,
}) => {
  const headers = { 'cross-origin-opener-policy': 'same-origin' }
  await page.goto(sites.serve('dapp', '/', { headers, body: dappPage({ host: gateway.origin }) }))
  await openConnect(page)
  const opened: Page[] = []
  context.on('page', (each) => opened.push(each))
  await press(modal(page).getByRole('button', { name: 'Continue with Google', exact: true }))
  // The first window closes on its own, the second one is the provider's.
  await expect.poll(() => opened.map((each) => each.isClosed())).toEqual([true, false])
})

test('@connect a button that is moved into another document, as of Picture-in-Picture, keeps its look', async ({
  page,
  visit,
}) => {
  await visit()
  const button = await page.evaluateHandle(() => document.querySelector('postern-button'))
  const look = () =>
    button.evaluate((element) => {
      const inner = element?.shadowRoot?.querySelector('button')
      return inner && getComputedStyle(inner).backgroundColor
    })
  const before = await look()
  await button.evaluate((element) => {
    const other = document.createElement('iframe')
    document.body.append(other)
    other.contentDocument?.body.append(element ?? '')
  })
  expect(await look()).toBe(before)
  await button.evaluate((element) => element?.shadowRoot?.querySelector('button')?.click())
  await expect(card(page, 'Connect')).toBeVisible()
})

test('@connect code of a request or of a wallet that does not load: the error says what to do, and a retry works', async ({
  page,
  visit,
}) => {
  await page.route(/\/assets\/(session|page-wallet)-.+\.js$/, (route) => route.abort('internetdisconnected'))
  await visit()
  const read = () => request(page, 'eth_gasPrice')
  expect(await read()).toMatchObject({ message: expect.stringContaining('could not be loaded') })
  await page.unrouteAll()
  await page.route(/\/assets\/page-wallet-.+\.js$/, (route) => route.abort('internetdisconnected'))
  expect(await read()).toHaveProperty('result')
  await openConnect(page)
  await press(modal(page).getByRole('button', { name: /^Devnet Wallet\b/ }))
  await expect(modal(page).getByText('Check your connection and try again.')).toBeVisible()
  await page.unrouteAll()
  await press(modal(page).getByRole('button', { name: 'Try again' }))
  await approve(page)
  await expect(card(page)).toBeHidden()
})

test('@embedded a device whose clock is a day behind: one sentence says so', async ({ page, visit }) => {
  // real time: a day behind the gateway’s clock
  await page.clock.install({ time: Date.now() - 86_400_000 })
  await visit({ wallets: [] })
  await openConnect(page)
  await signInByEmail(page, newAddress())
  const wrong = modal(page).getByText('clock is wrong')
  await expect(wrong).toBeVisible()
  await expect(wrong).toHaveCount(1)
  await expect(modal(page).getByText('JWT')).toHaveCount(0)
})
