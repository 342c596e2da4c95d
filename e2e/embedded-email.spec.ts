/** From an empty browser to signing and sending on three chains. */
import { toHex } from 'viem'
import { allChains } from './support/dapp'
import { accountsOf, askAndApprove, bytesOf, codeField, codeOf, emailField, untilCodeCounts } from './support/embedded'
import { newAddress, nextMail } from './support/mailbox'
import { evm } from './support/money'
import {
  addressesIn,
  modal,
  openConnect,
  openModal,
  press,
  requestIn,
  statusIn,
  type,
  untilDrawn,
} from './support/postern'
import { sendsBitcoin, sendsEther, sendsSol } from './support/sends'
import { expect, test } from './support/test'

test('@main @embedded @engines @storage from an empty browser to transactions on three chains (spec §1, §7)', async ({
  page,
  visit,
  storageMode,
}) => {
  await visit({ wallets: [], networks: allChains })
  const email = newAddress()
  await openConnect(page)
  await untilDrawn(emailField(page))
  await type(emailField(page), email)
  await emailField(page).press('Enter')
  const code = codeOf(await nextMail(email))
  // No press: the field has the focus.
  await expect(codeField(page)).toBeFocused()
  await untilCodeCounts(page)
  await page.keyboard.type(code)
  const { eip155: account, solana, bip122: bitcoin } = await accountsOf(page)

  await test.step('signs a message with an account that is not deployed yet', async () => {
    const signed = requestIn(page, 'eip155', 'personal_sign', [toHex('Hello'), account])
    const signature = bytesOf(await askAndApprove(page, signed, (shown) => expect(shown).toContainText('Hello')))
    expect(await evm.verifyMessage({ address: account, message: 'Hello', signature })).toBe(true)
    expect(await evm.getCode({ address: account })).toBeUndefined()
  })

  await test.step('sends ether in the operation that deploys the account', async () => {
    await sendsEther(page, account)
    expect(await evm.getCode({ address: account })).toBeDefined()
  })

  await test.step('sends SOL', () => sendsSol(page, solana))
  await test.step('sends bitcoin', () => sendsBitcoin(page, bitcoin))

  await test.step('is restored after a reload', async () => {
    await page.reload()
    await page.waitForFunction(() => 'Postern' in window)
    const expected = storageMode === 'allowed' ? 'connected' : 'disconnected'
    for (const namespace of ['eip155', 'solana', 'bip122'] as const)
      await expect.poll(() => statusIn(page, namespace), { timeout: 60_000 }).toBe(expected)
    if (storageMode === 'allowed') expect(await addressesIn(page, 'eip155')).toContain(account)
  })

  if (storageMode === 'denied') return
  await test.step('signs out', async () => {
    await openModal(page)
    const out = modal(page).getByRole('button', { name: 'Sign out' })
    await press(out)
    await press(out.last())
    for (const namespace of ['eip155', 'solana', 'bip122'] as const)
      await expect.poll(() => statusIn(page, namespace)).toBe('disconnected')
    const kept = await page.evaluate(() => Object.entries(localStorage).filter(([key]) => key.startsWith('@postern/')))
    expect(JSON.stringify(kept)).not.toContain(account)
    await page.reload()
    await page.waitForFunction(() => 'Postern' in window)
    await openConnect(page)
    expect(await statusIn(page, 'eip155')).toBe('disconnected')
  })
})
