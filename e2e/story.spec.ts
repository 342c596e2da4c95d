/** A full visit to the demo's lab, on both pages and both chains. */
import type { Locator, Page } from '@playwright/test'
import { devnetAccounts } from '@postern/devnet'
import { createPublicClient, type Hex, http, isHex, parseEther, verifyMessage, verifyTypedData } from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { allowClipboard, clipboardText } from './support/clipboard'
import { lab, labPages } from './support/lab'
import { approve, card, chooseWallet, modal, press, reject, type, walletPrompt } from './support/postern'
import { expect, test } from './support/test'

const chains = [
  { name: 'Postern Devnet', node: createPublicClient({ transport: http('http://127.0.0.1:8545') }) },
  { name: 'Postern Devnet Two', node: createPublicClient({ transport: http('http://127.0.0.1:8546') }) },
] as const

// With motion (see the configuration), and all that is drawn.
test.use({ contextOptions: { reducedMotion: 'no-preference' }, hasBlur: true })

for (const { name, path } of labPages) {
  test(`${name === 'by script tag' ? '@main ' : ''}@connect @engines @storage a full visit, ${name} (spec §1)`, async ({
    page,
    lane,
  }) => {
    const address = devnetAccounts[lane.account]?.address ?? '0x'
    await page.goto(path)
    await useAccount(page, lane.account)

    await test.step('connects and sees the account', async () => {
      await press(page.getByRole('button', { name: 'Connect wallet' }))
      await chooseWallet(page, 'Devnet Wallet')
      await expect(walletPrompt(page)).toContainText('http://demo.localhost:4500')
      await approve(page)
      await expect(card(page)).toBeHidden()
      await expect(fact(page, 'Status')).toHaveText('Connected')
      await expect(fact(page, 'Account')).toHaveAttribute('title', address)
      await expect(fact(page, 'Wallet')).toHaveText('Devnet Wallet')
      await expect(fact(page, 'Network')).toHaveText('Postern Devnet')
      await expect(fact(page, 'Balance')).toHaveText(/ETH$/)
    })

    await test.step('signs a message and typed data', async () => {
      await type(page.getByRole('textbox', { name: 'Message' }), 'Let me in.')
      await press(page.getByRole('button', { name: 'Sign message' }))
      await expect(walletPrompt(page)).toContainText('Let me in.')
      await approve(page)
      const signed = page.getByRole('status', { name: 'Signature' })
      await expect(signed).toContainText('the signature is valid')
      const signature = await readHex(signed, 'Signature')
      expect(await verifyMessage({ address, message: 'Let me in.', signature })).toBe(true)

      await press(page.getByRole('button', { name: 'Sign typed data' }))
      await expect(walletPrompt(page)).toContainText('Brass key')
      await approve(page)
      await expect(signed).toContainText('the signature is valid')
      expect(await verifyTypedData({ ...order(address), address, signature: await readHex(signed, 'Signature') })).toBe(
        true,
      )
    })

    await test.step('shows a message when declined', async () => {
      await press(page.getByRole('button', { name: 'Sign message' }))
      await reject(page)
      await expect(page.getByRole('status', { name: 'Signature' })).toContainText(
        'You declined. Nothing was signed or sent.',
      )
    })

    for (const [index, { name, node }] of chains.entries()) {
      await test.step(`sends on ${name}`, async () => {
        if (index > 0) await switchInDapp(page, name)
        const receiver = privateKeyToAddress(generatePrivateKey())
        await type(page.getByRole('combobox', { name: 'To' }), receiver)
        await type(page.getByRole('textbox', { name: 'Amount in ether' }), '0.25')
        await press(page.getByRole('button', { name: 'Send transaction' }))
        await expect(walletPrompt(page)).toContainText('0.25')
        await approve(page)
        const sent = page.getByRole('status', { name: 'Transaction' })
        // Another test may be mining by hand.
        await expect(sent).toContainText('Mined in block', { timeout: 60_000 })
        const receipt = await node.getTransactionReceipt({ hash: await readHex(sent, 'Transaction') })
        expect(receipt.status).toBe('success')
        expect(receipt.from.toLowerCase()).toBe(address.toLowerCase())
        expect(await node.getBalance({ address: receiver })).toBe(parseEther('0.25'))
      })
    }

    await test.step('is shown as connected at once after a reload', async () => {
      await page.reload()
      await expect(fact(page, 'Account')).toHaveAttribute('title', address)
      await expect(fact(page, 'Status')).toHaveText('Connected')
      await expect(fact(page, 'Network')).toHaveText('Postern Devnet Two')
      await expect(walletPrompt(page)).toBeHidden()
      await press(page.getByRole('button', { name: 'Sign message' }))
      await approve(page)
      await expect(page.getByRole('status', { name: 'Signature' })).toContainText('the signature is valid')
    })

    await test.step('disconnects, and stays disconnected after a reload', async () => {
      await press(page.getByRole('button', { name: 'Disconnect', exact: true }))
      await expect(fact(page, 'Status')).toHaveText('Not connected')
      await page.reload()
      await expect(page.getByRole('button', { name: 'Connect wallet' })).toBeVisible()
      await expect(fact(page, 'Status')).toHaveText('Not connected')
      await press(page.getByRole('button', { name: 'Connect wallet' }))
      await expect(card(page, 'Connect')).toBeVisible()
      await expect(fact(page, 'Status')).toHaveText('Not connected')
    })
  })
}

