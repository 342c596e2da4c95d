/** Unmodified dapps of other connect kits and libraries: React 18, wagmi 2, ethers 6, viem. */
import type { Page } from '@playwright/test'
import { devnetAccounts } from '@postern/devnet'
import { getAddress, isAddress, isHex, parseEther, verifyMessage } from 'viem'
import type { DappName } from './dapps/build'
import { devnetWallet, solanaNetwork, solanaWallet } from './support/dapp'
import { approvalOf, approveRequest, chooseAccount, newEvmAddress, signInByEmail } from './support/embedded'
import { newAddress } from './support/mailbox'
import { evm } from './support/money'
import { addressesIn, approve, card, chooseWallet, inDapp, openModal, press } from './support/postern'
import { expect, test } from './support/test'

const body = (name: DappName) => `<div id="root"></div><script type="module" src="/dapps/${name}.js"></script>`
const kit = (name: DappName) => ({ networks: 'eip155:31337', wallets: [], body: body(name) })
const output = (page: Page, label: string) => page.getByLabel(label, { exact: true })
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true })

test('@kit @connect a RainbowKit 2 app in React 18 lists Postern, connects, signs, sends and reconnects', async ({
  page,
  visit,
  lane,
}) => {
  const account = devnetAccounts[lane.account]?.address ?? '0x'
  const head = '<link rel="stylesheet" href="/dapps/rainbowkit.css">'
  await visit({ ...kit('rainbowkit'), head, wallets: [devnetWallet(lane.account)] })
  await press(button(page, 'Connect Wallet'))
  await press(button(page, /^Postern/))
  await expect(card(page, 'Connect')).toBeVisible()
  await chooseWallet(page, 'Devnet Wallet')
  await approve(page)
  await expect(output(page, 'Account')).toHaveText(account)
  await expect(output(page, 'Chain')).toHaveText('31337')

  await press(button(page, 'Sign'))
  await approve(page)
  await expect(output(page, 'Signature')).toHaveText(/^0x[0-9a-f]{130}$/)
  const signature = (await output(page, 'Signature').textContent()) ?? ''
  if (!isHex(signature)) throw new Error(`Not a signature: ${signature}`)
  expect(await verifyMessage({ address: account, message: 'Hello from the kit', signature })).toBe(true)

  const receiver = newEvmAddress()
  await page.getByRole('textbox', { name: 'To' }).fill(receiver)
  await press(button(page, 'Send'))
  await approve(page)
  await expect(output(page, 'Receipt')).toHaveText('success')
  expect(await evm.getBalance({ address: receiver })).toBe(parseEther('0.01'))

  await page.reload()
  await expect(output(page, 'Account')).toHaveText(account)
  // Until then wagmi has the stored connection without its connector: `connector.disconnect is not a function`.
  await expect(output(page, 'Status')).toHaveText('connected')
  await press(button(page, 'Leave'))
  await expect(output(page, 'Status')).toHaveText('disconnected')
})

test('@kit @embedded a ConnectKit app in React 18 lists Postern, signs in by email, signs, sends and reconnects', async ({
  page,
  visit,
}) => {
  await visit(kit('connectkit'))
  await press(button(page, 'Connect Wallet'))
  await press(button(page, /Postern/))
  await expect(card(page, 'Connect')).toBeVisible()
  await signInByEmail(page, newAddress())
  await expect(output(page, 'Status')).toHaveText('connected', { timeout: 60_000 })
  const account = getAddress((await output(page, 'Account').textContent()) ?? '')
  await closeModal(page)

  await press(button(page, 'Sign'))
  await approveRequest(page)
  await expect(output(page, 'Signature')).toHaveText(/^0x/, { timeout: 60_000 })
  const signature = (await output(page, 'Signature').textContent()) ?? ''
  if (!isHex(signature)) throw new Error(`Not a signature: ${signature}`)
  expect(await evm.verifyMessage({ address: account, message: 'Hello from the kit', signature })).toBe(true)

  await evm.setBalance({ address: account, value: parseEther('1') })
  const receiver = newEvmAddress()
  await page.getByRole('textbox', { name: 'To' }).fill(receiver)
  await press(button(page, 'Send'))
  await approveRequest(page)
  await expect(output(page, 'Receipt')).toHaveText('success', { timeout: 60_000 })
  expect(await evm.getBalance({ address: receiver })).toBe(parseEther('0.01'))

  await page.reload()
  await expect(output(page, 'Account')).toHaveText(account)
  await expect(output(page, 'Status')).toHaveText('connected')
})

