/** A new developer's first minutes: an empty folder, three commands, a connected wallet. */
import { once } from 'node:events'
import { readdir, readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import path from 'node:path'
import { expect, type Page, test } from '@playwright/test'
import { address, approve, chooseWallet, openConnect, status, type } from '../support/postern'
import { emptyFolder, type Folder, type Program } from './packed'

const repository = path.resolve(import.meta.dirname, '../..')
const modalOrigin = 'http://127.0.0.1:4400'
const longest = 120_000

/** An EVM wallet like a browser extension, on Ethereum; it asks its node nothing to connect. */
const pageWallet = `<script src="/page-wallet.js" data-networks='${JSON.stringify([
  { chainId: 1, name: 'Ethereum', rpcUrl: 'http://127.0.0.1:8545' },
])}'></script>`

/** The first HTML block of the README's section, as it is. */
async function readmeSnippet(): Promise<string> {
  const readme = await readFile(path.join(repository, 'README.md'), 'utf8')
  const [, section = ''] = readme.split('## Put it on a page')
  const snippet = /```html\n([\s\S]*?)```/.exec(section)?.[1]
  if (snippet === undefined) throw new Error('README.md has no HTML block under "Put it on a page"')
  return snippet
}

/** Like `npx serve -l 5173`. */
async function servePage(html: string, port: number): Promise<() => void> {
  const wallet = await readFile(path.join(repository, 'packages/devnet/dist/page-wallet.js'))
  const server = createServer((request, response) => {
    if (request.url === '/page-wallet.js') response.writeHead(200, { 'content-type': 'text/javascript' }).end(wallet)
    else response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(html)
  })
  server.listen(port, 'localhost')
  await once(server, 'listening')
  return () => {
    server.close()
    server.closeAllConnections()
  }
}

test.describe('npx @postern/gateway dev', () => {
  let folder: Folder
  let stopServing = () => {}

  test.beforeEach(async () => {
    folder = await emptyFolder()
  })
  test.afterEach(async () => {
    stopServing()
    await folder.remove()
  })

  async function startPage(snippet: string): Promise<Program> {
    const gateway = folder.npx('@postern/gateway', 'dev')
    await gateway.prints(/Postern runs for development at \S+/)
    stopServing = await servePage(
      `<!doctype html><html lang="en"><head><title>My dapp</title>${pageWallet}</head><body>${snippet}</body></html>`,
      5173,
    )
    return gateway
  }

  test('goes from an empty folder to a connected wallet in under two minutes, with the snippet of the README', async ({
    page,
  }) => {
    // real time: the limit of two minutes is what the test is about
    const began = performance.now()
    await folder.install()
    const gateway = await startPage(await readmeSnippet())
    await page.goto('http://localhost:5173/')
    await openConnect(page)
    await chooseWallet(page, 'Devnet Wallet')
    await approve(page)
    await expect.poll(() => status(page)).toBe('connected')
    expect(await address(page)).toMatch(/^0x/)
    // real time: the limit of two minutes is what the test is about
    const took = performance.now() - began
    expect(took).toBeLessThan(longest)

    // Nothing of it goes into the developer's repository.
    expect(await readFile(path.join(folder.path, '.postern/.gitignore'), 'utf8')).toBe('*\n')
    // It stops in order: the database is closed, and `doctor` no longer checks it.
    await gateway.interrupt()
    const files = () => readdir(path.join(folder.path, '.postern'))
    await expect.poll(files).not.toContain('gateway-db.lock')
    await expect.poll(files).not.toContain('dev.json')
  })

  test('prints what signs in by email, and a second gateway takes another port', async ({ page }) => {
    await folder.install()
    const gateway = await startPage(await readmeSnippet())
    await signInByEmail(page, gateway)
    await expect.poll(() => status(page), { timeout: 60_000 }).toBe('connected')

    const other = await emptyFolder()
    try {
      await other.install()
      const second = other.npx('@postern/gateway', 'dev')
      const [, origin] = await second.prints(/Postern runs for development at (\S+)/)
      expect(origin).not.toBe(modalOrigin)
      expect((await fetch(`${origin}/postern.js`)).status).toBe(200)
    } finally {
      await other.remove()
    }
  })
})

async function signInByEmail(page: Page, gateway: Program): Promise<void> {
  await page.goto('http://localhost:5173/')
  await openConnect(page)
  const modal = page.frameLocator(`iframe[src^="${modalOrigin}/"]`)
  const field = modal.getByRole('textbox', { name: 'Email address' })
  await type(field, 'me@example.com')
  await field.press('Enter')
  const [, code = ''] = await gateway.prints(/Your sign-in code[\s\S]*?\n\s*(\d{6})\n/)
  const wallet = modal.frameLocator('iframe[src^="http://localhost:4400/"]')
  // A card that grows before it is armed drops what was typed.
  await expect(wallet.locator('[data-armed]')).toBeVisible()
  await type(wallet.getByRole('textbox', { name: '6-digit code' }), code)
}
