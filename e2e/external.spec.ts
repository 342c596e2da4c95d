/** A wallet that brings its own SDK: the demo, opened inside a Safe, connects by Safe's `safe-apps-provider`. */
import { devnetAccounts } from '@postern/devnet'
import { createPublicClient, http, isHex, verifyMessage } from 'viem'
import { expect, test } from './support/test'

const node = createPublicClient({ transport: http('http://127.0.0.1:8545') })
const address = devnetAccounts[7]?.address ?? '0x'

test('@connect @storage a dapp in a Safe connects it, signs and sends by it, and finds it again', async ({ page }) => {
  await page.goto('/safe.html')
  const dapp = page.frameLocator('#app')
  const modal = dapp.frameLocator('iframe[src*="//modal.postern.localhost"]')
  const prompt = page.getByRole('dialog')
  const fact = (name: string) => dapp.locator('dl').first().locator(`dt:text-is("${name}") + dd`)

  await dapp.getByRole('button', { name: 'Connect wallet' }).click()
  await modal.getByRole('button', { name: /^Safe\b/ }).click()
  await expect(modal.getByRole('dialog')).toBeHidden()
  await expect(fact('Status')).toHaveText('Connected')
  await expect(fact('Account')).toHaveAttribute('title', address)
  await expect(fact('Wallet')).toHaveText('Safe')

  await dapp.getByRole('textbox', { name: 'Message', exact: true }).first().fill('Let the Safe in.')
  await dapp.getByRole('button', { name: 'Sign message', exact: true }).first().click()
  await expect(prompt).toContainText('Let the Safe in.')
  await prompt.getByRole('button', { name: 'Decline' }).click()
  await expect(dapp.getByRole('status', { name: 'Signature' }).first()).not.toContainText('valid')
  await dapp.getByRole('button', { name: 'Sign message', exact: true }).first().click()
  await prompt.getByRole('button', { name: 'Approve' }).click()
  const signed = dapp.getByRole('status', { name: 'Signature' }).first()
  await expect(signed).toContainText('the signature is valid')
  const signature = await signed.locator('dt:text-is("Signature") + dd').textContent()
  if (!isHex(signature)) throw new Error('The demo shows no signature')
  expect(await verifyMessage({ address, message: 'Let the Safe in.', signature })).toBe(true)

  const before = await node.getTransactionCount({ address })
  await dapp
    .getByRole('combobox', { name: 'To' })
    .first()
    .fill(devnetAccounts[3]?.address ?? '')
  await dapp.getByRole('textbox', { name: 'Amount in ether' }).fill('0.01')
  await dapp.getByRole('button', { name: 'Send transaction' }).first().click()
  await expect(prompt).toContainText('wei to')
  await prompt.getByRole('button', { name: 'Approve' }).click()
  await expect.poll(() => node.getTransactionCount({ address })).toBe(before + 1)

  await page.reload()
  await expect(fact('Status')).toHaveText('Connected')
  await expect(fact('Wallet')).toHaveText('Safe')
})
