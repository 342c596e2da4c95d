/** Recovery by sign-in or passkey, removing devices, key export, account deletion. */
import { toHex } from 'viem'
import { mnemonicToAccount } from 'viem/accounts'
import { allChains } from './support/dapp'
import { approvalOf, approveRequest, sayNotMe, signs, walletFrameIn } from './support/embedded'
import { lastMail, newAddress, nextRecoveryNotice } from './support/mailbox'
import { card, inDapp, modal, press, requestIn, status, statusIn } from './support/postern'
import { pressToEnd, untilClosed } from './support/social'
import { expect, test } from './support/test'
import {
  addAuthenticator,
  connectedAddresses,
  deleteAccount,
  openOn,
  openSecurity,
  openWindow,
  passkeyOf,
  signInOnNewDevice,
  typeWindowCode,
} from './support/wallet-window'

test('@embedded a second device recovers; the first one removes it, shows the recovery phrase, and deletes the account', async ({
  page,
  visit,
  browser,
}) => {
  const email = newAddress()
  const address = await visit({ wallets: [], networks: allChains })
  await signInOnNewDevice(page, email)
  const addresses = await connectedAddresses(page)
  const [account] = addresses

  const second = await browser.newContext()
  const other = await openOn(second, address)
  await test.step('a second device has the same addresses, and signs', async () => {
    await signInOnNewDevice(other, email)
    expect(await connectedAddresses(other)).toEqual(addresses)
    await signs(other, account)
  })

  await test.step('the first one removes it: it signs nothing more and is signed out', async () => {
    await openSecurity(page)
    const devices = modal(page).getByRole('region', { name: 'Your devices' }).getByRole('listitem')
    await expect(devices).toHaveCount(2)
    await expect(devices.first()).toContainText('This device')
    await press(devices.last().getByRole('button', { name: 'Remove' }))
    const question = walletFrameIn(page).getByRole('main', { name: 'Remove device' })
    await expect(question).toContainText('can’t sign until you sign in there again')
    await press(question.getByRole('button', { name: 'Remove' }))
    await expect(devices).toHaveCount(1)
    await inDapp(page, (postern) => postern.close())

    const signed = requestIn(other, 'eip155', 'personal_sign', [toHex('No more'), account])
    const ended = signed.then((outcome) => ({ outcome }))
    const shown = approvalOf(other)
      .waitFor()
      .then(() => null)
    // The session may end during the approval.
    if ((await Promise.race([ended, shown])) === null) await Promise.race([ended, approveRequest(other)])
    expect(await signed).toHaveProperty('code')
    for (const namespace of ['eip155', 'solana', 'bip122'] as const)
      await expect.poll(() => statusIn(other, namespace)).toBe('disconnected')
    await signs(page, account)
  })
  await second.close()

  await test.step('a new code shows the recovery phrase, which derives the address', async () => {
    await openSecurity(page)
    const before = await lastMail(email)
    const popup = await openWindow(page, /^Export keys/)
    await popup.getByRole('button', { name: 'I understand' }).click()
    await typeWindowCode(popup, email, before)
    await expect(popup.getByRole('heading', { name: 'Your keys' })).toBeVisible()
    const words = popup.locator('output[data-kind="mnemonic"]')
    await expect(words).toHaveText(/^•+$/)
    await popup.getByRole('button', { name: 'Show Twelve words' }).click()
    await expect(words.locator('span')).toHaveCount(12)
    const mnemonic = (await words.locator('span').allTextContents()).join(' ')
    expect(addresses).toContain(mnemonicToAccount(mnemonic).address)
    await pressToEnd(popup.getByRole('button', { name: 'Hide and close' }))
    await untilClosed(popup)
  })

  await test.step('a new code deletes the account; the next sign-in creates another wallet', async () => {
    await openSecurity(page)
    await deleteAccount(page, email)
    await expect.poll(() => status(page)).toBe('disconnected')
    await page.reload()
    await page.waitForFunction(() => 'Postern' in window)
    expect(await status(page)).toBe('disconnected')
    // This browser may not request an email within 30 s.
    const third = await browser.newContext()
    const again = await openOn(third, address)
    await signInOnNewDevice(again, email)
    const fresh = await connectedAddresses(again)
    expect(fresh.filter((one) => addresses.includes(one))).toEqual([])
    await third.close()
  })
})

