/**
 * An app's browser, which blocks popups from a frame: the provider opens in a tab, and its digits are typed in the
 * modal.
 */
import { codeRefusal, typeCode } from './support/embedded'
import { modal, openConnect, openingTab, status } from './support/postern'
import { answerProvider } from './support/social'
import { expect, test } from './support/test'

test.use({ viewport: { width: 390, height: 800 }, hasTouch: true, isMobile: true })

test('@main @embedded a provider in its own tab: six digits sign the user in, in this browser only', async ({
  page,
  context,
  visit,
}) => {
  await context.addInitScript(() => {
    if (location.hostname.startsWith('modal.')) window.open = () => null
  })
  await visit({ wallets: [] })
  await openConnect(page)
  const button = modal(page).getByRole('button', { name: 'Continue with GitHub', exact: true })
  // Touches are routed by the last drawn frame.
  await expect
    .poll(async () => {
      await button.hover()
      return button.evaluate((element) => element.matches(':hover'))
    })
    .toBe(true)
  const tab = await openingTab(context, () => button.tap())
  await answerProvider(tab, `Mae of ${process.pid}`)
  await tab.getByRole('button', { name: 'I started this: show the code' }).tap()
  await expect(tab.getByRole('heading', { name: 'Enter this code where you started' })).toBeVisible()
  expect(await tab.evaluate(() => window.opener === null)).toBe(true)
  const code = (await tab.locator('#code').textContent()) ?? ''
  expect(code).toMatch(/^\d{6}$/)
  await tab.close()

  await typeCode(page, code === '000000' ? '000001' : '000000')
  await expect(codeRefusal(page, 'Wrong code')).toBeVisible()
  expect(await status(page)).toBe('disconnected')
  await typeCode(page, code)
  await expect.poll(() => status(page), { timeout: 60_000 }).toBe('connected')
})
