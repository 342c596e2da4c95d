/**
 * `npm create postern` with each template, which are the folders of `examples/`: it installs the packed packages, builds,
 * connects a wallet and signs.
 */
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, type Page, test } from '@playwright/test'
import { approve, card, chooseWallet, connectButton, press } from '../support/postern'
import { signButton } from '../support/sign-in'
import { emptyFolder, type Folder, folderAt } from './packed'

const repository = path.resolve(import.meta.dirname, '../..')
const site = 'http://localhost:5173'
const ethereum = [{ chainId: 1, name: 'Ethereum', rpcUrl: 'http://127.0.0.1:8545' }]
const evmAddress = /^0x[0-9a-fA-F]{40}$/
const evmSignature = /^0x[0-9a-f]{130}$/

type Example = {
  readonly template: string
  /** Opens the modal. */
  readonly open?: (page: Page) => Promise<void>
  readonly wallet?: string
  readonly address?: RegExp
  readonly signature?: RegExp
  /** After the connection was approved, while the modal is open. */
  readonly afterwards?: (page: Page) => Promise<void>
}

const examples: readonly Example[] = [
  { template: 'html' },
  { template: 'react' },
  { template: 'wagmi' },
  { template: 'ethers' },
  {
    template: 'rainbowkit',
    async open(page) {
      await press(page.getByRole('button', { name: 'Connect Wallet' }))
      await press(page.getByRole('button', { name: 'Postern' }))
    },
  },
  {
    template: 'solana',
    async open(page) {
      // `autoConnect` goes on alone.
      await press(page.getByRole('button', { name: 'Postern' }))
    },
    wallet: 'Devnet Sol Wallet',
    address: /^[1-9A-HJ-NP-Za-km-z]{32,44}$/,
    signature: /^[0-9a-f]{128}$/,
  },
  {
    template: 'next',
    async afterwards(page) {
      await press(signButton(page))
      await approve(page)
      await expect(page.getByText(/^The server knows you as 0x[0-9a-fA-F]{40}\.$/)).toBeVisible()
    },
  },
  { template: 'nuxt' },
  { template: 'sveltekit' },
  { template: 'angular' },
]

const answers = (url: string) =>
  fetch(url).then(
    ({ ok }) => ok,
    () => false,
  )

/** Where the gateway and create-postern are installed. */
let tools: Folder
test.beforeAll(async () => {
  tools = await emptyFolder()
  await tools.install()
  await tools.npx('@postern/gateway', 'dev').prints(/Postern runs for development at http:\/\/127\.0\.0\.1:4400/)
})
test.afterAll(() => tools.remove())

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
  await example.afterwards?.(page)
  await expect(page.getByText(example.address ?? evmAddress)).toBeVisible()
  await expect(card(page)).toBeHidden()
  await press(page.getByRole('button', { name: 'Sign a message' }))
  await approve(page, wallet)
  await expect(page.getByRole('status')).toHaveText(example.signature ?? evmSignature)
  await page.reload()
  await expect(page.getByText(example.address ?? evmAddress)).toBeVisible()
}

for (const example of examples) {
  test(`${example.template} installs, builds, connects, signs and is still connected after a reload`, async ({
    page,
  }) => {
    const apps = await emptyFolder()
    const app = folderAt(path.join(apps.path, 'my-dapp'))
    try {
      await tools.npx('create-postern', app.path, '--template', example.template).prints(/is ready/)
      await app.installOwn()
      await app.npmRun('build')
      app.npm('start')
      await expect.poll(() => answers(`${site}/`), { timeout: 60_000 }).toBe(true)
      await connectAndSign(page, example)
    } finally {
      await app.remove()
      await apps.remove()
    }
  })
}
