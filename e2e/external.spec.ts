/** The demo's lab inside a Safe, by Safe's `safe-apps-provider`. */
import { devnetAccounts } from '@postern/devnet'
import { createPublicClient, http, isHex, parseEther, verifyMessage } from 'viem'
import { newEvmAddress } from './support/embedded'
import { press } from './support/postern'
import { expect, test } from './support/test'

const node = createPublicClient({ transport: http('http://127.0.0.1:8545') })
const address = devnetAccounts[7]?.address ?? '0x'

test('@main @connect @storage a dapp in a Safe connects it, signs and sends with it, and restores it (spec §2)', async ({
  page,
}) => {
  await page.goto('/safe.html')
  const dapp = page.frameLocator('#app')
  const modal = dapp.frameLocator('iframe[src*="//modal.postern.localhost"]')
  const prompt = page.getByRole('dialog')
  const answer = (name: 'Approve' | 'Decline') => press(prompt.getByRole('button', { name }))
  const fact = (name: string) => dapp.locator('dl').first().locator(`dt:text-is("${name}") + dd`)

  await press(dapp.getByRole('button', { name: 'Connect wallet' }))
  await press(modal.getByRole('button', { name: /^Safe\b/ }))
  await expect(modal.getByRole('dialog')).toBeHidden()
  await expect(fact('Status')).toHaveText('Connected')
  await expect(fact('Account')).toHaveAttribute('title', address)
  await expect(fact('Wallet')).toHaveText('Safe')

  await dapp.getByRole('textbox', { name: 'Message', exact: true }).first().fill('Let the Safe in.')
  await press(dapp.getByRole('button', { name: 'Sign message', exact: true }).first())
  await expect(prompt).toContainText('Let the Safe in.')
  await answer('Decline')
  await expect(dapp.getByRole('status', { name: 'Signature' }).first()).not.toContainText('valid')
  await press(dapp.getByRole('button', { name: 'Sign message', exact: true }).first())
  await answer('Approve')
  const signed = dapp.getByRole('status', { name: 'Signature' }).first()
  await expect(signed).toContainText('the signature is valid')
  const signature = await signed.locator('dt:text-is("Signature") + dd').textContent()
  if (!isHex(signature)) throw new Error('The demo shows no signature')
  expect(await verifyMessage({ address, message: 'Let the Safe in.', signature })).toBe(true)

  // The Safe's account is shared: only the recipient is this test's own.
  const to = newEvmAddress()
  await dapp.getByRole('combobox', { name: 'To' }).first().fill(to)
  await dapp.getByRole('textbox', { name: 'Amount in ether' }).fill('0.01')
  await press(dapp.getByRole('button', { name: 'Send transaction' }).first())
  await expect(prompt).toContainText('wei to')
  await answer('Approve')
  await expect.poll(() => node.getBalance({ address: to })).toBe(parseEther('0.01'))

  await page.reload()
  await expect(fact('Status')).toHaveText('Connected')
  await expect(fact('Wallet')).toHaveText('Safe')
})
