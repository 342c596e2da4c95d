/** Unmodified third-party dapps, which find Postern only by its announcement. */
import { ed25519 } from '@noble/curves/ed25519.js'
import type { Page } from '@playwright/test'
import { devnetAccounts } from '@postern/devnet'
import { base58 } from '@scure/base'
import { createPublicClient, http, isHex, parseEther, verifyMessage } from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import type { DappName } from './dapps/build'
import { bitcoinAddress, fund, isMessageSignedBy, mine, paidTo } from './support/bitcoin'
import { bitcoinNetwork, bitcoinWallet, bothChains, devnetWallet, solanaNetwork, solanaWallet } from './support/dapp'
import { approve, card, chooseWallet, press, reject } from './support/postern'
import { expect, test } from './support/test'

const node = createPublicClient({ transport: http('http://127.0.0.1:8545') })

const body = (name: DappName) => `<div id="root"></div><script type="module" src="/dapps/${name}.js"></script>`
const output = (page: Page, label: string) => page.getByLabel(label, { exact: true })

test('@main @connect @sdk a wagmi app finds Postern by EIP-6963, connects, signs, switches and sends', async ({
  page,
  visit,
  lane,
}) => {
  const account = devnetAccounts[lane.account]?.address ?? '0x'
  await visit({ networks: bothChains, wallets: [devnetWallet(lane.account)], body: body('wagmi') })
  await expect(output(page, 'Status')).toHaveText('disconnected')
  await press(page.getByRole('button', { name: 'Postern', exact: true }))
  await expect(card(page, 'Connect')).toBeVisible()
  await chooseWallet(page, 'Devnet Wallet')
  await approve(page)
  await expect(output(page, 'Status')).toHaveText('connected')
  await expect(output(page, 'Account')).toHaveText(account)
  await expect(output(page, 'Chain')).toHaveText('31337')

  await press(page.getByRole('button', { name: 'Sign' }))
  await approve(page)
  await expect(output(page, 'Signature')).toHaveText(/^0x[0-9a-f]{130}$/)
  const signature = (await output(page, 'Signature').textContent()) ?? ''
  if (!isHex(signature)) throw new Error(`Not a signature: ${signature}`)
  expect(await verifyMessage({ address: account, message: 'Hello from wagmi', signature })).toBe(true)

  const receiver = privateKeyToAddress(generatePrivateKey())
  await page.getByRole('textbox', { name: 'To' }).fill(receiver)
  await press(page.getByRole('button', { name: 'Send' }))
  await approve(page)
  await expect(output(page, 'Receipt')).toHaveText('success')
  expect(await node.getBalance({ address: receiver })).toBe(parseEther('0.01'))

  await press(page.getByRole('button', { name: 'Switch' }))
  await approve(page)
  await expect(output(page, 'Chain')).toHaveText('31338')

  await page.reload()
  await expect(output(page, 'Status')).toHaveText('connected')
  await expect(output(page, 'Account')).toHaveText(account)
  await press(page.getByRole('button', { name: 'Disconnect' }))
  await expect(output(page, 'Status')).toHaveText('disconnected')
})

test('@main @solana @sdk a wallet-adapter app finds Postern by Wallet Standard, connects, signs and sends legacy and versioned transactions', async ({
  page,
  visit,
  lane,
}) => {
  const wallets = [solanaWallet(lane.account)]
  await visit({ networks: solanaNetwork, wallets, body: body('wallet-adapter'), isBlocking: true })
  await press(page.getByRole('button', { name: 'Postern', exact: true }))
  await press(page.getByRole('button', { name: 'Connect to Postern' }))
  await expect(card(page, 'Connect')).toBeVisible()
  await chooseWallet(page, 'Devnet Sol Wallet')
  await approve(page, 'Devnet Sol Wallet')
  await expect(output(page, 'Status')).toHaveText('connected')
  const account = (await output(page, 'Account').textContent()) ?? ''

  await press(page.getByRole('button', { name: 'Sign' }))
  await approve(page, 'Devnet Sol Wallet')
  await expect(output(page, 'Said')).toHaveText(/^[0-9a-f]{128}$/)
  const signature = Buffer.from((await output(page, 'Said').textContent()) ?? '', 'hex')
  expect(ed25519.verify(signature, Buffer.from('Hello from wallet-adapter'), base58.decode(account))).toBe(true)

  for (const kind of ['versioned', 'legacy']) {
    const receiver = base58.encode(ed25519.getPublicKey(ed25519.utils.randomSecretKey()))
    await page.getByRole('textbox', { name: 'To' }).fill(receiver)
    await press(page.getByRole('button', { name: `Send ${kind}` }))
    await approve(page, 'Devnet Sol Wallet')
    await expect(output(page, 'Said')).toHaveText(/^[1-9A-HJ-NP-Za-km-z]{80,90}$/)
    expect(await lamports(receiver)).toBe(10_000_000)
  }

  await press(page.getByRole('button', { name: 'Disconnect' }))
  await expect(output(page, 'Status')).toHaveText('disconnected')

  await press(page.getByRole('button', { name: 'Postern', exact: true }))
  await press(page.getByRole('button', { name: 'Sign in with Postern' }))
  await chooseWallet(page, 'Devnet Sol Wallet')
  await approve(page, 'Devnet Sol Wallet')
  await approve(page, 'Devnet Sol Wallet')
  await expect(output(page, 'Signed in')).toHaveText(account)
  await expect(output(page, 'Status')).toHaveText('connected')
})

test('@main @bitcoin @sdk a sats-connect app finds Postern, connects, signs and pays', async ({
  page,
  visit,
  lane,
}) => {
  const payment = bitcoinAddress(lane.account)
  await visit({ networks: bitcoinNetwork, wallets: [bitcoinWallet(lane.account)], body: body('sats-connect') })
  await page.waitForFunction(() => 'PosternBitcoinProvider' in window)
  await press(page.getByRole('button', { name: 'Connect a wallet' }))
  await press(page.getByRole('button', { name: 'Postern', exact: true }))
  await expect(card(page, 'Connect')).toBeVisible()
  await chooseWallet(page, 'Devnet Bitcoin Wallet')
  await approve(page, 'Devnet Bitcoin Wallet')
  await expect(output(page, 'Account')).toHaveText(payment)

  await press(page.getByRole('button', { name: 'Sign' }))
  await approve(page, 'Devnet Bitcoin Wallet')
  await expect(output(page, 'Said')).not.toHaveText('')
  const signature = (await output(page, 'Said').textContent()) ?? ''
  expect(isMessageSignedBy(lane.account, 'payment', 'Hello from sats-connect', signature)).toBe(true)

  await press(page.getByRole('button', { name: 'Sign' }))
  await reject(page, 'Devnet Bitcoin Wallet')
  await expect(output(page, 'Said')).toHaveText('-32000')

  await fund(payment, 100_000)
  const receiver = bitcoinAddress(9)
  await page.getByRole('textbox', { name: 'To' }).fill(receiver)
  await press(page.getByRole('button', { name: 'Send' }))
  await approve(page, 'Devnet Bitcoin Wallet')
  await expect(output(page, 'Said')).toHaveText(/^[0-9a-f]{64}$/)
  await mine()
  expect(await paidTo((await output(page, 'Said').textContent()) ?? '', receiver)).toBe(20_000)
})

async function lamports(address: string): Promise<unknown> {
  const response = await fetch('http://127.0.0.1:8547', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'getBalance', params: [address] }),
  })
  const answer: { result?: { value?: unknown } } = await response.json()
  return answer.result?.value
}
