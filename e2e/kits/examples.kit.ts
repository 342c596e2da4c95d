/** Each of `examples/`: installs the packed packages in a folder of its own, builds, connects a wallet and signs. */
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, type Page, test } from '@playwright/test'
import { approve, card, chooseWallet, connectButton, press } from '../support/postern'
import { emptyFolder, type Folder } from './packed'

const repository = path.resolve(import.meta.dirname, '../..')
const site = 'http://localhost:5173'
const ethereum = [{ chainId: 1, name: 'Ethereum', rpcUrl: 'http://127.0.0.1:8545' }]
const evmAddress = /^0x[0-9a-fA-F]{40}$/
const evmSignature = /^0x[0-9a-f]{130}$/

type Example = {
  readonly name: string
  /** Opens the modal. */
  readonly open?: (page: Page) => Promise<void>
  readonly wallet?: string
  readonly address?: RegExp
  readonly signature?: RegExp
}

const examples: readonly Example[] = [
  { name: 'react-18-vite' },
  { name: 'react-19-wagmi' },
  { name: 'ethers' },
  {
    name: 'rainbowkit',
    async open(page) {
      await press(page.getByRole('button', { name: 'Connect Wallet' }))
      await press(page.getByRole('button', { name: 'Postern' }))
    },
  },
  {
    name: 'solana-wallet-adapter',
    async open(page) {
      await press(page.getByRole('button', { name: 'Postern' }))
      await press(connectButton(page))
    },
    wallet: 'Devnet Solana Wallet',
    address: /^[1-9A-HJ-NP-Za-km-z]{32,44}$/,
    signature: /^[0-9a-f]{128}$/,
  },
]

let gateway: Folder
test.beforeAll(async () => {
  gateway = await emptyFolder()
  await gateway.install()
  await gateway.npx('@postern/gateway', 'dev').prints(/Postern runs for development at http:\/\/127\.0\.0\.1:4400/)
})
test.afterAll(() => gateway.remove())

/** Wallets like those of browser extensions. */
async function addWallets(page: Page): Promise<void> {
  const script = await readFile(path.join(repository, 'packages/devnet/dist/page-wallet.js'), 'utf8')
  const wallets = [{ networks: ethereum }, { kind: 'solana' }]
  // Not in the frames of the page.
  const content = `if (window === top) {${script}
    for (const wallet of ${JSON.stringify(wallets)}) window.installDevnetWallet(wallet)
  }`
  await page.addInitScript({ content })
}

async function connectAndSign(page: Page, example: Example): Promise<void> {
  const { open = (on) => press(connectButton(on)), wallet = 'Devnet Wallet' } = example
  await addWallets(page)
  await page.goto(`${site}/`)
  await open(page)
  await chooseWallet(page, wallet)
  await approve(page, wallet)
  await expect(page.getByText(example.address ?? evmAddress)).toBeVisible()
  await expect(card(page)).toBeHidden()
  await press(page.getByRole('button', { name: 'Sign a message' }))
  await approve(page, wallet)
  await expect(page.getByRole('status')).toHaveText(example.signature ?? evmSignature)
  await page.reload()
  await expect(page.getByText(example.address ?? evmAddress)).toBeVisible()
}

for (const example of examples) {
  test(`${example.name} installs, builds, connects, signs and is still connected after a reload`, async ({ page }) => {
    const folder = await emptyFolder()
    try {
      await folder.installExample(example.name)
      await folder.npmRun('build')
      await folder.npx('--no', 'vite', 'preview', '--port', '5173', '--strictPort').prints(/localhost:5173/)
      await connectAndSign(page, example)
    } finally {
      await folder.remove()
    }
  })
}
