/** What a visitor without a wallet does: signs in, reads what is asked, approves. */
import type { BrowserContext, Page } from '@playwright/test'
import { type Mail, nextMail } from './mailbox'
import { card, modal, untilDrawn } from './postern'
import { expect } from './test'

/** The frame without an interface, inside the modal. */
export const walletFrame = (page: Page) => page.frames().find((frame) => frame.url().includes('//wallet.postern.'))

/** Types the address; what comes next is on show then. */
export async function typeEmail(page: Page, address: string): Promise<void> {
  const field = modal(page).getByRole('textbox', { name: 'Email address' })
  await untilDrawn(field)
  await field.fill(address)
  await field.press('Enter')
}

/** Follows the link of a mail in another tab of the same browser, and presses the button there. Scanners of mail only look. */
export async function approveDevice(context: BrowserContext, mail: Mail): Promise<void> {
  const link = mail.links.find((one) => one.includes('/auth/device'))
  if (link === undefined) throw new Error('The mail has no link.')
  const tab = await context.newPage()
  await tab.goto(link)
  await tab.getByRole('button', { name: 'Approve this device' }).click()
  await expect(tab.getByRole('heading')).toContainText(/approved/i)
  await tab.close()
}

export function codeOf(mail: Mail): string {
  const code = mail.code ?? /\b(\d{3}) ?(\d{3})\b/.exec(mail.text)?.slice(1).join('')
  if (!code) throw new Error('The mail has no code.')
  return code
}

export async function typeCode(page: Page, code: string): Promise<void> {
  const field = modal(page).getByRole('textbox', { name: /six-digit code/i })
  await untilDrawn(field)
  await field.fill(code)
}

/** From Connect to a connected account: as on a device that was never seen, or on one that was. */
export async function signInByEmail(page: Page, address: string, { isKnown = false } = {}): Promise<void> {
  await typeEmail(page, address)
  let seen: Mail | undefined
  if (!isKnown) {
    seen = await nextMail(address)
    await approveDevice(page.context(), seen)
  }
  const mail = await nextMail(address, seen)
  await typeCode(page, codeOf(mail))
}

/** Approves what is on show, once it can be. */
export async function approveRequest(page: Page): Promise<void> {
  const button = card(page).getByRole('button', { name: 'Approve', exact: true })
  await expect(button).toBeEnabled()
  await button.click()
}
