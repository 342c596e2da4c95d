/** Where it is allowed, if it is denied, and if it was changed. */
import type { Page } from '@playwright/test'
import { devnetAccounts } from '@postern/devnet'
import { address, card, connect, inDapp, openModal, request, status } from './support/postern'
import { expect, test } from './support/test'

test('@connect @engines @storage the browser treats the frame’s storage as this mode says', async ({
  page,
  visit,
  storageMode,
}) => {
  await visit()
  await openModal(page)
  const frame = page.frames().find((each) => each.url().includes('//modal.postern.localhost'))
  const found = await frame?.evaluate(() => {
    try {
      window.localStorage.setItem('probe', 'x')
      window.localStorage.removeItem('probe')
      return 'allowed'
    } catch {
      return 'denied'
    }
  })
  expect(found).toBe(storageMode)
})

test('@main @connect @storage all keys have one prefix, and no value is a secret (spec §3)', async ({
  page,
  visit,
}) => {
  await visit()
  await connect(page)
  const kept = await page.evaluate(() => Object.entries(localStorage))
  for (const [key] of kept) expect(key).toMatch(/^(@postern\/|devnet-wallet\/)/)
  expect(JSON.stringify(kept)).not.toMatch(/junk|privateKey|mnemonic/i)
})

test('@connect @storage a session belongs to one site', async ({ page, visit, sites }) => {
  const here = await visit()
  await connect(page)
  const html = await (await page.request.get(here.replace('dapp.localhost', '127.0.0.1'), hostHeader(here))).text()
  await page.goto(sites.serve('another', '/', html))
  await page.waitForFunction(() => 'Postern' in window)
  expect(await request(page, 'eth_accounts')).toEqual({ result: [] })
})

test('@main @connect @engines @storage a returning user is shown at once, as connecting until confirmed (spec §3, §4)', async ({
  page,
  visit,
  lane,
  gateway,
}) => {
  await visit()
  await connect(page)
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route(`${gateway.origin}/?*`, async (route) => {
    await released
    await route.continue()
  })
  await page.reload()
  await page.waitForFunction(() => 'Postern' in window)
  expect(await remembered(page)).toEqual({ status: 'connecting', address: devnetAccounts[lane.account]?.address })
  release()
  await expect.poll(() => status(page)).toBe('connected')
})

test('@connect @storage a stored session that no longer exists ends as disconnected (spec §4)', async ({
  page,
  visit,
}) => {
  await visit()
  await connect(page)
  // Revoked in the wallet while the page was closed.
  await page.evaluate(() => localStorage.removeItem('devnet-wallet/dev.postern.devnet-wallet'))
  await page.reload()
  await page.waitForFunction(() => 'Postern' in window)
  await expect.poll(() => status(page)).toBe('disconnected')
  await page.reload()
  await page.waitForFunction(() => 'Postern' in window)
  expect(await status(page)).toBe('disconnected')
})

test('@connect @storage malformed stored values are ignored, and Connect opens', async ({ page, visit }) => {
  await visit()
  await connect(page)
  // In the page, and in a frame with storage.
  for (const frame of page.frames()) await frame.evaluate(spoilStorage)
  await page.reload()
  await page.waitForFunction(() => 'Postern' in window)
  await expect.poll(() => status(page)).toBe('disconnected')
  await openModal(page)
  await expect(card(page, 'Connect')).toBeVisible()
})

test('@connect @storage a page without storage of its own still connects', async ({ page, visit, lane }) => {
  await page.addInitScript(() => {
    if (window.top !== window) return
    Object.defineProperty(window, 'localStorage', {
      get() {
        throw new DOMException('Access is denied for this document.', 'SecurityError')
      },
    })
  })
  await visit()
  await connect(page)
  expect(await address(page)).toBe(devnetAccounts[lane.account]?.address)
  await inDapp(page, (postern) => postern.disconnect())
  await expect.poll(() => status(page)).toBe('disconnected')
})

function spoilStorage(): void {
  const odd = [
    '{{{',
    'null',
    '[]',
    '{"connections":{"eip155":{"status":"connected"}}}',
    '{"__proto__":{"x":1}}',
    'x'.repeat(100_000),
  ]
  try {
    const { localStorage } = window
    const ours = Object.keys(localStorage).filter((name) => name.startsWith('@postern/'))
    for (const [index, key] of ours.entries()) localStorage.setItem(key, odd[index % odd.length] ?? '')
    for (const [index, value] of odd.entries()) localStorage.setItem(`@postern/demo/host/odd-${index}`, value)
  } catch {
    // Denied: nothing to change.
  }
}

/** Node does not resolve `*.localhost`. */
const hostHeader = (url: string) => ({ headers: { host: new URL(url).host } })

const remembered = (page: Page) =>
  inDapp(page, (postern) => {
    const connection = postern.getSnapshot().connections.eip155
    if (connection === undefined || connection.status === 'disconnected')
      return { status: 'disconnected', address: null }
    return { status: connection.status, address: connection.accounts?.[0]?.address ?? null }
  })