test('@main @embedded a passkey protects the recovery, and unlocks the wallet on another device', async ({
  page,
  visit,
  browser,
}) => {
  const email = newAddress()
  const address = await visit({ wallets: [], networks: allChains })
  await signInOnNewDevice(page, email)
  const addresses = await connectedAddresses(page)

  // The window would close with the virtual passkey: keep it open.
  await page.context().addInitScript(() => {
    if (location.pathname === '/window') window.close = () => {}
  })
  await openSecurity(page)
  const before = await lastMail(email)
  const phone = await openWindow(page, /^Sign-in only/)
  await test.step('the recovery method changes to a passkey', async () => {
    await expect(phone.getByRole('heading', { name: 'Recovery' })).toBeVisible()
    await addAuthenticator(phone)
    await phone.getByText('Passkey', { exact: true }).click()
    await phone.getByRole('button', { name: 'Continue' }).click()
    await phone.getByRole('button', { name: 'Create passkey' }).click()
    const again = phone.getByRole('button', { name: 'Use passkey' })
    const code = phone.getByRole('textbox', { name: '6-digit code' })
    await expect(again.or(code)).toBeVisible()
    if (await again.isVisible()) await again.click()
    await expect(code).toBeVisible()
    await typeWindowCode(phone, email, before)
    await phone.getByRole('button', { name: 'Done' }).click()
    await expect(phone.getByRole('heading', { name: 'Recovery method changed' })).toBeVisible()
    await page.bringToFront()
    await expect(modal(page).getByRole('button', { name: /^Passkey/ })).toBeVisible()
    await inDapp(page, (postern) => postern.close())
    await signs(page, addresses[0])
  })

  await test.step('on a new device, sign-in alone does not unlock; the passkey does', async () => {
    const third = await browser.newContext()
    await passkeyOf(phone, third)
    const other = await openOn(third, address)
    await signInOnNewDevice(other, email)
    await expect(card(other)).toContainText('Unlock your wallet')
    expect(await status(other)).toBe('disconnected')
    const popup = await openWindow(other, 'Use passkey')
    await pressToEnd(popup.getByRole('button', { name: 'Use passkey' }))
    expect(await connectedAddresses(other)).toEqual(addresses)
    await signs(other, addresses[0])
    await third.close()
  })
})

test('@main @embedded @hostile a thief with a relayed code opens the wallet; the mailbox and the first device learn of it, and sign the thief out', async ({
  page,
  visit,
  browser,
}) => {
  const email = newAddress()
  const address = await visit({ wallets: [], networks: allChains })
  await signInOnNewDevice(page, email)
  const [account] = await connectedAddresses(page)
  const elsewhere = await browser.newContext()
  const thief = await openOn(elsewhere, address)
  await signInOnNewDevice(thief, email)
  await connectedAddresses(thief)

  const notice = await nextRecoveryNotice(email)
  expect(notice.subject).toBe('A new device opened your wallet')
  await test.step('the first device says so, until its user has seen it', async () => {
    await inDapp(page, (postern) => postern.open({ view: 'Account' }))
    await expect(card(page)).toContainText('A new device opened your wallet.')
    await press(card(page).getByRole('button', { name: 'It was me' }))
    await expect(card(page)).not.toContainText('A new device opened your wallet.')
    await inDapp(page, (postern) => postern.close())
  })

  await test.step('the link in the mail signs the thief out, and no one else', async () => {
    await sayNotMe(page.context(), notice)
    const signed = requestIn(thief, 'eip155', 'personal_sign', [toHex('No more'), account])
    const ended = signed.then((outcome) => ({ outcome }))
    const shown = approvalOf(thief)
      .waitFor()
      .then(() => null)
    if ((await Promise.race([ended, shown])) === null) await Promise.race([ended, approveRequest(thief)])
    expect(await signed).toHaveProperty('code')
    await expect.poll(() => statusIn(thief, 'eip155')).toBe('disconnected')
    await signs(page, account)
  })
  await elsewhere.close()
})
