/** Zoom, narrow screens, spaced text, forced colours and reduced motion, in the views of both kinds of wallet. */
import type { Page } from '@playwright/test'
import { toHex } from 'viem'
import { axeFaults, layoutFaults, modalAtRest, modalOfWindowSize, spaceText } from './support/access'
import { allChains } from './support/dapp'
import {
  approvalOf,
  codeField,
  codeOf,
  openApprovalWindow,
  shown,
  signInByEmail,
  typeCode,
  typeEmail,
  walletFrame,
  walletFrameIn,
} from './support/embedded'
import { newAddress, nextMail } from './support/mailbox'
import {
  approve,
  card,
  chooseWallet,
  inDapp,
  modal,
  openConnect,
  openModal,
  press,
  request,
  status,
} from './support/postern'
import { expect, test } from './support/test'
import { connectedAddresses, openSecurity, openWindow } from './support/wallet-window'

const usual = { width: 800, height: 640 }
/** 1280 by 800 at 400 %. */
const zoomed = { width: 320, height: 200 }
const narrow = { width: 320, height: 568 }
const phone = { width: 390, height: 760 }

/** Firefox has forced colours by a preference only. */
const canForceColours = (page: Page) => page.context().browser()?.browserType().name() === 'chromium'

const isOurs = /\/\/(modal|wallet)\.postern\./

/** Documents that show something: of the modal, of the wallet's frame in it, of the wallet's window. */
async function drawnFrames(page: Page) {
  const frames = page.frames().filter((frame) => isOurs.test(frame.url()))
  const drawn = await Promise.all(
    frames.map((frame) => frame.evaluate(() => document.querySelector('[role="dialog"], main') !== null)),
  )
  return frames.filter((_, index) => drawn[index])
}

async function inspect(page: Page, view: string): Promise<void> {
  const look = async (mode: string, { axe = false, isForced = false } = {}) => {
    await modalAtRest(page)
    if (process.env.POSTERN_PICTURES) {
      const browser = page.context().browser()?.browserType().name()
      await page.screenshot({ path: `${process.env.POSTERN_PICTURES}/${browser} ${view} ${mode}.png` })
    }
    // A frame learns of another size after the page around it, and the modal of the height of the wallet's frame after that.
    for (const frame of await drawnFrames(page))
      await softly
        .poll(() => layoutFaults(frame, isForced), {
          message: `${view}, ${mode}, ${new URL(frame.url()).host}`,
          timeout: 60_000,
        })
        .toEqual([])
    // The wallet's frame takes the focus from its stop in the modal, not by its own.
    if (axe) expect.soft(await axeFaults(page, ['frame-focusable-content']), `${view}, ${mode}`).toEqual([])
  }
  await page.setViewportSize(zoomed)
  await look('400 % zoom', { axe: true })
  await page.setViewportSize(narrow)
  await look('320 pixels')
  await page.setViewportSize(phone)
  const unspaced = await Promise.all((await drawnFrames(page)).map(spaceText))
  await look('spaced text')
  for (const restore of unspaced) await restore()
  await page.setViewportSize(usual)
  await modalOfWindowSize(page)
  if (!canForceColours(page)) return
  await page.emulateMedia({ forcedColors: 'active' })
  // Without axe: it judges colours, which are the user's own here, and the document, which is the same.
  await look('forced colours', { isForced: true })
  await page.emulateMedia({ forcedColors: 'none' })
}

const softly = expect.configure({ soft: true })

const settled = (page: Page) => expect(card(page).locator('[aria-busy="true"]')).toHaveCount(0)

test('@connect @engines a page wallet’s views lose nothing by zoom, width, spacing and forced colours', async ({
  page,
  visit,
}) => {
  await visit({ projectId: 'mobile' })
  await openConnect(page)
  await inspect(page, 'Connect')

  await press(modal(page).getByRole('button', { name: /^All wallets\b/ }))
  await expect(card(page, 'All wallets')).toBeVisible()
  await expect(modal(page).getByRole('button', { name: /^MetaMask\b/ })).toBeVisible()
  await inspect(page, 'All wallets')
  await press(modal(page).getByRole('button', { name: 'Back', exact: true }))

  await press(modal(page).getByRole('button', { name: 'What is a wallet?' }))
  await expect(card(page, 'What is a wallet?')).toBeVisible()
  await inspect(page, 'What is a wallet')
  await press(modal(page).getByRole('button', { name: 'Back', exact: true }))

  await press(modal(page).getByRole('button', { name: /^WalletConnect\b/ }))
  await expect(modal(page).getByRole('button', { name: 'Copy link' })).toBeEnabled()
  await inspect(page, 'WalletConnect')
  await press(modal(page).getByRole('button', { name: 'Back', exact: true }))

  await chooseWallet(page, 'Devnet Wallet')
  await approve(page)
  await expect.poll(() => status(page)).toBe('connected')
  await expect(card(page)).toBeHidden()
  await openModal(page)
  await expect(card(page, 'Account')).toBeVisible()
  for (const tab of await card(page).getByRole('tab').all()) {
    await press(tab)
    await settled(page)
    await inspect(page, `Account ${await tab.textContent()}`)
  }
  for (const [view, title] of [
    ['Send', 'Send'],
    ['Swap', 'Swap'],
    ['Receive', 'Receive'],
    ['OnRamp', 'Buy'],
    ['Networks', 'Choose network'],
  ] as const) {
    await page.evaluate((view) => window.Postern?.open({ view }), view)
    await expect(card(page, title)).toBeVisible()
    await settled(page)
    await inspect(page, title)
  }
})

