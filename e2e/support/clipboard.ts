import type { Locator, Page } from '@playwright/test'
import { type } from './postern'

const isFirefox = (page: Page) => page.context().browser()?.browserType().name() === 'firefox'

/** Firefox needs no permission to write, and gives none to read. */
export async function allowClipboard(page: Page): Promise<void> {
  if (!isFirefox(page)) await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
}

/** In Firefox, pasted by keys into another tab. */
export async function clipboardText(page: Page): Promise<string> {
  if (!isFirefox(page)) return page.evaluate(() => navigator.clipboard.readText())
  const tab = await page.context().newPage()
  await tab.setContent('<textarea></textarea>')
  await tab.locator('textarea').press('ControlOrMeta+v')
  const text = await tab.locator('textarea').inputValue()
  await tab.close()
  await page.bringToFront()
  return text
}

/** Replaces the text of a field at once, as a paste does. In Firefox key by key: see {@link type}. */
export const paste = (field: Locator, text: string): Promise<void> =>
  isFirefox(field.page()) ? type(field, text) : field.fill(text)
