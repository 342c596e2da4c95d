/** Signing in with an account elsewhere, at the devnet's identity provider and its Farcaster. */
import type { BrowserContext, Locator, Page } from '@playwright/test'
import { devnetPorts } from '@postern/devnet'
import { expect } from './expect'
import { modal, press } from './postern'

/** The names on the buttons. */
export const socialNames = {
  google: 'Google',
  github: 'GitHub',
  apple: 'Apple',
  facebook: 'Facebook',
  x: 'X',
  discord: 'Discord',
} as const
export type Social = keyof typeof socialNames

/** Presses a button of the modal that opens a window; the window. */
export async function popupOf(page: Page, button: string | RegExp): Promise<Page> {
  const opens = page.waitForEvent('popup')
  await press(modal(page).getByRole('button', { name: button, exact: true }))
  return opens
}

/** Opens the provider's window from where wallets are chosen. */
export const openSocial = (page: Page, provider: Social): Promise<Page> =>
  popupOf(page, `Continue with ${socialNames[provider]}`)

/** Answers the provider's question in its window. The window may close while the button is pressed. */
export async function answerProvider(popup: Page, name: string, answer: 'Allow' | 'Deny' = 'Allow'): Promise<void> {
  await popup.getByRole('textbox', { name: 'Name' }).fill(name)
  await pressToEnd(popup.getByRole('button', { name: answer, exact: true }))
}

/** Presses what ends its window, which may be gone before the press is over. */
export async function pressToEnd(button: Locator): Promise<void> {
  try {
    await button.click()
  } catch (error) {
    if (!button.page().isClosed()) throw error
  }
}

/** Answers, and waits until the window has closed by itself. */
export async function finishAtProvider(popup: Page, name: string, answer: 'Allow' | 'Deny' = 'Allow'): Promise<void> {
  const closes = popup.waitForEvent('close')
  await answerProvider(popup, name, answer)
  await closes
}

const provider = `http://127.0.0.1:${devnetPorts.identityProvider}`
const post = async (url: string, body: object): Promise<void> => {
  const response = await fetch(url, { method: 'POST', body: JSON.stringify(body) })
  expect(response.ok, `${url} took ${JSON.stringify(body)}`).toBe(true)
}

/** What goes wrong at a provider until it is `none`. Providers are everybody's: each story spoils one that no other story uses meanwhile. */
export const setFault = (of: Social, kind: 'none' | 'down' | 'bad-state'): Promise<void> =>
  post(`${provider}/devnet/fault`, { provider: of, kind })

/** Whether the provider's page cuts itself off from the window that opened it (COOP). */
export const setSevered = (of: Social, severed: boolean): Promise<void> =>
  post(`${provider}/devnet/opener`, { provider: of, severed })

/** Approves in the Farcaster app of a phone: the page that the code leads to. */
export async function approveFarcaster(phone: BrowserContext, link: string, username: string): Promise<void> {
  const app = await phone.newPage()
  await app.goto(link)
  await app.getByRole('textbox', { name: 'User name' }).fill(username)
  await app.getByRole('button', { name: 'Sign in' }).click()
  await expect(app.getByText(`Signed in as ${username}`)).toBeVisible()
  await app.close()
}
