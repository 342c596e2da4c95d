/** Every kind of wallet: the screen, and the chains before and after. */
import { randomInt } from 'node:crypto'
import type { Page, Response } from '@playwright/test'
import { solanaLevyMint } from '@postern/devnet'
import encodeQR from 'qr'
import decodeQR from 'qr/decode.js'
import { type Address, parseEther, parseGwei } from 'viem'
import { secondChainAlone } from './support/alone'
import { bitcoinAddress, fund, mine } from './support/bitcoin'
import { installClock, skipPolls } from './support/clock'
import {
  allChains,
  bitcoinNetwork,
  bitcoinWallet,
  bothChains,
  devnetWallet,
  solanaNetwork,
  solanaWallet,
} from './support/dapp'
import { approvalOf, approveRequest, newEvmAddress, signedIn, untilSaid } from './support/embedded'
import { approveOnPhone, copiedLink, pair, rejectOnPhone } from './support/mobile-wallet'
import {
  addressOf,
  dollars,
  evm,
  fundSolanaDollars,
  mintDollars,
  satoshis,
  secondEvm,
  solanaDollars,
} from './support/money'
import {
  approve,
  card,
  chainId,
  chooseWallet,
  connect,
  inDapp,
  modal,
  openConnect,
  press,
  reject,
} from './support/postern'
import { feeOnShow, rollupFee } from './support/rollup'
import { airdrop, lamports, newSolanaAddress, solanaAddress } from './support/solana'
import { expect, test } from './support/test'

test.beforeEach(({ page }) => installClock(page))

const newBitcoinAddress = () => bitcoinAddress(randomInt(1_000, 1_000_000))

const button = (page: Page, name: string | RegExp) => card(page).getByRole('button', { name })

async function openSend(page: Page): Promise<void> {
  await inDapp(page, (postern) => postern.open({ view: 'Send' }))
  await expect(card(page, 'Send').getByRole('textbox', { name: /^Amount/ })).toBeVisible()
}

async function chooseToken(page: Page, name: RegExp): Promise<void> {
  await press(card(page, 'Send').getByRole('button').filter({ hasText: 'Postern' }).first())
  await expect(card(page, 'Select token')).toBeVisible()
  await press(button(page, name))
  await expect(card(page, 'Send')).toBeVisible()
}

type Transfer = {
  readonly amount: string
  readonly to: string
  readonly token?: RegExp
  readonly speed?: string
  readonly told?: readonly string[]
}

/** Up to the review. The embedded wallet's approval is its review. */
async function compose(page: Page, { amount, to, token, speed }: Transfer): Promise<void> {
  await openSend(page)
  if (token !== undefined) await chooseToken(page, token)
  await card(page)
    .getByRole('textbox', { name: /^Amount/ })
    .fill(amount)
  await card(page).getByLabel('To', { exact: true }).fill(to)
  if (speed !== undefined) await press(card(page).getByRole('tab', { name: speed }))
  await press(button(page, 'Review'))
}

/** Up to the wallet's prompt. */
async function ask(page: Page, transfer: Transfer): Promise<void> {
  await compose(page, transfer)
  for (const text of [transfer.amount, ...(transfer.told ?? [])]) await expect(card(page, 'Review')).toContainText(text)
  await send(page)
}

async function send(page: Page): Promise<void> {
  const confirm = button(page, 'Send')
  await expect(confirm).toBeEnabled()
  await press(confirm)
}

async function ends(page: Page, how: string): Promise<void> {
  await skipPolls(page, () => expect(card(page, 'Transaction')).toContainText(how))
}

const asks = (response: Response, method: string) => response.request().postData()?.includes(method) ?? false

async function close(page: Page): Promise<void> {
  await inDapp(page, (postern) => postern.close())
  await expect(card(page)).toBeHidden()
}

/** The latest to an address. */
async function transactionTo(to: Address) {
  const latest = await evm.getBlockNumber()
  for (let number = latest; number > latest - 200n && number >= 0n; number--) {
    const { transactions } = await evm.getBlock({ blockNumber: number, includeTransactions: true })
    const found = transactions.find((one) => one.to?.toLowerCase() === to.toLowerCase())
    if (found !== undefined) return evm.getTransactionReceipt({ hash: found.hash })
  }
  throw new Error(`Nothing went to ${to}`)
}

