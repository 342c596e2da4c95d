/** What happens in a page wallet: a lock, another network, its end; and two tabs. */
import type { Page } from '@playwright/test'
import { devnetAccounts } from '@postern/devnet'
import { devnetWallet } from './support/dapp'
import {
  address,
  approve,
  card,
  chainId,
  chooseWallet,
  connect,
  inDapp,
  modal,
  openConnect,
  press,
  request,
  status,
  unlock,
  walletPrompt,
  walletRow,
} from './support/postern'
import { expect, test } from './support/test'

const addressOf = (account: number) => devnetAccounts[account]?.address
const rdns = 'dev.postern.devnet-wallet'

test.describe('a locked wallet', () => {
  test('@main @connect asks for the unlock, then connects', async ({ page, visit, lane }) => {
    await visit({ wallets: [{ ...devnetWallet(lane.account), locked: true }] })
    await openConnect(page)
    await chooseWallet(page, 'Devnet Wallet')
    await unlock(page)
    await approve(page)
    await expect(card(page)).toBeHidden()
    await expect.poll(() => address(page)).toBe(addressOf(lane.account))
  })
})

test.describe('changes in the wallet', () => {
  test('@main @connect reports an unsupported network, with a way back', async ({ page, visit }) => {
    await visit({ networks: 'eip155:31337' })
    await connect(page)
    await page.evaluate((rdns) => window.devnetWallets?.[rdns]?.switchChain(31338), rdns)
    await expect(modal(page).getByText('Unsupported network')).toBeVisible()
    await press(modal(page).getByRole('button', { name: /^Postern Devnet\b/ }))
    await approve(page)
    await expect(modal(page).getByText('Unsupported network')).toBeHidden()
    await expect.poll(() => chainId(page)).toBe('eip155:31337')
    await expect.poll(() => unsupported(page)).toBe(false)
  })

  test('@main @connect a request settles when its wallet disappears', async ({ page, visit, lane }) => {
    await visit()
    await connect(page)
    const signing = request(page, 'personal_sign', ['0x68656c6c6f', addressOf(lane.account)])
    await expect(walletPrompt(page)).toBeVisible()
    await page.evaluate((rdns) => window.devnetWallets?.[rdns]?.vanish(), rdns)
    expect(await signing).toMatchObject({ code: 4900 })
    await expect.poll(() => status(page)).toBe('disconnected')
  })
})

test.describe('two tabs of one dapp', () => {
  test('@main @connect @engines @storage agree on the connection and its end', async ({
    page,
    context,
    visit,
    lane,
  }) => {
    const address = await visit()
    const other = await context.newPage()
    await other.goto(address)
    // Background tabs draw once a second: a click would take half a minute.
    await page.bringToFront()
    await connect(page)
    await expect.poll(() => status(other)).toBe('connected')
    expect(await accounts(other)).toEqual([addressOf(lane.account)])
    await inDapp(other, (postern) => postern.disconnect())
    await expect.poll(() => status(page)).toBe('disconnected')
    await expect.poll(() => status(other)).toBe('disconnected')
  })
})

function accounts(page: Page): Promise<unknown> {
  return inDapp(page, (postern) => postern.eip155.request({ method: 'eth_accounts' }))
}

const unsupported = (page: Page) =>
  inDapp(page, (postern) => {
    const connection = postern.getSnapshot().connections.eip155
    return connection?.status === 'connected' && connection.unsupported === true
  })

/** The backdrop takes no press during an animation of its own, which the test holds. */
test('@connect the second press of a double press on the connect button or on a row closes nothing', async ({
  page,
  visit,
}) => {
  await page.addInitScript(() => {
    addEventListener('animationstart', ({ target }) => {
      if (!(target instanceof HTMLButtonElement)) return
      for (const animation of target.getAnimations()) {
        animation.pause()
        animation.currentTime = 0
      }
    })
  })
  const beside = [5, 635] as const
  const endAnimations = () =>
    card(page).evaluate(({ ownerDocument }) => {
      for (const animation of ownerDocument.getAnimations()) animation.finish()
    })
  await visit()
  await openConnect(page)
  await page.mouse.click(...beside)
  await expect(card(page, 'Connect')).toBeVisible()
  await endAnimations()
  await press(walletRow(page, 'MetaMask'))
  await expect(card(page, 'MetaMask')).toBeVisible()
  await page.mouse.click(...beside)
  await expect(card(page, 'MetaMask')).toBeVisible()
  await endAnimations()
  await page.mouse.click(...beside)
  await expect(card(page)).toBeHidden()
})