test('@kit @connect a web3-onboard app lists Postern, connects, signs, sends and reconnects', async ({
  page,
  visit,
  lane,
}) => {
  const account = devnetAccounts[lane.account]?.address ?? '0x'
  await visit({ ...kit('web3-onboard'), wallets: [devnetWallet(lane.account)] })
  await press(button(page, 'Connect'))
  await press(button(page, /Postern/))
  await expect(card(page, 'Connect')).toBeVisible()
  await chooseWallet(page, 'Devnet Wallet')
  await approve(page)
  await expect(output(page, 'Said')).toHaveText('Postern')
  await expect(output(page, 'Account')).toHaveText(new RegExp(account, 'i'))
  await expect(output(page, 'Chain')).toHaveText('0x7a69')

  await press(button(page, 'Sign'))
  await approve(page)
  await expect(output(page, 'Said')).toHaveText(/^0x[0-9a-f]{130}$/)

  const receiver = newEvmAddress()
  await page.getByRole('textbox', { name: 'To' }).fill(receiver)
  await press(button(page, 'Send'))
  await approve(page)
  await expect(output(page, 'Said')).toHaveText(/^0x[0-9a-f]{64}$/)
  await expect.poll(() => evm.getBalance({ address: receiver })).toBe(parseEther('0.01'))

  await page.reload()
  await expect(output(page, 'Account')).toHaveText(new RegExp(account, 'i'))
})

test('@kit @embedded an ethers 6 app connects, signs, sends, creates a contract, and knows what failed', async ({
  page,
  visit,
}) => {
  await visit(kit('ethers'))
  const account = await connectByEmail(page)
  await test.step('an amount above the balance is INSUFFICIENT_FUNDS, without a prompt', async () => {
    await page.getByRole('textbox', { name: 'To' }).fill(newEvmAddress())
    await press(button(page, 'Send a million'))
    await expect(output(page, 'Said')).toContainText('INSUFFICIENT_FUNDS')
    await expect(card(page)).toBeHidden()
  })
  await test.step('a wrong parameter is named', async () => {
    await press(button(page, 'Send without a recipient'))
    await expect(output(page, 'Said')).toContainText('-32602')
    await expect(output(page, 'Said')).toContainText('[0].to')
    await expect(card(page)).toBeHidden()
  })
  await test.step('the standard account signs as ethers verifies it, sends, and creates a contract', async () => {
    const standard = await useStandardAccount(page, account)
    await press(button(page, 'Sign'))
    await approveRequest(page)
    await expect(output(page, 'Said')).toHaveText(standard, { timeout: 60_000 })
    await evm.setBalance({ address: standard, value: parseEther('1') })
    const receiver = newEvmAddress()
    await page.getByRole('textbox', { name: 'To' }).fill(receiver)
    await press(button(page, 'Send'))
    await approveRequest(page)
    await expect(output(page, 'Said')).toHaveText('receipt 1', { timeout: 60_000 })
    expect(await evm.getBalance({ address: receiver })).toBe(parseEther('0.01'))
    await createsContract(page)
  })
  await test.step('a reload reconnects', async () => {
    await page.reload()
    await press(button(page, 'Connect'))
    await expect(output(page, 'Said')).toHaveText('connected')
    await expect(card(page)).toBeHidden()
  })
})

