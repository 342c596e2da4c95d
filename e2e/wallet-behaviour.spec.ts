/** Decline, lock, switch, disappear, in pairs, or missing. */
import type { Page } from '@playwright/test'
import { devnetAccounts } from '@postern/devnet'
import { devnetWallet, type VisitorWallet } from './support/dapp'
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
  reject,
  request,
  status,
  switchFromModal,
  unlock,
  walletPrompt,
  walletRow,
} from './support/postern'
import { expect, test } from './support/test'

const addressOf = (account: number) => devnetAccounts[account]?.address
const rdns = 'dev.postern.devnet-wallet'

test.describe('declining', () => {
  test('@main @connect a declined request is reported and can be retried', async ({ page, visit }) => {
    await visit()
    await openConnect(page)
    await chooseWallet(page, 'Devnet Wallet')
    await reject(page)
    await expect(modal(page).getByText('Request declined')).toBeVisible()
    await press(modal(page).getByRole('button', { name: 'Try again' }))
    await approve(page)
    await expect(card(page)).toBeHidden()
    await expect.poll(() => status(page)).toBe('connected')
  })
})

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

  test('@connect adds a network that the wallet does not have', async ({ page, visit, lane }) => {
    await visit({ wallets: [{ ...devnetWallet(lane.account), knows: [31337] }] })
    await connect(page)
    await switchFromModal(page, 'Postern Devnet Two')
    await expect(walletPrompt(page)).toContainText('Add a network')
    await approve(page)
    await expect.poll(() => chainId(page)).toBe('eip155:31338')
  })

  test('@connect permission revoked by the dapp ends the session', async ({ page, visit }) => {
    await visit()
    await connect(page)
    await request(page, 'wallet_revokePermissions', [{ eth_accounts: {} }])
    await expect.poll(() => status(page)).toBe('disconnected')
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

test.describe('available wallets', () => {
  test('@main @connect a wallet without EIP-6963 connects by window.ethereum', async ({ page, visit, lane }) => {
    await visit({ wallets: [{ ...devnetWallet(lane.account), legacy: true, silent: true }] })
    await openConnect(page)
    await press(modal(page).getByRole('button', { name: /Browser wallet|Injected/i }))
    await approve(page)
    await expect(card(page)).toBeHidden()
    await expect.poll(() => address(page)).toBe(addressOf(lane.account))
  })

  test('@connect a wallet that announces itself late is listed', async ({ page, visit, lane }) => {
    await visit({ wallets: [] })
    await openConnect(page)
    await installWallet(page, devnetWallet(lane.account))
    await chooseWallet(page, 'Devnet Wallet')
    await approve(page)
    await expect.poll(() => status(page)).toBe('connected')
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

/** An extension enabled after the page had loaded. */
async function installWallet(page: Page, wallet: VisitorWallet): Promise<void> {
  await page.evaluate(
    (wallet) =>
      new Promise<void>((resolve) => {
        const script = document.createElement('script')
        script.src = '/page-wallet.js'
        Object.assign(script.dataset, wallet)
        script.onload = () => resolve()
        document.head.append(script)
      }),
    { name: wallet.name, rdns: wallet.rdns, account: String(wallet.account) },
  )
}

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
