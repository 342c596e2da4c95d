/** The devnet's identity provider, and its Farcaster. */
import type { BrowserContext, Locator, Page } from '@playwright/test'
import { devnetPorts } from '@postern/devnet'
import { expect } from './expect'
import { modal, opening, press } from './postern'

export const socialNames = {
  google: 'Google',
  github: 'GitHub',
  apple: 'Apple',
  facebook: 'Facebook',
  x: 'X',
  discord: 'Discord',
} as const
export type Social = keyof typeof socialNames

/** Returns the window that the button opens. */
export const popupOf = (page: Page, button: string | RegExp): Promise<Page> =>
  opening(page, () => press(modal(page).getByRole('button', { name: button, exact: true })))

export const openSocial = (page: Page, provider: Social): Promise<Page> =>
  popupOf(page, `Continue with ${socialNames[provider]}`)

/** The window may close during the press. */
export async function answerProvider(popup: Page, name: string, answer: 'Allow' | 'Deny' = 'Allow'): Promise<void> {
  await popup.getByRole('textbox', { name: 'Name' }).fill(name)
  await pressToEnd(popup.getByRole('button', { name: answer, exact: true }))
}

/** Its window may be gone before the press is over. */
export async function pressToEnd(button: Locator): Promise<void> {
  try {
    await button.click()
  } catch (error) {
    if (!button.page().isClosed()) throw error
  }
}

/** An event that is awaited from before the press on would fail unseen if the press fails, or takes its time. */
export const untilClosed = (popup: Page): Promise<void> =>
  expect.poll(() => popup.isClosed(), { message: 'the window has closed', timeout: 90_000 }).toBe(true)

/** Waits until the window has closed. */
export async function finishAtProvider(popup: Page, name: string, answer: 'Allow' | 'Deny' = 'Allow'): Promise<void> {
  await answerProvider(popup, name, answer)
  await untilClosed(popup)
}

const provider = `http://127.0.0.1:${devnetPorts.identityProvider}`
const post = async (url: string, body: object): Promise<void> => {
  const response = await fetch(url, { method: 'POST', body: JSON.stringify(body) })
  expect(response.ok, `${url} took ${JSON.stringify(body)}`).toBe(true)
}

/** Until reset to `none`. Shared: concurrent tests must use different providers. */
export const setFault = (of: Social, kind: 'none' | 'down' | 'bad-state'): Promise<void> =>
  post(`${provider}/devnet/fault`, { provider: of, kind })

/** Severs the opener (COOP). */
export const setSevered = (of: Social, severed: boolean): Promise<void> =>
  post(`${provider}/devnet/opener`, { provider: of, severed })

/** The page that the QR code opens. */
export async function approveFarcaster(phone: BrowserContext, link: string, username: string): Promise<void> {
  const app = await phone.newPage()
  await app.goto(link)
  await app.getByRole('textbox', { name: 'User name' }).fill(username)
  await app.getByRole('button', { name: 'Sign in' }).click()
  await expect(app.getByText(`Signed in as ${username}`)).toBeVisible()
  await app.close()
}
