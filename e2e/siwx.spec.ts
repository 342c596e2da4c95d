/** When it is requested, each way it ends, and what a server makes of it. */
import type { Page } from '@playwright/test'
import { verifyMessage } from 'viem'
import { bothChains } from './support/dapp'
import { addressOf } from './support/money'
import { approve, card, inDapp, openModal, press, status, walletPrompt } from './support/postern'
import {
  askedOf,
  cancelButton,
  connectAndBeAsked,
  keptSessions,
  prompt,
  signButton,
  signInModule,
  signInWith,
  untilAsked,
  untilLookedAt,
} from './support/sign-in'
import { expect, test } from './support/test'

const ready = '{ siwx: ready() }'
const dapp = (options: string) => ({
  networks: bothChains,
  module: signInModule({ options, networks: bothChains }),
})

test('@main @siwx @storage asks once: the session is stored, the modal closes, and a reload does not ask (spec §1)', async ({
  page,
  visit,
  lane,
}) => {
  await visit(dapp(ready))
  await connectAndBeAsked(page)
  await expect(prompt(page)).toContainText('Verify your wallet')
  await expect(prompt(page)).toContainText('dapp.localhost')
  await press(signButton(page))
  await expect(walletPrompt(page)).toContainText('wants you to sign in with your Ethereum account')
  await approve(page)
  await expect(card(page)).toBeHidden()
  await expect.poll(() => status(page)).toBe('connected')

  const [session, ...others] = await keptSessions(page)
  if (session === undefined) throw new Error('Nothing was kept.')
  expect(others).toEqual([])
  expect(session.data).toMatchObject({ chainId: 'eip155:31337', accountAddress: addressOf(lane.account) })
  expect(session.data.domain).toBe(new URL(page.url()).host)
  const { message, signature } = session
  expect(signature.startsWith('0x')).toBe(true)
  expect(await verifyMessage({ address: addressOf(lane.account), message, signature: `0x${signature.slice(2)}` })).toBe(
    true,
  )

  await page.reload()
  await page.waitForFunction(() => 'Postern' in window)
  await expect.poll(() => status(page)).toBe('connected')
  await untilLookedAt(page, 1)
  await openModal(page)
  await expect(card(page, 'Account')).toBeVisible()
  expect(await askedOf(page, 'createMessage')).toEqual([])
})

test('@smoke @main @siwx required: cancel disconnects and shows Connect (spec §4)', async ({ page, visit }) => {
  await visit(dapp(ready))
  await connectAndBeAsked(page)
  await expect(prompt(page)).toContainText('Cancelling will disconnect Devnet Wallet')
  await press(cancelButton(page))
  await expect(card(page, 'Connect')).toBeVisible()
  await expect.poll(() => status(page)).toBe('disconnected')
})

test.describe('closing a required sign-in', () => {
  test.use({ contextOptions: { reducedMotion: 'no-preference' } })

  test('@siwx is refused, and the card shakes: close button, Escape, and the dapp’s close (spec §9)', async ({
    page,
    visit,
  }) => {
    await visit(dapp(ready))
    await connectAndBeAsked(page)
    const shakes = await countShakes(page)
    await press(prompt(page).getByRole('button', { name: 'Close' }))
    await expect.poll(shakes).toBe(1)
    await page.keyboard.press('Escape')
    await expect.poll(shakes).toBe(2)
    await inDapp(page, (postern) => postern.close().catch(() => {}))
    await expect.poll(shakes).toBe(3)
    await expect(signButton(page)).toBeVisible()
    await inDapp(page, (postern) => postern.open({ view: 'Networks' }))
    await expect(signButton(page)).toBeVisible()
    await signInWith(page)
  })
})

test('@siwx asks in this tab for a session that ends in another tab', async ({ page, context, visit }) => {
  const here = await visit(dapp(ready))
  await connectAndBeAsked(page)
  await signInWith(page)
  const other = await context.newPage()
  await other.goto(here)
  await other.waitForFunction(() => 'Postern' in window)
  await other.evaluate('plugin.setSessions([])')
  await untilAsked(page)
  await expect.poll(() => status(page)).toBe('connected')
})

async function countShakes(page: Page): Promise<() => Promise<number>> {
  await prompt(page).evaluate(() => {
    let shakes = 0
    const { animate } = Element.prototype
    Element.prototype.animate = function (...how) {
      if (JSON.stringify(how[0]).includes('translateX(-8px)')) shakes += 1
      Object.assign(window, { shakes })
      return Reflect.apply(animate, this, how)
    }
    Object.assign(window, { shakes })
  })
  return () => prompt(page).evaluate(() => Number(Reflect.get(window, 'shakes')))
}
