/** With every kind of wallet: the server knows the signing account. */
import type { Locator, Page } from '@playwright/test'
import { bitcoinAddress } from './support/bitcoin'
import { bitcoinNetwork, solanaNetwork } from './support/dapp'
import { approvalOf, approveRequest, signInByEmail } from './support/embedded'
import { lab } from './support/lab'
import { newAddress } from './support/mailbox'
import { approveOnPhone, connectByLink } from './support/mobile-wallet'
import { addressOf } from './support/money'
import { approve, card, chooseWallet, inDapp, modal, openConnect, openModal, press } from './support/postern'
import { signButton, signInWith, untilAsked } from './support/sign-in'
import { solanaAddress } from './support/solana'
import { expect, test } from './support/test'

const names = {
  eip155: ['EVM', 'Devnet Wallet'],
  solana: ['Solana', 'Devnet Sol Wallet'],
  bip122: ['Bitcoin', 'Devnet Bitcoin Wallet'],
} as const

const signInCard = (page: Page): Locator => page.getByRole('region', { name: 'Sign in' })
const sessions = (page: Page): Locator => signInCard(page).getByRole('list', { name: 'Sessions' }).getByRole('listitem')

async function known(page: Page): Promise<string[]> {
  const outcome = signInCard(page).getByRole('status', { name: 'Sign-in' })
  await press(signInCard(page).getByRole('button', { name: 'Ask the server who I am' }))
  await expect(outcome).toContainText(/You are (not )?signed in to the server/)
  const lines = outcome.locator('dl > div')
  const read = async (line: Locator) =>
    `${await line.locator('dt').textContent()}:${await line.locator('dd').textContent()}`
  return (await Promise.all((await lines.all()).map(read))).sort()
}

const useAccount = (page: Page, account: number) =>
  page.evaluate((account) => {
    for (const wallet of Object.values(window.devnetWallets ?? {})) wallet.switchAccount(account)
  }, account)

test('@siwx @storage a page wallet signs in, and the server confirms it', async ({ page, lane }) => {
  const who = `eip155:31337:${addressOf(lane.account)}`
  await page.goto(`${lab.scriptTag}?siwx=server`)
  await useAccount(page, lane.account)
  await expect(signInCard(page)).toContainText('You are not signed in')
  await connectAndSignIn(page)
  await expect(sessions(page)).toHaveCount(1)
  await expect(sessions(page)).toContainText('eip155:31337')
  expect(await known(page)).toEqual([who])

  await page.reload()
  await expect(page.locator('#account, dd[title]').first()).toHaveAttribute('title', addressOf(lane.account))
  await expect(sessions(page)).toHaveCount(1)
  expect(await known(page)).toEqual([who])
  await expect(card(page)).toBeHidden()

  await press(signInCard(page).getByRole('button', { name: 'Sign out' }))
  await untilAsked(page)
  await signInWith(page)
  expect(await known(page)).toEqual([who])
  await press(page.getByRole('button', { name: 'Disconnect', exact: true }))
  await expect(signInCard(page)).toContainText('You are not signed in')
  await expect.poll(() => known(page)).toEqual([])
})

test('@main @siwx @solana @bitcoin wallets of three chains, one session each, by the gateway', async ({
  page,
  lane,
}) => {
  await page.goto(`${lab.npm}?siwx=gateway`)
  await useAccount(page, lane.account)
  for (const [index, [words, wallet]] of Object.values(names).entries()) {
    await press(page.getByRole('button', { name: `Connect ${words}`, exact: true }))
    await chooseWallet(page, wallet)
    await approve(page, wallet)
    await untilAsked(page)
    await signInWith(page, wallet)
    await expect(sessions(page)).toHaveCount(index + 1)
  }
  const all = [
    `${bitcoinNetwork}:${bitcoinAddress(lane.account)}`,
    `eip155:31337:${addressOf(lane.account)}`,
    `${solanaNetwork}:${solanaAddress(lane.account)}`,
  ]
  expect(await known(page)).toEqual(all)
  await press(page.getByRole('button', { name: 'Disconnect Solana' }))
  await expect(sessions(page)).toHaveCount(2)
  await expect.poll(() => known(page)).toEqual(all.slice(0, 2))
})

test('@siwx the older configuration works with the same server', async ({ page, lane }) => {
  await page.goto(`${lab.npm}?siwx=siwe`)
  await useAccount(page, lane.account)
  await connectAndSignIn(page)
  expect(await known(page)).toEqual([`eip155:31337:${addressOf(lane.account)}`])
  await press(page.getByRole('button', { name: 'Disconnect', exact: true }))
  await expect(signInCard(page)).toContainText('You are not signed in')
  await expect.poll(() => known(page)).toEqual([])
})

test('@siwx @walletconnect a phone wallet signs in on three chains', async ({ page, phone, lane }) => {
  const wallet = await phone()
  await page.goto(`${lab.npm}?siwx=server`)
  await connectByLink(page, wallet)
  const all = [
    `${bitcoinNetwork}:${bitcoinAddress(lane.account)}`,
    `eip155:31337:${addressOf(lane.account)}`,
    `${solanaNetwork}:${solanaAddress(lane.account)}`,
  ]
  for (const [index] of all.entries()) {
    await untilAsked(page)
    await press(signButton(page))
    await approveOnPhone(wallet)
    await expect(sessions(page)).toHaveCount(index + 1)
  }
  await expect(card(page)).toBeHidden()
  expect(await known(page)).toEqual(all)
})

test('@main @siwx @embedded the embedded wallet signs in by its approval alone: an undeployed smart account, then the plain one', async ({
  page,
}) => {
  await page.goto(`${lab.scriptTag}?siwx=server`)
  await openConnect(page)
  await signInByEmail(page, newAddress())
  for (const count of [1, 2, 3]) {
    await approveSignIn(page)
    await expect(sessions(page)).toHaveCount(count, { timeout: 60_000 })
  }
  // Without storage Account shows a notice; otherwise the modal has closed.
  await close(page)
  const all = await known(page)
  expect(all.map((one) => one.split(':')[0])).toEqual(['bip122', 'eip155', 'solana'])

  await openModal(page)
  await press(modal(page).getByRole('button', { name: /^Account type/ }))
  await press(modal(page).getByRole('button', { name: /^Standard account/ }))
  await approveSignIn(page)
  await expect(sessions(page)).toHaveCount(4, { timeout: 60_000 })
  await close(page)
  expect((await known(page)).filter((one) => one.startsWith('eip155:'))).toHaveLength(2)
})

async function close(page: Page): Promise<void> {
  await inDapp(page, (postern) => postern.close())
  await expect(card(page)).toBeHidden()
}

async function approveSignIn(page: Page): Promise<void> {
  const approval = approvalOf(page)
  await expect(approval.getByRole('button', { name: 'Decline' })).toBeVisible({ timeout: 60_000 })
  await expect(approval.getByText('Reading the request')).toBeHidden()
  await approveRequest(page)
}

async function connectAndSignIn(page: Page): Promise<void> {
  await press(page.getByRole('button', { name: 'Connect wallet' }))
  await chooseWallet(page, 'Devnet Wallet')
  await approve(page)
  await untilAsked(page)
  await signInWith(page)
}