test('@main @money an injected wallet sends ether, a token, and its whole balance (spec §1)', async ({
  page,
  visit,
  lane,
}) => {
  const from = addressOf(lane.account)
  await mintDollars(from, 100_000_000n)
  await visit()
  await connect(page)

  await test.step('ether, exact to the wei', async () => {
    const to = newEvmAddress()
    const before = await evm.getBalance({ address: from })
    await ask(page, { amount: '0.25', to })
    await approve(page)
    await ends(page, 'Confirmed')
    expect(await evm.getBalance({ address: to })).toBe(parseEther('0.25'))
    const { gasUsed, effectiveGasPrice } = await transactionTo(to)
    expect(await evm.getBalance({ address: from })).toBe(before - parseEther('0.25') - gasUsed * effectiveGasPrice)
    await press(button(page, 'Done'))
    await expect(card(page, 'Account')).toBeVisible()
  })

  await test.step('a token', async () => {
    const to = newEvmAddress()
    const before = await dollars(from)
    await ask(page, { amount: '12.345678', to, token: /^Devnet Dollar/ })
    await approve(page)
    await ends(page, 'Confirmed')
    expect(await dollars(to)).toBe(12_345_678n)
    expect(await dollars(from)).toBe(before - 12_345_678n)
    await close(page)
  })

  await test.step('to a name, showing its full address', async () => {
    const before = await evm.getBalance({ address: addressOf(0) })
    await openSend(page)
    await card(page)
      .getByRole('textbox', { name: /^Amount/ })
      .fill('0.001')
    await card(page).getByLabel('To', { exact: true }).fill('alice.eth')
    await expect(card(page).getByText(`Address ${addressOf(0)}`)).toBeAttached()
    await press(button(page, 'Review'))
    await expect(card(page, 'Review')).toContainText('alice.eth')
    await expect(card(page, 'Review')).toContainText(addressOf(0).slice(10, 30))
    await send(page)
    await approve(page)
    await ends(page, 'Confirmed')
    expect(await evm.getBalance({ address: addressOf(0) })).toBe(before + parseEther('0.001'))
    await close(page)
  })

  await test.step('to a name from an offchain server', async () => {
    await openSend(page)
    await card(page).getByLabel('To', { exact: true }).fill('carol.offchain.eth')
    await expect(card(page).getByText(`Address ${addressOf(2)}`)).toBeAttached()
    await close(page)
  })

  await test.step('reports an excessive amount without a prompt; max leaves enough for the fee', async () => {
    const to = newEvmAddress()
    const balance = await evm.getBalance({ address: from })
    await openSend(page)
    await card(page)
      .getByRole('textbox', { name: /^Amount/ })
      .fill('99999999')
    await expect(card(page)).toContainText('Not enough ETH.')
    await card(page).getByLabel('To', { exact: true }).fill(to)
    await expect(button(page, 'Review')).toBeDisabled()

    await press(button(page, 'Max'))
    await expect(card(page).getByRole('textbox', { name: /^Amount/ })).not.toHaveValue('99999999')
    await expect(card(page)).not.toContainText('Not enough')
    await press(button(page, 'Review'))
    await expect(card(page, 'Review')).toBeVisible()
    await send(page)
    await approve(page)
    await ends(page, 'Confirmed')
    const arrived = await evm.getBalance({ address: to })
    const { gasUsed, effectiveGasPrice } = await transactionTo(to)
    expect(arrived).toBeGreaterThan(balance - parseEther('0.01'))
    expect(await evm.getBalance({ address: from })).toBe(balance - arrived - gasUsed * effectiveGasPrice)
    await evm.setBalance({ address: from, value: balance })
  })
})

test('@main @money @smoke declining in the wallet keeps the typed values; a wallet on another network is asked to switch back', async ({
  page,
  visit,
}) => {
  const to = newEvmAddress()
  await visit({ networks: bothChains })
  await connect(page)

  await test.step('declined', async () => {
    await ask(page, { amount: '0.125', to })
    await reject(page)
    await expect(card(page, 'Transaction')).toContainText('Nothing was sent.')
    await press(button(page, 'Try again'))
    await expect(card(page, 'Review')).toContainText('0.125')
    await send(page)
    await approve(page)
    await ends(page, 'Confirmed')
    expect(await evm.getBalance({ address: to })).toBe(parseEther('0.125'))
    await close(page)
  })

  await test.step('on another network', async () => {
    await openSend(page)
    await card(page)
      .getByRole('textbox', { name: /^Amount/ })
      .fill('0.5')
    await card(page).getByLabel('To', { exact: true }).fill(to)
    await press(button(page, 'Review'))
    await expect(card(page, 'Review')).toBeVisible()
    await page.evaluate(() => window.devnetWallets?.['dev.postern.devnet-wallet']?.switchChain(31338))
    await expect(card(page)).toContainText('Your wallet is no longer on Postern Devnet.')
    await press(button(page, 'Switch back'))
    await approve(page)
    await expect.poll(() => chainId(page)).toBe('eip155:31337')
    await expect(button(page, 'Send')).toBeEnabled()
    expect(await evm.getBalance({ address: to })).toBe(parseEther('0.125'))
  })
})

