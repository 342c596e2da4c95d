/** The documentation's configurator, as the site is built, against a gateway. */
import { execFile } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Page } from '@playwright/test'
import { axeFaults } from './support/access'
import { devnetWallet, walletTag } from './support/dapp'
import { approve, card, chooseWallet, modal, pageAlert, press } from './support/postern'
import type { Sites } from './support/sites'
import { expect, test } from './support/test'

const root = fileURLToPath(new URL('../', import.meta.url))
const built = path.join(root, 'apps/docs/dist')

/** The page's own address; every file of the site is beside it. */
async function serveDocs(sites: Sites, account: number): Promise<string> {
  await promisify(execFile)('npm', ['run', '--silent', 'docs'], { cwd: root })
  const types: Readonly<Record<string, string>> = { '.js': 'text/javascript', '.css': 'text/css', '.html': 'text/html' }
  const files = await readdir(built, { recursive: true, encoding: 'utf8' })
  for (const file of files) {
    const type = types[path.extname(file)]
    if (type === undefined || (type === 'text/html' && file !== 'start/configurator.html')) continue
    const text = await readFile(path.join(built, file), 'utf8')
    const body = type === 'text/html' ? text.replace('<head>', `<head>${walletTag(devnetWallet(account))}`) : text
    const headers = { 'content-type': `${type}; charset=utf-8` }
    sites.serve('dapp', `/${file.replace(/\.html$/, '')}`, { headers, body })
  }
  return `${sites.origin('dapp')}/start/configurator`
}

const said = (page: Page) => page.getByRole('region', { name: 'Result' }).getByRole('status')
const code = (page: Page) => page.getByRole('figure')

test('@configurator @kit every option is a control, the modal beside it is real, and the code follows', async ({
  page,
  sites,
  gateway,
  lane,
}) => {
  await page.emulateMedia({ colorScheme: 'light' })
  await page.goto(await serveDocs(sites, lane.account))
  const open = page.getByRole('button', { name: 'Connect wallet' })
  await expect(page.getByRole('heading', { name: 'Configurator', level: 1 })).toBeVisible()
  await expect(open).toBeEnabled()

  await test.step('no gateway: says what to do', async () => {
    const gatewayOf = page.getByRole('textbox', { name: /^Gateway/ })
    await gatewayOf.fill('http://127.0.0.1:9')
    await gatewayOf.blur()
    await expect(code(page)).toContainText('http://127.0.0.1:9')
    await open.click()
    await expect(said(page)).toContainText('npx @postern/gateway dev')
    await expect(pageAlert(page)).toBeVisible()
    await press(pageAlert(page).getByRole('button', { name: 'Dismiss' }))
    const english = await page.evaluate(() => document.documentElement.lang)
    await page.evaluate(() => {
      document.documentElement.lang = 'de'
    })
    await open.click()
    await expect(pageAlert(page)).toContainText('Die Wallet konnte nicht geladen werden. Prüfen Sie')
    await press(pageAlert(page).getByRole('button', { name: 'Ausblenden' }))
    await page.evaluate((lang) => {
      document.documentElement.lang = lang
    }, english)
    await gatewayOf.fill(gateway.origin)
    await gatewayOf.blur()
    await expect(code(page)).toContainText(gateway.origin)
  })

  await test.step('another project and network', async () => {
    await page.getByRole('textbox', { name: /^Project/ }).fill('demo')
    for (const name of ['ethereum', 'base']) await page.getByRole('checkbox', { name, exact: true }).uncheck()
    await page.getByLabel('Other networks').fill('eip155:31337')
    await page.getByLabel('Other networks').blur()
    await expect(code(page)).toContainText("networks: ['eip155:31337']")
  })

  await test.step('theme and language change in the running modal', async () => {
    await page.getByLabel('Mode').selectOption('dark')
    await page.getByLabel('Language').selectOption('de')
    await expect(code(page)).toContainText("theme: { mode: 'dark' }")
    await open.click()
    await expect(card(page, 'Verbinden')).toBeVisible()
    await expect(modal(page).locator('html')).toHaveCSS('color-scheme', 'dark')
    await page.keyboard.press('Escape')
    await page.getByLabel('Language').selectOption('en')
  })

  await test.step('connects', async () => {
    await open.click()
    await chooseWallet(page, 'Devnet Wallet')
    await approve(page, 'Devnet Wallet')
    await expect(page.getByRole('button', { name: /^0x.{4}….{4}$/ })).toBeVisible()
  })

  await test.step('code for each stack, copied with one press', async () => {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    for (const stack of ['HTML', 'React', 'Vue', 'Next']) {
      await page.getByRole('button', { name: stack, exact: true }).click()
      await expect(code(page).first()).toContainText(gateway.origin)
      await page
        .getByRole('button', { name: /^Copy / })
        .first()
        .click()
      await expect(said(page)).toHaveText('Copied')
      const shown = await code(page).first().locator('pre').textContent()
      // The page may still say so of the former code.
      await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(shown)
    }
  })

  await test.step('is accessible, in light and dark, on a phone', async () => {
    await page.setViewportSize({ width: 360, height: 640 })
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      expect(await axeFaults(page)).toEqual([])
      expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
    }
  })
})
