import type { Locator, Page } from '@playwright/test'
import * as z from 'zod/mini'
import { approve, card, chooseWallet, openConnect, press, untilDrawn } from './postern'
import { expect } from './test'

/**
 * An npm dapp with sign-in. `options` is JavaScript source with `siwx`; in scope: `@postern/siwx`, `ready(settings)`
 * (the built-in plugin). `window.asked` records the modal's calls to `siwx` and their outcomes.
 */
export function signInModule(dapp: {
  readonly options: string
  readonly projectId?: string
  readonly networks: string
}) {
  const { options, projectId = 'demo', networks } = dapp
  const known = JSON.stringify({ projectId, networks: networks.split(' ') })
  return (host: string) => `
    import { createPostern } from '/client/index.js'
    import '/client/elements.js'
    import * as siwx from '/siwx/index.js'
    const { createSiwx, localSessions } = siwx
    window.asked = []
    const methods = ['createMessage', 'addSession', 'revokeSession', 'setSessions', 'getSessions']
    const watched = (plugin) => ({
      ...plugin,
      ...Object.fromEntries(methods.map((name) => [name, async (...args) => {
        const entry = { name, args: JSON.parse(JSON.stringify(args)), outcome: 'open' }
        window.asked.push(entry)
        try {
          const answer = await plugin[name](...args)
          entry.outcome = 'answered'
          return answer
        } catch (error) {
          entry.outcome = 'failed'
          throw error
        }
      }])),
    })
    const ready = (settings = {}) => createSiwx({ sessions: localSessions(), ...settings })
    const options = (${options})
    options.siwx = watched(options.siwx)
    const postern = createPostern({ ...${known}, host: ${JSON.stringify(host)}, ...options })
    window.plugin = options.siwx
    window.Postern = { ...postern, createPostern, version: 'by npm' }`
}

export const prompt = (page: Page): Locator => card(page, 'Sign in')
export const signButton = (page: Page): Locator => prompt(page).getByRole('button', { name: 'Sign', exact: true })
export const cancelButton = (page: Page): Locator => prompt(page).getByRole('button', { name: 'Cancel' })

export async function untilAsked(page: Page): Promise<void> {
  await expect(signButton(page)).toBeEnabled()
  await untilDrawn(signButton(page))
}

export async function connectAndBeAsked(page: Page, wallet = 'Devnet Wallet'): Promise<void> {
  await openConnect(page)
  await chooseWallet(page, wallet)
  await approve(page, wallet)
  await untilAsked(page)
}

export async function signInWith(page: Page, wallet?: string): Promise<void> {
  await press(signButton(page))
  await approve(page, wallet)
  await expect(card(page)).toBeHidden()
}

const Kept = z.array(
  z.object({
    data: z.object({ chainId: z.string(), accountAddress: z.string(), domain: z.string(), nonce: z.string() }),
    message: z.string(),
    signature: z.string(),
  }),
)

/** Stored in the page by the built-in plugin. */
export const keptSessions = async (page: Page): Promise<z.infer<typeof Kept>> =>
  Kept.parse(JSON.parse((await page.evaluate(() => localStorage.getItem('postern.siwx'))) ?? '[]'))

/** In order of creation. */
export const keptAccounts = async (page: Page): Promise<string[]> =>
  (await keptSessions(page)).map(({ data }) => `${data.chainId}:${data.accountAddress}`)

const Asked = z.array(z.object({ name: z.string(), args: z.array(z.unknown()), outcome: z.string() }))

export const askedOf = async (page: Page, name?: string): Promise<z.infer<typeof Asked>> =>
  Asked.parse(await page.evaluate('window.asked')).filter((one) => name === undefined || one.name === name)

/** Waits for this many session reports. */
export async function untilLookedAt(page: Page, times: number): Promise<void> {
  await expect
    .poll(async () => (await askedOf(page, 'getSessions')).filter(({ outcome }) => outcome !== 'open').length)
    .toBeGreaterThanOrEqual(times)
}