test('@money reports a rollup’s data fee and the outcome: replaced, reverted', async ({ page, visit, lane }) => {
  const from = addressOf(lane.account)
  await visit({ networks: bothChains, wallets: [{ ...devnetWallet(lane.account), chain: 31338 }] })
  await connect(page)
  const letGo = await secondChainAlone()
  try {
    await test.step('includes the rollup’s data fee, and subtracts it from max', async () => {
      const to = newEvmAddress()
      const balance = await secondEvm.getBalance({ address: from })
      // Makes gas almost free, as on a rollup: also the tip, which follows what the last five blocks were paid.
      await secondEvm.mine({ blocks: 4 })
      await secondEvm.setNextBlockBaseFeePerGas({ baseFeePerGas: 1_000_000n })
      await secondEvm.mine({ blocks: 1 })
      await openSend(page)
      await card(page).getByLabel('To', { exact: true }).fill(to)
      await press(button(page, 'Max'))
      await expect(card(page).getByRole('textbox', { name: /^Amount/ })).not.toHaveValue('')
      // As much as one block may raise it: the amount follows.
      await secondEvm.setNextBlockBaseFeePerGas({ baseFeePerGas: 1_125_000n })
      await secondEvm.mine({ blocks: 1 })
      await press(button(page, 'Review'))
      const review = card(page, 'Review')
      await expect(review).toContainText('Max network fee')
      // No transaction is shorter.
      const least = await rollupFee(`0x${'00'.repeat(40)}`, 21_000n)
      expect(await feeOnShow(review, 'Network fee')).toBeGreaterThan(least)
      expect(await feeOnShow(review, 'Network fee')).toBeLessThan(2n * least)
      expect(await feeOnShow(review, 'Max network fee')).toBeGreaterThan(2n * least)
      await send(page)
      await approve(page)
      await ends(page, 'Confirmed')
      const left = balance - (await secondEvm.getBalance({ address: to }))
      expect(left).toBeGreaterThan(2n * least)
      expect(left).toBeLessThan(4n * least)
      await close(page)
      await secondEvm.setBalance({ address: from, value: balance })
    })
    await secondEvm.setAutomine(false)
    await test.step('replaced by another transaction with its nonce', async () => {
      await ask(page, { amount: '0.01', to: newEvmAddress() })
      // The replacement of an unseen transaction cannot be detected.
      const isSeen = (response: Response) => asks(response, 'eth_getTransactionByHash')
      await Promise.all([page.waitForResponse(isSeen, { timeout: 60_000 }), approve(page)])
      await expect(card(page, 'Transaction')).toContainText('Sent')
      await secondEvm.impersonateAccount({ address: from })
      await secondEvm.sendUnsignedTransaction({
        from,
        to: newEvmAddress(),
        value: 1n,
        nonce: await secondEvm.getTransactionCount({ address: from }),
        gas: 21_000n,
        maxFeePerGas: parseGwei('900'),
        maxPriorityFeePerGas: parseGwei('90'),
      })
      await secondEvm.mine({ blocks: 1 })
      await ends(page, 'Replaced')
      await close(page)
    })

    await test.step('reverted, because of a change to the recipient in the meantime', async () => {
      const to = newEvmAddress()
      await ask(page, { amount: '0.01', to })
      await approve(page)
      await expect(card(page, 'Transaction')).toContainText('Sent')
      await secondEvm.setCode({ address: to, bytecode: '0x60006000fd' })
      await secondEvm.mine({ blocks: 1 })
      await ends(page, 'Transaction failed')
      await expect(card(page)).toContainText('You paid the fee. Nothing else changed.')
      expect(await secondEvm.getBalance({ address: to })).toBe(0n)
    })
  } finally {
    await secondEvm.setAutomine(true)
    await secondEvm.mine({ blocks: 1 })
    await letGo()
  }
})