test('@connect @engines the account in the modal: copy, network, disconnect', async ({ page, lane }) => {
  await allowClipboard(page)
  const address = devnetAccounts[lane.account]?.address ?? '0x'
  await page.goto(lab.scriptTag)
  await useAccount(page, lane.account)
  await press(page.getByRole('button', { name: 'Connect wallet' }))
  await chooseWallet(page, 'Devnet Wallet')
  await approve(page)
  await expect(card(page)).toBeHidden()

  await press(page.getByRole('button', { name: /^(Open account|Account 0x)/ }))
  await expect(card(page, 'Account')).toBeVisible()
  const short = modal(page).getByRole('button', { name: new RegExp(address) })
  expect(await linesOf(short.locator('bdi').last())).toBe(1)
  await press(short)
  await expect(modal(page).getByText('Address copied').first()).toBeVisible()
  expect(await clipboardText(page)).toBe(address)

  await press(modal(page).getByRole('button', { name: /^Network/ }))
  await press(modal(page).getByRole('button', { name: /^Postern Devnet Two\b/ }))
  await approve(page)
  await expect(fact(page, 'Network')).toHaveText('Postern Devnet Two')

  await expect(card(page, 'Account')).toBeVisible()
  await press(modal(page).getByRole('button', { name: 'Disconnect', exact: true }))
  await press(modal(page).getByRole('button', { name: 'Stay connected' }))
  await press(modal(page).getByRole('button', { name: 'Disconnect', exact: true }))
  await press(modal(page).getByRole('button', { name: 'Disconnect', exact: true }).last())
  await expect(fact(page, 'Status')).toHaveText('Not connected')
})

test('@main @connect StrictMode and reloads leave one frame', async ({ page }) => {
  await page.goto(lab.npm)
  await press(page.getByRole('button', { name: 'Connect wallet' }))
  await expect(card(page, 'Connect')).toBeVisible()
  await expect(page.locator('postern-frame')).toHaveCount(1)
})

const fact = (page: Page, term: string): Locator =>
  page
    .locator('dl.facts > div')
    .filter({ has: page.locator('dt', { hasText: new RegExp(`^${term}$`) }) })
    .locator('dd')

/** Firefox once broke an address after its ellipsis. */
const linesOf = (text: Locator): Promise<number> =>
  text.evaluate((element) => {
    const range = document.createRange()
    range.selectNodeContents(element)
    return range.getClientRects().length
  })

/** Concurrent tests must not share an account. */
async function useAccount(page: Page, account: number): Promise<void> {
  await page.evaluate((account) => window.devnetWallets?.['dev.postern.devnet-wallet']?.switchAccount(account), account)
}

async function switchInDapp(page: Page, network: string): Promise<void> {
  await press(page.getByRole('main').getByRole('button', { name: network, exact: true }))
  await approve(page)
  await expect(fact(page, 'Network')).toHaveText(network)
}

async function readHex(outcome: Locator, label: string): Promise<Hex> {
  const row = outcome
    .locator('dl > div')
    .filter({ has: outcome.page().locator('dt', { hasText: new RegExp(`^${label}$`) }) })
  const value = await row.locator('dd').textContent()
  if (!isHex(value)) throw new Error(`${label} is not hexadecimal: ${value}`)
  return value
}

const order = (buyer: Hex) =>
  ({
    types: {
      Order: [
        { name: 'buyer', type: 'address' },
        { name: 'item', type: 'string' },
        { name: 'quantity', type: 'uint256' },
      ],
    },
    primaryType: 'Order',
    domain: { name: 'Postern demo', version: '1', chainId: 31337 },
    message: { buyer, item: 'Brass key', quantity: 2n },
  }) as const