test('@kit @embedded a viem app connects, signs, sends, creates a contract, and knows what failed', async ({
  page,
  visit,
}) => {
  await visit(kit('viem'))
  const account = await connectByEmail(page)
  await test.step('a method that no wallet has is not found, and opens nothing', async () => {
    await press(button(page, 'Try a method'))
    await expect(output(page, 'Said')).toContainText('MethodNotFoundRpcError -32601')
    await expect(card(page)).toBeHidden()
  })
  await test.step('an amount above the balance is InsufficientFundsError, without a prompt', async () => {
    await page.getByRole('textbox', { name: 'To' }).fill(newEvmAddress())
    await press(button(page, 'Send a million'))
    await expect(output(page, 'Said')).toContainText('InsufficientFundsError')
    await expect(card(page)).toBeHidden()
  })
  await test.step('a network that the dapp did not configure cannot be added', async () => {
    await press(button(page, 'Add another chain'))
    await expect(output(page, 'Said')).toContainText('eip155:424242 can’t be added')
    await expect(output(page, 'Said')).toContainText('-32602')
    await expect(card(page)).toBeHidden()
  })
  await test.step('the smart account signs as viem verifies it', async () => {
    await press(button(page, 'Sign'))
    await approveRequest(page)
    await expect(output(page, 'Said')).toHaveText('verified', { timeout: 60_000 })
  })
  await test.step('the smart account creates no contract, and says which account does', async () => {
    await press(button(page, 'Deploy'))
    await expect(output(page, 'Said')).toContainText(/smart account can’t create contracts/i)
    await closeModal(page)
  })
  await test.step('the standard account creates it, and sends', async () => {
    const standard = await useStandardAccount(page, account)
    await evm.setBalance({ address: standard, value: parseEther('1') })
    await createsContract(page)
    const receiver = newEvmAddress()
    await page.getByRole('textbox', { name: 'To' }).fill(receiver)
    await press(button(page, 'Send'))
    await approveRequest(page)
    await expect(output(page, 'Said')).toHaveText('receipt success', { timeout: 60_000 })
    expect(await evm.getBalance({ address: receiver })).toBe(parseEther('0.01'))
  })
  await test.step('a reload reconnects', async () => {
    await page.reload()
    await press(button(page, 'Connect'))
    await expect(output(page, 'Said')).toHaveText('connected')
    await expect(card(page)).toBeHidden()
  })
})

test('@kit @connect @solana 20 loads in a row list Postern in RainbowKit and in wallet-adapter', async ({
  page,
  sites,
  visit,
  lane,
}) => {
  await visit({ ...kit('rainbowkit'), wallets: [devnetWallet(lane.account)] })
  for (let load = 0; load < 20; load++) {
    await press(button(page, 'Connect Wallet'))
    await expect(button(page, /^Postern/), `load ${load} of RainbowKit`).toBeVisible()
    await page.reload()
  }
  sites.clear()
  // wallet-adapter misses a wallet that registers between its first render and the effect after it, so the tag blocks.
  const wallets = [solanaWallet(lane.account)]
  await visit({ networks: solanaNetwork, wallets, body: body('wallet-adapter'), isBlocking: true })
  for (let load = 0; load < 20; load++) {
    await expect(button(page, 'Postern'), `load ${load} of wallet-adapter`).toBeVisible()
    await page.reload()
  }
})

async function connectByEmail(page: Page): Promise<`0x${string}`> {
  await press(button(page, 'Connect'))
  await expect(card(page, 'Connect')).toBeVisible()
  await signInByEmail(page, newAddress())
  await expect(output(page, 'Said')).toHaveText('connected', { timeout: 60_000 })
  await expect(output(page, 'Chain')).toHaveText('31337')
  await closeModal(page)
  const account = (await output(page, 'Account').textContent()) ?? ''
  if (!isAddress(account)) throw new Error(`${account} is not an address`)
  return getAddress(account)
}

async function closeModal(page: Page): Promise<void> {
  await inDapp(page, (postern) => postern.close())
  await expect(card(page)).toBeHidden()
}

/** Returns the standard account's address, once the dapp's library has it too. */
async function useStandardAccount(page: Page, smart: string): Promise<`0x${string}`> {
  await openModal(page)
  await chooseAccount(page, { from: 'Smart account', to: 'Standard account' })
  const active = async () => (await addressesIn(page, 'eip155'))[0]?.toLowerCase()
  await expect.poll(active).not.toBe(smart.toLowerCase())
  await closeModal(page)
  await press(button(page, 'Connect'))
  await expect(output(page, 'Account')).toHaveText(new RegExp(`^(?!${smart})0x[0-9a-f]{40}$`, 'i'))
  return getAddress((await output(page, 'Account').textContent()) ?? '')
}

async function createsContract(page: Page): Promise<void> {
  await press(button(page, 'Deploy'))
  await expect(approvalOf(page)).toContainText('Create a contract', { timeout: 60_000 })
  await expect(approvalOf(page)).not.toContainText('Set up your smart account')
  await approveRequest(page)
  await expect(output(page, 'Said')).toHaveText(/^0x[0-9a-fA-F]{40}$/, { timeout: 60_000 })
  const created = getAddress((await output(page, 'Said').textContent()) ?? '')
  expect(await evm.getCode({ address: created })).toBe('0x00')
  // Its dialog has the focus until it closes.
  await expect(card(page)).toBeHidden()
}