test('@money offline: sends no request, and continues automatically when back online', async ({ page, visit }) => {
  await visit()
  await connect(page)
  await openSend(page)
  const amount = card(page).getByRole('textbox', { name: /^Amount/ })
  await amount.fill('0.1')
  await card(page).getByLabel('To', { exact: true }).fill(newEvmAddress())
  await press(button(page, 'Review'))
  await expect(button(page, 'Send')).toBeEnabled()
  await press(button(page, 'Back').last())
  await page.context().setOffline(true)
  await amount.fill('0.2')
  await press(button(page, 'Review'))
  await expect(card(page, 'Review')).toContainText('Can’t reach the network.')
  await expect(card(page)).toContainText('Nothing was sent.')
  await expect(button(page, 'Send')).toBeDisabled()
  await page.context().setOffline(false)
  await skipPolls(page, () => expect(button(page, 'Send')).toBeEnabled({ timeout: 30_000 }))
})

test('@main @money a Solana wallet sends SOL, and a token to a recipient without a token account', async ({
  page,
  visit,
  lane,
}) => {
  const from = solanaAddress(lane.account)
  await fundSolanaDollars(from, 50_000_000)
  await visit({ networks: solanaNetwork, wallets: [solanaWallet(lane.account)] })
  await openConnect(page)
  await chooseWallet(page, 'Devnet Sol Wallet')
  await approve(page, 'Devnet Sol Wallet')
  await expect(card(page)).toBeHidden()

  await test.step('SOL', async () => {
    const to = newSolanaAddress()
    const before = await lamports(from)
    await ask(page, { amount: '0.5', to })
    await approve(page, 'Devnet Sol Wallet')
    await ends(page, 'Confirmed')
    expect(await lamports(to)).toBe(500_000_000)
    expect(await lamports(from)).toBe(before - 500_000_000 - 5_000)
    await close(page)
  })

  await test.step('a token, creating the recipient’s account and showing its deposit', async () => {
    const to = newSolanaAddress()
    const before = { sol: await lamports(from), dollars: (await solanaDollars(from)) ?? 0n }
    expect(await solanaDollars(to)).toBeNull()
    await openSend(page)
    await chooseToken(page, /^Solana Devnet Dollar/)
    await card(page)
      .getByRole('textbox', { name: /^Amount/ })
      .fill('12.5')
    await card(page).getByLabel('To', { exact: true }).fill(to)
    await expect(card(page)).toContainText('Account setup')
    await press(button(page, 'Review'))
    await expect(card(page, 'Review')).toContainText('The recipient needs a SDUSD account.')
    await send(page)
    await approve(page, 'Devnet Sol Wallet')
    await ends(page, 'Confirmed')
    expect(await solanaDollars(to)).toBe(12_500_000n)
    expect(await solanaDollars(from)).toBe(before.dollars - 12_500_000n)
    expect(before.sol - (await lamports(from))).toBe(2_039_280 + 5_000)
  })
})

test('@main @money a Bitcoin wallet sends with the chosen fee, and keeps the change', async ({ page, visit, lane }) => {
  const from = bitcoinAddress(lane.account)
  const to = newBitcoinAddress()
  await fund(from, 100_000)
  await visit({ networks: bitcoinNetwork, wallets: [bitcoinWallet(lane.account)] })
  await openConnect(page)
  await chooseWallet(page, 'Devnet Bitcoin Wallet')
  await approve(page, 'Devnet Bitcoin Wallet')
  await expect(card(page)).toBeHidden()

  const before = await satoshis(from)
  await openSend(page)
  await card(page)
    .getByRole('textbox', { name: /^Amount/ })
    .fill('0.00000100')
  await card(page).getByLabel('To', { exact: true }).fill(to)
  await expect(card(page)).toContainText('The minimum is 0.00000294 BTC')
  await close(page)
  await ask(page, { amount: '0.0002', to, speed: 'Fast' })
  // The shared chain may mine it at once.
  await untilSaid(modal(page).locator('body'), 'Sent', () => approve(page, 'Devnet Bitcoin Wallet'))
  await mine()
  await ends(page, 'Confirmed')
  expect(await satoshis(to)).toBe(20_000)
  const fee = before - 20_000 - (await satoshis(from))
  expect(fee).toBeGreaterThan(0)
  expect(fee).toBeLessThan(5_000)
})

