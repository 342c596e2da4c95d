/** From each provider to a wallet, and every failure in a provider's window. */
import type { Page } from '@playwright/test'
import { isAddress } from 'viem'
import { providersAlone } from './support/alone'
import { installClock, skipPolls } from './support/clock'
import { allChains } from './support/dapp'
import { codeField, codeRefusal, typeCode } from './support/embedded'
import { addressesIn, card, inDapp, modal, openConnect, press, status, statusIn } from './support/postern'
import { sendsBitcoin, sendsEther, sendsSol } from './support/sends'
import {
  answerProvider,
  approveFarcaster,
  finishAtProvider,
  openSocial,
  popupOf,
  type Social,
  setFault,
  setSevered,
  socialNames,
} from './support/social'
import { expect, test } from './support/test'
import { openOn } from './support/wallet-window'

// The providers are shared, and some of these tests break them.
test.describe.configure({ mode: 'default' })

const socials = ['google', 'github', 'apple', 'facebook', 'x', 'discord'] as const satisfies readonly Social[]

/** Another project runs the test that breaks providers. */
const comeThrough = (page: Page, provider: Social): Promise<void> =>
  providersAlone(async () => finishAtProvider(await openSocial(page, provider), `Ada of ${process.pid}`))

test('@main @embedded @engines Google: from an empty browser to transactions on three chains', async ({
  page,
  visit,
}) => {
  await visit({ wallets: [], networks: allChains })
  await openConnect(page)
  await comeThrough(page, 'google')
  for (const namespace of ['eip155', 'solana', 'bip122'] as const)
    await expect.poll(() => statusIn(page, namespace), { timeout: 60_000 }).toBe('connected')
  await inDapp(page, (postern) => postern.close())
  const [account = ''] = await addressesIn(page, 'eip155')
  const [solana = ''] = await addressesIn(page, 'solana')
  const [bitcoin = ''] = await addressesIn(page, 'bip122')
  if (!isAddress(account)) throw new Error(`${account} is not an address`)
  await sendsEther(page, account)
  await sendsSol(page, solana)
  await sendsBitcoin(page, bitcoin)
})

test('@embedded each provider’s user has a separate wallet, and the same one the next time (spec §1, §7)', async ({
  page,
  visit,
  browser,
}) => {
  const dapp = await visit({ wallets: [] })
  const comeIn = async (at: Page, provider: Social) => {
    await openConnect(at)
    await comeThrough(at, provider)
    await expect.poll(() => status(at), { timeout: 60_000 }).toBe('connected')
    return addressesIn(at, 'eip155')
  }
  const found = new Map<Social, string>()
  for (const provider of socials) {
    const context = await browser.newContext()
    const [account = ''] = await comeIn(await openOn(context, dapp), provider)
    found.set(provider, account)
    await context.close()
  }
  expect(new Set(found.values()).size).toBe(socials.length)
  expect(await comeIn(page, 'google')).toContain(found.get('google'))
})

test('@main @embedded Farcaster: the phone scans a code and approves in the app (spec §2, §7)', async ({
  page,
  visit,
  browser,
}) => {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await visit({ wallets: [] })
  await openConnect(page)
  await press(modal(page).getByRole('button', { name: 'Continue with Farcaster', exact: true }))
  const copied = () => page.evaluate(() => navigator.clipboard.readText())
  // The clipboard outlives a test.
  await page.evaluate(() => navigator.clipboard.writeText('Nothing was copied yet'))
  await press(modal(page).getByRole('button', { name: 'Copy link' }))
  await expect.poll(copied).toMatch(/^http/)
  const link = await copied()
  const phone = await browser.newContext({ viewport: { width: 420, height: 900 } })
  await approveFarcaster(phone, link, `ada${process.pid}`)
  await expect.poll(() => status(page), { timeout: 60_000 }).toBe('connected')
  await inDapp(page, (postern) => postern.open())
  await expect(card(page)).toContainText(`ada${process.pid}`)
  await phone.close()
})

