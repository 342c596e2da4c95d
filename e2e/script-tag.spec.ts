/** The script tag's code is what was published: a page runs nothing else, also when its host serves something else. */
import { readFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import { dappPage } from './support/dapp'
import { card, connect, connectButton, pageAlert, press, status } from './support/postern'
import { expect, test } from './support/test'

type Published = { readonly version: string; readonly files: Readonly<Record<string, string>> }

const { version, files }: Published = JSON.parse(
  readFileSync(new URL('../packages/client-sdk/dist/integrity.json', import.meta.url), 'utf8'),
)
const stolen = 'window.stolen = true; export const createModal = () => {}, diagnose = () => {}'
const isStolen = (page: Page) => page.evaluate(() => 'stolen' in window)

/** The tag of the README: pinned to a version and its hash. */
const pinnedTag = (host: string, more = '') =>
  `<script src="${host}/postern@${version}/postern.js" integrity="${files['postern.js']}" crossorigin async
    data-project-id="demo" data-networks="eip155:31337" ${more}></script>`

test('@main @sdk @hostile a part that the host has changed does not run; the page says so, and a retry works', async ({
  page,
  visit,
}) => {
  const part = /postern-modal\.js/
  await page.route(part, (route) => route.fulfill({ contentType: 'text/javascript', body: stolen }))
  await visit()
  await connectButton(page).click()
  await expect(pageAlert(page)).toBeVisible()
  expect(await isStolen(page)).toBe(false)
  await page.unroute(part)
  await press(pageAlert(page).getByRole('button', { name: /try again/i }))
  await expect(card(page, 'Connect')).toBeVisible()
})

test('@sdk @hostile a pinned postern.js that the host has changed does not run', async ({ page, gateway, sites }) => {
  await page.route(/postern\.js/, (route) => route.fulfill({ contentType: 'text/javascript', body: stolen }))
  const dapp = dappPage({ host: gateway.origin, head: pinnedTag(gateway.origin), module: () => '' })
  await Promise.all([
    page.waitForEvent('console', (message) => message.text().includes('integrity')),
    page.goto(sites.serve('dapp', '/', dapp)),
  ])
  expect(await page.evaluate(() => 'stolen' in window || 'Postern' in window)).toBe(false)
})

test('@sdk a pinned tag connects, also on a page whose policy wants a nonce', async ({
  page,
  gateway,
  sites,
  visit,
}) => {
  await visit()
  const nonce = 'c29tZXRoaW5nIHJhbmRvbQ'
  const wallet = { name: 'Devnet Wallet', rdns: 'dev.postern.devnet-wallet', account: 1 }
  const body = dappPage({
    host: gateway.origin,
    head: pinnedTag(gateway.origin),
    wallets: [wallet],
    module: () => '',
  }).replaceAll('<script ', `<script nonce="${nonce}" `)
  const headers = {
    'content-security-policy': `script-src 'nonce-${nonce}'; frame-src ${gateway.origin}; connect-src ${gateway.origin} http://127.0.0.1:8545`,
  }
  await page.goto(sites.serve('dapp', '/pinned', { headers, body }))
  await connect(page)
  await expect.poll(() => status(page)).toBe('connected')
})