test('@money a phone wallet sends ether, and declining loses nothing', async ({ page, visit, phone, lane }) => {
  const from = addressOf(lane.account)
  const to = newEvmAddress()
  const wallet = await phone()
  await visit({ projectId: 'mobile', networks: bothChains, wallets: [] })
  await openConnect(page)
  await chooseWallet(page, 'WalletConnect')
  await pair(wallet, await copiedLink(page))
  await approveOnPhone(wallet, 'Connect to this site')
  await expect(card(page)).toBeHidden()

  await receivesAt(page, [[null, from]])
  await ask(page, { amount: '0.02', to })
  await rejectOnPhone(wallet)
  await expect(card(page, 'Transaction')).toContainText('Nothing was sent.')
  await press(button(page, 'Try again'))
  const before = await evm.getBalance({ address: from })
  await send(page)
  await approveOnPhone(wallet)
  await ends(page, 'Confirmed')
  expect(await evm.getBalance({ address: to })).toBe(parseEther('0.02'))
  const { gasUsed, effectiveGasPrice } = await transactionTo(to)
  expect(await evm.getBalance({ address: from })).toBe(before - parseEther('0.02') - gasUsed * effectiveGasPrice)
})

test('@money @embedded the embedded wallet sends on three chains', async ({ page, visit }) => {
  await visit({ wallets: [], networks: allChains })
  const accounts = await signedIn(page)
  await test.step('receives at the addresses in its QR codes', async () => {
    await receivesAt(page, [
      ['Ethereum', accounts.eip155],
      ['Solana', accounts.solana],
      ['Bitcoin', accounts.bip122],
    ])
  })

  /** `told`: further expected text. */
  async function approveIt(amount: string, to: string, told: readonly string[] = []): Promise<void> {
    const approval = approvalOf(page)
    await expect(approval).toContainText(amount)
    for (const text of [to, ...told]) await expect(approval).toContainText(text)
    await approveRequest(page)
  }

  await test.step('ether and a token, from the smart account', async () => {
    await evm.setBalance({ address: accounts.eip155, value: parseEther('1') })
    await mintDollars(accounts.eip155, 5_000_000n)
    const to = newEvmAddress()
    await compose(page, { amount: '0.25', to })
    await approveIt('0.25', to)
    await ends(page, 'Confirmed')
    expect(await evm.getBalance({ address: to })).toBe(parseEther('0.25'))
    await close(page)
    await compose(page, { amount: '1.5', to, token: /^Devnet Dollar/ })
    await approveIt('1.5', to)
    await ends(page, 'Confirmed')
    expect(await dollars(to)).toBe(1_500_000n)
    expect(await dollars(accounts.eip155)).toBe(3_500_000n)
    await close(page)
  })

  await test.step('a Solana token, to a recipient without a token account', async () => {
    await airdrop(accounts.solana, 1_000_000_000)
    await fundSolanaDollars(accounts.solana, 9_000_000)
    await fundSolanaDollars(accounts.solana, 9_000_000, solanaLevyMint)
    const to = newSolanaAddress()
    await inDapp(page, (postern) => postern.switchNetwork('solana:PosternDevnet1111111111111111111'))
    await compose(page, { amount: '2.25', to, token: /^Solana Devnet Dollar/ })
    await approveIt('2.25', to)
    await ends(page, 'Confirmed')
    expect(await solanaDollars(to)).toBe(2_250_000n)
    expect(await solanaDollars(accounts.solana)).toBe(6_750_000n)
    await close(page)
  })

  await test.step('a Token-2022 token with a 1% fee: shows the exact received amount before sending', async () => {
    const to = newSolanaAddress()
    const told = ['Token fee', '0.0225', 'Recipient gets', '2.2275']
    await compose(page, { amount: '2.25', to, token: /^Solana Devnet Levy/ })
    // Simulated by the chain, for tokens too.
    await approveIt('2.25', to, [...told, '−\u202F2.25\u00A0SLEVY', 'Simulated on'])
    await ends(page, 'Confirmed')
    expect(await solanaDollars(to, solanaLevyMint)).toBe(2_227_500n)
    expect(await solanaDollars(accounts.solana, solanaLevyMint)).toBe(6_750_000n)
    await close(page)
  })

  await test.step('bitcoin', async () => {
    await fund(accounts.bip122, 100_000)
    const to = newBitcoinAddress()
    await inDapp(page, (postern) => postern.switchNetwork('bip122:0f9188f13cb7b2c71f2a335e3a4fc328'))
    await compose(page, { amount: '0.0003', to, speed: 'Normal' })
    await untilSaid(modal(page).locator('body'), 'Sent', () => approveIt('0.0003', to))
    await mine()
    await ends(page, 'Confirmed')
    expect(await satoshis(to)).toBe(30_000)
  })
})

