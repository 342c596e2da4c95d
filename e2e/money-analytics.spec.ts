import type { Response } from '@playwright/test'
import { events, listen } from './support/analytics'
import { card, connect, inDapp, modal, openConnect, openModal, press } from './support/postern'
import { expect, test } from './support/test'

test('@main @money @operator by default, sends nothing before the user agrees (spec §7)', async ({ page, visit }) => {
  const heard = listen(page)
  await visit({ projectId: 'consent' })
  await openConnect(page)
  await expect(card(page)).toContainText('Share usage data?')
  expect(events(heard)).toEqual([])
  await page.setViewportSize({ width: 900, height: 640 })
  const allow = modal(page).getByRole('button', { name: 'Allow', exact: true })
  // Without scrolling, although the list is longer than the card.
  await expect(allow).toBeInViewport({ ratio: 1 })
  expect(await allow.evaluate((button) => button.closest('[class*=outer]')?.scrollTop)).toBe(0)
  await press(allow)
  await expect(card(page)).not.toContainText('Share usage data?')
  await inDapp(page, (postern) => postern.close())
  await expect.poll(() => events(heard)).toEqual(['MODAL_CLOSE'])
})

test('@money @denied a refusal is stored, and nothing is sent', async ({ page, visit }) => {
  const heard = listen(page)
  await visit({ projectId: 'consent' })
  await openConnect(page)
  await press(modal(page).getByRole('button', { name: 'Don’t allow' }))
  // The page learns of it after the press.
  await expect.poll(() => page.evaluate(() => Object.keys(localStorage).join())).toContain('analyticsConsent')
  await inDapp(page, (postern) => postern.close())
  await page.reload()
  await page.waitForFunction(() => 'Postern' in window)
  const isConfig = (response: Response) => response.url().includes('/getAnalyticsConfig')
  await Promise.all([page.waitForResponse(isConfig, { timeout: 60_000 }), connect(page)])
  await openModal(page)
  await inDapp(page, (postern) => postern.open({ view: 'Connect' }))
  await expect(card(page, 'Connect')).not.toContainText('Share usage data?')
  expect(events(heard)).toEqual([])
})