test('@embedded @denied failures in a provider’s window are reported, and a retry works', async ({ page, visit }) => {
  await installClock(page)
  const name = `Grace of ${process.pid}`

  await test.step('the user declines', async () => {
    await visit({ wallets: [] })
    await openConnect(page)
    await finishAtProvider(await openSocial(page, 'github'), name, 'Deny')
    await expect(card(page)).toContainText('Couldn’t sign in with GitHub')
    await expect(card(page)).toContainText('The sign-in was declined')
    await finishAtProvider(await popupOf(page, 'Try again'), name)
    await expect.poll(() => status(page), { timeout: 60_000 }).toBe('connected')
  })

  await test.step('the window is closed', async () => {
    await visit({ wallets: [] })
    await openConnect(page)
    const popup = await openSocial(page, 'google')
    await popup.getByRole('button', { name: 'Allow' }).waitFor()
    await popup.close()
    await skipPolls(page, () => expect(card(page)).toContainText('The Google window closed'))
    await finishAtProvider(await popupOf(page, 'Reopen the window'), name)
    await expect.poll(() => status(page), { timeout: 60_000 }).toBe('connected')
  })

  for (const [kind, provider, words] of [
    ['down', 'discord', 'The sign-in service isn’t responding'],
    ['bad-state', 'x', 'This sign-in wasn’t started here'],
  ] as const) {
    await test.step(kind, async () => {
      await providersAlone(async () => {
        await setFault(provider, kind)
        try {
          await visit({ wallets: [] })
          await openConnect(page)
          const popup = await openSocial(page, provider)
          await answerProvider(popup, name)
          await expect(card(page)).toContainText(`Couldn’t sign in with ${socialNames[provider]}`)
          await expect(card(page)).toContainText(words)
          expect(await status(page)).toBe('disconnected')
        } finally {
          await setFault(provider, 'none')
        }
      })
      await finishAtProvider(await popupOf(page, 'Try again'), name)
      await expect.poll(() => status(page), { timeout: 60_000 }).toBe('connected')
    })
  }

  await test.step('the provider severs its window: the user types six digits, first wrong ones', async () => {
    await providersAlone(async () => {
      await setSevered('facebook', true)
      try {
        await visit({ wallets: [] })
        await openConnect(page)
        const popup = await openSocial(page, 'facebook')
        await answerProvider(popup, name)
        await expect(popup.getByRole('heading', { name: 'Did you start this sign-in?' })).toBeVisible()
        await expect(codeField(page)).toBeHidden()
        await popup.getByRole('button', { name: 'I started this: show the code' }).click()
        await expect(popup.getByRole('heading', { name: 'Enter this code where you started' })).toBeVisible()
        const code = (await popup.locator('#code').textContent()) ?? ''
        expect(code).toMatch(/^\d{6}$/)
        const digits = codeField(page)
        await expect(digits).toBeVisible()
        await typeCode(page, code === '000000' ? '000001' : '000000')
        await expect(codeRefusal(page, 'Wrong code')).toBeVisible()
        expect(await status(page)).toBe('disconnected')
        await typeCode(page, code)
        await expect.poll(() => status(page), { timeout: 60_000 }).toBe('connected')
      } finally {
        await setSevered('facebook', false)
      }
    })
  })
})

test('@main @embedded a sign-in started by someone else does not sign the user in', async ({
  page,
  visit,
  browser,
  gateway,
}) => {
  await visit({ wallets: [] })
  await openConnect(page)
  const popup = await openSocial(page, 'google')
  await popup.getByRole('button', { name: 'Allow' }).waitFor()

  await test.step('the callback is rejected in any other browser', async () => {
    const callback = new URL(`http://wallet.postern.localhost:${gateway.port}/auth/social/callback/google`)
    callback.searchParams.set('state', new URL(popup.url()).searchParams.get('state') ?? '')
    callback.searchParams.set('code', 'another')
    const other = await browser.newContext()
    const victim = await other.newPage()
    await victim.goto(callback.href)
    await expect(victim.getByRole('heading', { name: 'This sign-in wasn’t started here' })).toBeVisible()
    await other.close()
  })

  await expect(card(page)).toContainText('Couldn’t sign in with Google')
  expect(await status(page)).toBe('disconnected')
  await popup.close()
})