test('@money an injected wallet and a camera: a scanned QR code fills in the recipient', async ({ page, visit }) => {
  const to = newEvmAddress()
  await page.addInitScript(holdBeforeCamera, encodeQR(`ethereum:${to}@31337?value=1e18`, 'raw'))
  await visit()
  await connect(page)
  await openSend(page)
  await press(button(page, 'Scan a QR code'))
  await expect(card(page).getByLabel('To', { exact: true })).toHaveValue(new RegExp(to))
  // Never the amount.
  await expect(card(page).getByRole('textbox', { name: /^Amount/ })).toHaveValue('')
  await expect(card(page).getByText(`Recipient ${to}`)).toBeAttached()
  expect(await page.locator('iframe[src*="//modal.postern.localhost"]').getAttribute('allow')).toContain('camera')
})

/** A fake camera that shows only a QR code. */
function holdBeforeCamera(modules: boolean[][]): void {
  // Absent without a secure context.
  const devices: MediaDevices | undefined = navigator.mediaDevices
  if (devices === undefined) return
  const scale = 8
  const canvas = document.createElement('canvas')
  canvas.width = canvas.height = modules.length * scale
  const draw = () => {
    const context = canvas.getContext('2d')
    if (context === null) return
    context.fillStyle = 'white'
    context.fillRect(0, 0, canvas.width, canvas.height)
    context.fillStyle = 'black'
    for (const [y, row] of modules.entries())
      for (const [x, isDark] of row.entries()) if (isDark) context.fillRect(x * scale, y * scale, scale, scale)
  }
  const camera = { kind: 'videoinput', deviceId: 'camera', groupId: '', label: '', toJSON: () => ({}) } as const
  devices.enumerateDevices = async () => [camera]
  devices.getUserMedia = async () => {
    // real time: a camera’s frames
    setInterval(draw, 50)
    return canvas.captureStream(20)
  }
}

test('@main @money receiving: the QR code contains the address, which is copied in full', async ({
  page,
  visit,
  lane,
}) => {
  await visit({ networks: allChains, wallets: [devnetWallet(lane.account), bitcoinWallet(lane.account)] })
  await connect(page)
  await inDapp(page, (postern) => postern.open({ view: 'Connect' }))
  await chooseWallet(page, 'Devnet Bitcoin Wallet')
  await approve(page, 'Devnet Bitcoin Wallet')
  await expect(card(page)).toBeHidden()
  await receivesAt(page, [
    ['Ethereum', addressOf(lane.account)],
    ['Bitcoin', bitcoinAddress(lane.account)],
    ['Ordinals', bitcoinAddress(lane.account, 'ordinals')],
  ])
})

/** As code and text, copied in full. `tab` is null for a single address. */
async function receivesAt(page: Page, addresses: readonly (readonly [tab: string | null, address: string])[]) {
  await inDapp(page, (postern) => postern.open({ view: 'Receive' }))
  await expect(card(page, 'Receive')).toBeVisible()
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  for (const [tab, expected] of addresses) {
    if (tab !== null) await press(card(page).getByRole('tab', { name: tab }))
    await expect(card(page).getByText(`Address ${expected}`)).toBeAttached()
    expect(await codeOnScreen(page)).toBe(expected)
    await press(button(page, /^Cop(y|ied)$/))
    await expect(button(page, 'Copied')).toBeVisible()
    // The button may still say so of the former address.
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(expected)
  }
  await close(page)
}

/** From a screenshot, like a camera. */
async function codeOnScreen(page: Page): Promise<string> {
  const code = modal(page).getByRole('img', { name: /QR code of the address/ })
  await expect(code).toBeVisible()
  // After the entry animation.
  await code.evaluate((element) =>
    Promise.all(element.getAnimations({ subtree: true }).map(({ finished }) => finished)),
  )
  const picture = await code.screenshot()
  const pixels = await page.evaluate(async (png) => {
    const bitmap = await createImageBitmap(await (await fetch(`data:image/png;base64,${png}`)).blob())
    const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d')
    if (context === null) throw new Error('There is no canvas')
    context.drawImage(bitmap, 0, 0)
    const { data, width, height } = context.getImageData(0, 0, bitmap.width, bitmap.height)
    // As text: Playwright takes many seconds for a list of so many numbers.
    return { data: Array.from(data, (byte) => String.fromCharCode(byte)).join(''), width, height }
  }, picture.toString('base64'))
  return decodeQR({ ...pixels, data: new Uint8ClampedArray(Buffer.from(pixels.data, 'latin1')) })
}