test('@embedded @engines the embedded wallet’s views lose nothing by zoom, width, spacing and forced colours', async ({
  page,
  visit,
}) => {
  const email = newAddress()
  await visit({ projectId: 'trusted', wallets: [], networks: allChains })
  await openConnect(page)
  await inspect(page, 'Connect by email')
  await typeEmail(page, email)
  await expect(codeField(page)).toBeVisible()
  await inspect(page, 'Code')
  await typeCode(page, codeOf(await nextMail(email)))
  await expect(card(page, 'Wallet created')).toBeVisible()
  await inspect(page, 'Wallet created')
  await press(modal(page).getByRole('button', { name: 'Done', exact: true }))
  const [account = ''] = await connectedAddresses(page)

  await openModal(page)
  await settled(page)
  await inspect(page, 'Account of an email user')
  await openSecurity(page)
  await settled(page)
  await inspect(page, 'Wallet security')
  const popup = await openWindow(page, /^Sign-in only/)
  await expect(popup.getByRole('radio').first()).toBeVisible()
  await inspect(popup, 'Recovery method')
  await popup.close()
  await inDapp(page, (postern) => postern.close())

  const waiting = request(page, 'personal_sign', [toHex('Let me in. '.repeat(30)), account])
  await shown(page, waiting)
  await inspect(page, 'Approval')
  await page.setViewportSize(zoomed)
  await expect.poll(() => isRequesterInView(page), 'facts come before the buttons').toBe(true)
  await page.setViewportSize(usual)
  await modalOfWindowSize(page)
  await press(approvalOf(page).getByRole('button', { name: 'Decline', exact: true }))
  expect(await waiting).toMatchObject({ code: 4001 })
})

test('@embedded @engines an approval in the wallet’s window loses nothing, and is approved at 400 % zoom', async ({
  page,
  visit,
}) => {
  await visit({ projectId: 'window', wallets: [], networks: allChains })
  await openConnect(page)
  await signInByEmail(page, newAddress())
  const [account = ''] = await connectedAddresses(page)
  const waiting = request(page, 'personal_sign', [toHex('Let me in. '.repeat(30)), account])
  await shown(page, waiting)
  await inspect(page, 'Continue in your wallet')
  await expect(walletFrameIn(page).getByRole('button', { name: 'Continue in your wallet' })).toBeVisible()
  const popup = await openApprovalWindow(page)
  const button = popup.getByRole('button', { name: 'Approve', exact: true })
  await expect(button).toBeVisible()
  await inspect(popup, 'Approval in the window')
  await popup.setViewportSize(zoomed)
  // By keyboard, as a user of a screen magnifier does.
  await expect(popup.getByText('Scroll to the end to approve.')).toBeVisible()
  // Again, if a fact came late.
  await expect(async () => {
    await popup.keyboard.press('End')
    await expect(button).toBeEnabled({ timeout: 5_000 })
  }).toPass({ timeout: 30_000 })
  await button.focus()
  await popup.keyboard.press('Enter')
  expect(await waiting).toHaveProperty('result')
})

/** At the start of the approval. */
async function isRequesterInView(page: Page): Promise<boolean> {
  const frame = walletFrame(page)
  if (frame === undefined) throw new Error('The wallet has no frame.')
  return frame.evaluate(() => {
    const main = document.querySelector('main')
    main?.scrollTo(0, 0)
    const origin = main?.querySelector('bdi')
    if (!origin) return false
    const { left, right, top, bottom } = origin.getBoundingClientRect()
    return origin.contains(document.elementFromPoint((left + right) / 2, (top + bottom) / 2))
  })
}
