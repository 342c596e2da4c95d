import type { Browser, BrowserContext, Page } from '@playwright/test'
import { codeOf, signInByEmail, walletFrameIn } from './embedded'
import { expect } from './expect'
import { lastMail, type Mail, nextMail } from './mailbox'
import { addressesIn, card, inDapp, modal, openConnect, opening, press, statusIn, type } from './postern'
import { popupOf, pressToEnd, untilClosed } from './social'

const namespaces = ['eip155', 'solana', 'bip122'] as const

/** Another browser context. */
export async function openOn(context: BrowserContext, address: string): Promise<Page> {
  const page = await context.newPage()
  await page.goto(address)
  await page.waitForFunction(() => 'Postern' in window)
  return page
}

/** Including the code. */
export async function signInOnNewDevice(page: Page, email: string): Promise<void> {
  await openConnect(page)
  await signInByEmail(page, email)
}

/** Signs up in a browser of its own, so that the address has an account. `url` is a dapp's. */
export async function signUpElsewhere(browser: Browser, url: string, email: string): Promise<void> {
  const context = await browser.newContext()
  const page = await openOn(context, url)
  await signInOnNewDevice(page, email)
  await expect.poll(() => statusIn(page, 'eip155'), { timeout: 60_000 }).toBe('connected')
  await context.close()
}

/** After closing the modal. */
export async function connectedAddresses(page: Page): Promise<string[]> {
  for (const namespace of namespaces)
    await expect.poll(() => statusIn(page, namespace), { timeout: 60_000 }).toBe('connected')
  const found = await Promise.all(namespaces.map((namespace) => addressesIn(page, namespace)))
  await inDapp(page, (postern) => postern.close())
  await expect(card(page)).toBeHidden()
  return found.flat()
}

export async function openSecurity(page: Page): Promise<void> {
  await inDapp(page, (postern) => postern.open({ view: 'Account' }))
  await expect(card(page, 'Account')).toBeVisible()
  // The card changes its height once the balances are there: a press meant for its last row would hit what is around it.
  await expect(card(page).locator('[aria-busy="true"]')).toHaveCount(0)
  await press(modal(page).getByRole('button', { name: /^Wallet security/ }))
  await expect(card(page, 'Wallet security')).toBeVisible()
}

export const openWindow = (page: Page, row: string | RegExp): Promise<Page> => popupOf(page, row)

export const passphrase = 'nine Lamps under the quiet harbour'

/** In the window of a new wallet, which then closes. */
export async function choosePassphrase(popup: Page): Promise<void> {
  await popup.getByText('Passphrase', { exact: true }).click()
  await pressToEnd(popup.getByRole('button', { name: 'Continue' }))
  await popup.getByLabel('Passphrase', { exact: true }).fill(passphrase)
  await popup.getByLabel('Repeat passphrase').fill(passphrase)
  await pressToEnd(popup.getByRole('button', { name: 'Continue' }))
  await untilClosed(popup)
}

/** From the security view to the wallet's own window, which a press in the wallet's frame opens. */
export async function openDeletion(page: Page): Promise<Page> {
  await press(modal(page).getByRole('button', { name: /^Delete account/ }))
  const button = walletFrameIn(page).getByRole('button', { name: 'Continue in your wallet', exact: true })
  return opening(page, () => press(button))
}

/** Reads what is lost, presses, and types the code. The window then closes. */
export async function deleteAccount(page: Page, email: string): Promise<void> {
  const before = await lastMail(email)
  const popup = await openDeletion(page)
  await expect(popup.getByRole('main')).toContainText(`our parts of the key for ${email}`)
  await popup.getByRole('button', { name: 'Delete account', exact: true }).click()
  await typeWindowCode(popup, email, before)
  await untilClosed(popup)
}

/** `before`: the latest email before the request. */
export async function typeWindowCode(popup: Page, email: string, before: Mail | undefined): Promise<void> {
  const code = codeOf(await nextMail(email, before))
  await type(popup.getByRole('textbox', { name: '6-digit code' }), code)
}

/** A platform authenticator with PRF, for this page. */
export async function addAuthenticator(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page)
  await session.send('WebAuthn.enable')
  await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      ctap2Version: 'ctap2_1',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      hasPrf: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
}

/**
 * Uses the passkey of the phone's page: virtual authenticators belong to one page, and their keys cannot be exported
 * with the PRF secret.
 */
export async function passkeyOf(phone: Page, context: BrowserContext): Promise<void> {
  await context.exposeFunction('askPhone', (id: readonly number[], salt: readonly number[]) =>
    phone.evaluate(
      async ([id, salt]) => {
        const credential = await navigator.credentials.get({
          publicKey: {
            rpId: location.hostname,
            challenge: crypto.getRandomValues(new Uint8Array(32)),
            allowCredentials: [{ type: 'public-key', id: Uint8Array.from(id) }],
            userVerification: 'required',
            extensions: { prf: { eval: { first: Uint8Array.from(salt) } } },
          },
        })
        if (!(credential instanceof PublicKeyCredential)) throw new Error('No passkey')
        const first = credential.getClientExtensionResults().prf?.results?.first
        return first instanceof ArrayBuffer ? [...new Uint8Array(first)] : []
      },
      [id, salt] as const,
    ),
  )
  await context.addInitScript(() => {
    const bytes = (source: BufferSource) =>
      ArrayBuffer.isView(source)
        ? [...new Uint8Array(source.buffer, source.byteOffset, source.byteLength)]
        : [...new Uint8Array(source)]
    navigator.credentials.get = async ({ publicKey } = {}) => {
      const [wanted] = publicKey?.allowCredentials ?? []
      const salt = publicKey?.extensions?.prf?.eval?.first
      const ask: unknown = Reflect.get(window, 'askPhone')
      if (wanted === undefined || salt === undefined || typeof ask !== 'function') return null
      const first = Uint8Array.from(await ask(bytes(wanted.id), bytes(salt)))
      const credential: Credential = Object.create(PublicKeyCredential.prototype)
      return Object.defineProperty(credential, 'getClientExtensionResults', {
        value: () => ({ prf: { results: { first } } }),
      })
    }
  })
}
