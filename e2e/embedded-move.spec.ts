/** A move to a new wallet after a move of recovery, and what the previous wallet holds. */
import { parseEther } from 'viem'
import { allChains } from './support/dapp'
import { approveRequest, signs } from './support/embedded'
import { lastMail, newAddress } from './support/mailbox'
import { dollars, evm, mintDollars } from './support/money'
import { card, inDapp, modal, press } from './support/postern'
import { pressToEnd, untilClosed } from './support/social'
import { expect, test } from './support/test'
import {
  connectedAddresses,
  openSecurity,
  openWindow,
  signInOnNewDevice,
  typeWindowCode,
} from './support/wallet-window'

const passphrase = 'nine Lamps under the quiet harbour'

test('@embedded a user moves recovery, then to a new wallet, then what the previous one holds', async ({
  page,
  visit,
}) => {
  const email = newAddress()
  await visit({ wallets: [], networks: allChains })
  await signInOnNewDevice(page, email)
  const before = await connectedAddresses(page)
  const old = before[0] as `0x${string}`
  await evm.setBalance({ address: old, value: parseEther('2') })
  await mintDollars(old, 7_000_000n)

  async function choosePassphrase(row: string | RegExp, title: string): Promise<void> {
    const mail = await lastMail(email)
    const popup = await openWindow(page, row)
    await expect(popup.getByRole('heading', { name: title })).toBeVisible()
    await popup.getByText('Passphrase', { exact: true }).click()
    await pressToEnd(popup.getByRole('button', { name: 'Continue' }))
    await popup.getByLabel('Passphrase', { exact: true }).fill(passphrase)
    await popup.getByLabel('Repeat passphrase').fill(passphrase)
    await pressToEnd(popup.getByRole('button', { name: 'Continue' }))
    await expect(popup.getByRole('textbox', { name: '6-digit code' })).toBeVisible({ timeout: 60_000 })
    await typeWindowCode(popup, email, mail)
    if (title === 'Recovery') await pressToEnd(popup.getByRole('button', { name: 'Done' }))
    await untilClosed(popup)
  }

  await test.step('after the move of recovery, a new wallet is offered; Not now leaves a row', async () => {
    await openSecurity(page)
    await expect(modal(page).getByText('Move to a new wallet?')).toBeHidden()
    await choosePassphrase(/^Sign-in only/, 'Recovery')
    await expect(modal(page).getByText('Move to a new wallet?')).toBeVisible()
    await press(modal(page).getByRole('button', { name: 'Not now' }))
    await expect(modal(page).getByText('Move to a new wallet?')).toBeHidden()
  })

  await test.step('the dapp gets the addresses of the new wallet, and stays connected', async () => {
    await choosePassphrase('Move to a new wallet', 'Move to a new wallet')
    await expect(modal(page).getByRole('heading', { name: 'Previous wallet' })).toBeVisible()
    await expect(modal(page).getByText('Move to a new wallet?')).toBeHidden()
  })
  const after = await connectedAddresses(page)
  const next = after[0] as `0x${string}`
  expect(after.filter((address) => before.includes(address))).toEqual([])
  await signs(page, next)

  const button = (name: string | RegExp) => card(page).getByRole('button', { name })
  async function openMove(): Promise<void> {
    await openSecurity(page)
    await press(button(/^Move your assets/))
    await expect(card(page, 'Move your assets')).toBeVisible()
  }

  await test.step('a token moves with one press and one approval', async () => {
    await openMove()
    await press(button(/^Move .*(USD|DUSD|Dollar)/i).first())
    await approveRequest(page)
    await expect.poll(() => dollars(next), { timeout: 60_000 }).toBe(7_000_000n)
    expect(await dollars(old)).toBe(0n)
    // A wallet that has not seen the end asks the user to look at the account before it sends again.
    await expect(card(page, 'Move your assets')).toBeVisible()
    const underWay = card(page).getByText(/^(Approve in your wallet|Sending)$/)
    await expect(underWay).toHaveCount(0, { timeout: 60_000 })
  })

  await test.step('after a reload the rest is still listed, and moves', async () => {
    await page.reload()
    await page.waitForFunction(() => 'Postern' in window)
    await connectedAddresses(page)
    await openMove()
    await press(button(/^Move ETH/).first())
    await approveRequest(page)
    await expect.poll(() => evm.getBalance({ address: next }), { timeout: 60_000 }).toBeGreaterThan(parseEther('1.9'))
    await inDapp(page, (postern) => postern.close())
  })

  await test.step('the wallet’s window deletes the previous wallet after a press and a code', async () => {
    await openMove()
    const mail = await lastMail(email)
    const popup = await openWindow(page, /^Delete previous wallet/)
    await expect(popup.getByText(/^0x[0-9a-fA-F]{40}$/)).toBeVisible()
    await pressToEnd(popup.getByRole('button', { name: 'Delete wallet' }))
    await typeWindowCode(popup, email, mail)
    await untilClosed(popup)
    await page.reload()
    await page.waitForFunction(() => 'Postern' in window)
    expect(await connectedAddresses(page)).toEqual(after)
    await openSecurity(page)
    await expect(modal(page).getByText('This device')).toBeVisible()
    await expect(modal(page).getByRole('heading', { name: 'Previous wallet' })).toBeHidden()
    await inDapp(page, (postern) => postern.close())
  })
  await signs(page, next)
})
