/** The screen, the prompts, and the chain before and after, also with reloads and a moving price. */
import type { Locator, Page } from '@playwright/test'
import { devnetAccounts, devnetContracts, devnetToken } from '@postern/devnet'
import { type Address, type Hex, maxUint256, parseAbi, parseEther, parseUnits } from 'viem'
import { secondChainAlone } from './support/alone'
import { installClock, skipPolls } from './support/clock'
import { allChains, devnetWallet } from './support/dapp'
import { approvalOf, approveRequest, signedIn } from './support/embedded'
import { addressOf, dollars, evm, mintDollars, secondEvm } from './support/money'
import { approve, card, connect, inDapp, modal, press, reloadFrame, status, walletPrompt } from './support/postern'
import { expect, test } from './support/test'

// Shared pools: only one test moves a price much, on the second chain.

/** Releases the second chain, however the test ends. */
let letGo = async () => {}
test.afterEach(() => letGo())

const { dollar, wrapped, swapRouter } = devnetContracts
const routerAbi = parseAbi([
  'function swapExactETHForTokens(uint256 amountOutMin, address[] path, address to, uint256 deadline) payable returns (uint256[] amounts)',
  'function swapExactTokensForETH(uint256 amountIn, uint256 amountOutMin, address[] path, address to, uint256 deadline) returns (uint256[] amounts)',
])

const allowedOf = (owner: Address) =>
  evm.readContract({ address: dollar, abi: devnetToken.abi, functionName: 'allowance', args: [owner, swapRouter] })

type SwapArguments = { amount?: string; fromToken?: string; toToken?: string }

async function openSwap(page: Page, swap: SwapArguments = {}): Promise<void> {
  await page.evaluate((swap) => window.Postern?.open({ view: 'Swap', swap }), swap)
  await expect(card(page, 'Swap')).toBeVisible()
}

const button = (page: Page, name: string | RegExp): Locator =>
  modal(page).getByRole('button', { name, ...(typeof name === 'string' && { exact: true }) })
const paid = (page: Page): Locator => modal(page).getByRole('textbox', { name: 'You pay' })
const received = (page: Page): Locator => modal(page).getByRole('region', { name: 'You receive' })

async function review(page: Page): Promise<void> {
  await expect(button(page, 'Review swap')).toBeEnabled()
  await press(button(page, 'Review swap'))
  await expect(card(page, 'Review swap')).toBeVisible()
}

async function ends(page: Page, how: string): Promise<void> {
  await skipPolls(page, () => expect(card(page, 'Transaction')).toContainText(how))
}

async function least(page: Page, decimals: number): Promise<bigint> {
  const fact = card(page).locator('dl > div', { hasText: 'You receive at least' })
  return parseUnits(((await fact.locator('dd').textContent()) ?? '').replace(/[^\d.]/g, ''), decimals)
}

test('@main @money an injected wallet swaps dollars for ether: exact allowance, confirmation, swap; the chain matches the screen (spec §7)', async ({
  page,
  visit,
  lane,
}) => {
  const owner = addressOf(lane.account)
  await mintDollars(owner, parseUnits('100', 6))
  await installClock(page)
  await visit()
  await connect(page)
  const before = { dollars: await dollars(owner), ether: await evm.getBalance({ address: owner }) }

  await openSwap(page, { amount: '25', fromToken: 'DUSD', toToken: 'ETH' })
  await expect(paid(page)).toHaveValue('25')
  // Earlier swaps moved the last digits.
  await expect(received(page)).toContainText(/0\.0099\d/)
  await review(page)
  const shown = card(page)
  for (const text of ['25 DUSD', 'Uniswap V2', '0.3', 'Slippage tolerance', 'Allow 25 DUSD', 'Postern Devnet'])
    await expect(shown).toContainText(text)
  const promised = await least(page, 18)

  await press(button(page, 'Allow and swap'))
  await expect(walletPrompt(page)).toBeVisible()
  await approve(page)
  // Prompted once the approval is on the chain.
  await expect.poll(() => allowedOf(owner)).toBe(parseUnits('25', 6))
  await expect(walletPrompt(page)).toBeVisible()
  await expect(shown).toContainText('Confirm in Devnet Wallet')
  await approve(page)
  await ends(page, 'Confirmed')

  expect(await dollars(owner)).toBe(before.dollars - parseUnits('25', 6))
  expect(await allowedOf(owner)).toBe(0n)
  const got = (await evm.getBalance({ address: owner })) - before.ether
  // Minus the gas of two transactions.
  expect(got).toBeGreaterThan(promised - parseEther('0.002'))
  await press(button(page, 'Done'))
  await expect(card(page, 'Account')).toBeVisible()
})

test('@money @weather the modal or the page reloads at each step of a swap: what the wallet shows counts, and nothing is made twice', async ({
  page,
  visit,
  lane,
  gateway,
}) => {
  const owner = addressOf(lane.account)
  const amount = parseUnits('2', 6)
  await mintDollars(owner, amount * 3n)
  await installClock(page)
  await visit()
  await connect(page)
  const before = await dollars(owner)
  const order = { amount: '2', fromToken: 'DUSD', toToken: 'ETH' }
  /** It comes back with the account, over the prompt of a wallet that draws in the page. */
  const reloadModal = async () => {
    await reloadFrame(page.frames().find((frame) => frame.url().startsWith(gateway.origin)))
    await expect(card(page, 'Account')).toBeVisible()
    await inDapp(page, (postern) => postern.close())
    await expect(card(page)).toBeHidden()
  }
  /** Up to the wallet's prompt. */
  const ask = async (name: string) => {
    await openSwap(page, order)
    await review(page)
    await press(button(page, name))
    await expect(walletPrompt(page)).toBeVisible()
  }

  await test.step('the modal, at the prompt of the approval: it is granted, and nothing is swapped', async () => {
    await ask('Allow and swap')
    await reloadModal()
    await approve(page)
    await expect.poll(() => allowedOf(owner)).toBe(amount)
    expect(await dollars(owner)).toBe(before)
  })

  await test.step('the page, at the prompt of the swap: nothing is swapped, and the approval stands', async () => {
    await ask('Swap')
    await page.reload()
    await expect.poll(() => status(page)).toBe('connected')
    await expect(walletPrompt(page)).toBeHidden()
    expect(await allowedOf(owner)).toBe(amount)
    expect(await dollars(owner)).toBe(before)
  })

  await test.step('the modal, at the prompt of the swap: it is made once', async () => {
    await ask('Swap')
    await reloadModal()
    await approve(page)
    await expect.poll(() => dollars(owner)).toBe(before - amount)
    await expect.poll(() => allowedOf(owner)).toBe(0n)
  })

  await test.step('the page, once it was sent: the next swap asks for its own approval', async () => {
    await openSwap(page, order)
    await expect(walletPrompt(page)).toBeHidden()
    await review(page)
    await press(button(page, 'Allow and swap'))
    await expect(walletPrompt(page)).toBeVisible()
    await approve(page)
    await expect.poll(() => allowedOf(owner)).toBe(amount)
    await expect(walletPrompt(page)).toBeVisible()
    await approve(page)
    // The wallet is in the page: a reload before it has sent would stop it.
    await expect.poll(() => dollars(owner)).toBe(before - 2n * amount)
    await page.reload()
    await expect.poll(() => status(page)).toBe('connected')
    await expect(walletPrompt(page)).toBeHidden()
    expect(await dollars(owner)).toBe(before - 2n * amount)
    expect(await allowedOf(owner)).toBe(0n)
  })
})

test('@money a moving price: beyond the tolerance it is shown before the prompt, and after that the chain reverts the swap', async ({
  page,
  visit,
  lane,
}) => {
  letGo = await secondChainAlone()
  const owner = addressOf(lane.account)
  const mover = devnetAccounts[lane.otherAccount]
  if (mover === undefined) throw new Error('The devnet has too few accounts.')
  const other = addressOf(lane.otherAccount)
  const sent = (hash: Hex) => secondEvm.waitForTransactionReceipt({ hash })
  /** By about 4%. */
  const move = async () => {
    const args = [0n, [wrapped, dollar], other, maxUint256] as const
    const call = { address: swapRouter, abi: routerAbi, account: mover, chain: null } as const
    const hash = await secondEvm.writeContract({
      ...call,
      functionName: 'swapExactETHForTokens',
      args,
      value: parseEther('20'),
    })
    expect(await sent(hash)).toMatchObject({ status: 'success' })
  }
  const bought = await dollars(other, secondEvm)
  await installClock(page)
  await visit({ wallets: [{ ...devnetWallet(lane.account), chain: 31338 }] })
  await connect(page)
  const before = await dollars(owner, secondEvm)
  await openSwap(page, { amount: '0.2', toToken: 'DUSD' })
  await review(page)

  await move()
  await press(button(page, 'Swap'))
  await expect(card(page)).toContainText('The price changed')
  await expect(card(page)).toContainText(/You now receive [\d.,]+\sDUSD instead of [\d.,]+\sDUSD/)
  await expect(walletPrompt(page)).toBeHidden()
  expect(await dollars(owner, secondEvm)).toBe(before)

  await press(button(page, 'Swap at this price'))
  await expect(walletPrompt(page)).toBeVisible()
  await move()
  await approve(page)
  await ends(page, 'Transaction failed')
  expect(await dollars(owner, secondEvm)).toBe(before)

  await test.step('returns to the form with the same input and the current price', async () => {
    await press(button(page, 'Swap again'))
    await expect(card(page, 'Swap')).toBeVisible()
    await expect(paid(page)).toHaveValue('0.2')
    await review(page)
    await press(button(page, 'Swap'))
    await expect(walletPrompt(page)).toBeVisible()
    await approve(page)
    await ends(page, 'Confirmed')
    expect(await dollars(owner, secondEvm)).toBeGreaterThan(before)
  })

  // For later tests.
  const amount = (await dollars(other, secondEvm)) - bought
  const allowance = {
    address: dollar,
    abi: devnetToken.abi,
    functionName: 'approve',
    account: mover,
    chain: null,
  } as const
  await sent(await secondEvm.writeContract({ ...allowance, args: [swapRouter, amount] }))
  const back = {
    address: swapRouter,
    abi: routerAbi,
    functionName: 'swapExactTokensForETH',
    account: mover,
    chain: null,
  } as const
  await sent(await secondEvm.writeContract({ ...back, args: [amount, 0n, [dollar, wrapped], other, maxUint256] }))
})

test('@main @money @embedded @engines a smart account approves and swaps in one sponsored operation; declined, nothing is allowed', async ({
  page,
  visit,
}) => {
  await visit({ wallets: [], networks: allChains })
  const { eip155: smart } = await signedIn(page)
  await mintDollars(smart, parseUnits('100', 6))
  await openSwap(page, { amount: '40', fromToken: 'DUSD', toToken: 'ETH' })
  // Asked at once: the wallet's approval is the review.
  await press(button(page, 'Review swap'))
  const decline = approvalOf(page).getByRole('button', { name: 'Decline' })
  await expect(decline).toBeVisible({ timeout: 20_000 })
  await approveRequest(page, async (approval) => {
    for (const text of ['Allow spending', '40', 'DUSD', swapRouter, 'Paid for you'])
      await expect(approval).toContainText(text)
    // The exchange that the gateway chose and configured is not unusual.
    await expect(approval).not.toContainText('Unverified contract')
  })
  await expect(card(page, 'Transaction')).toContainText('Confirmed')

  expect(await dollars(smart)).toBe(parseUnits('60', 6))
  expect(await allowedOf(smart)).toBe(0n)
  await expect(card(page)).toContainText('You received')
  // Earlier swaps moved the last digits.
  expect(await evm.getBalance({ address: smart })).toBeGreaterThan(parseEther('0.015'))

  await test.step('declined, nothing is allowed or swapped', async () => {
    await openSwap(page, { amount: '10', fromToken: 'DUSD', toToken: 'GEM' })
    await press(button(page, 'Review swap'))
    await expect(decline).toBeVisible({ timeout: 20_000 })
    await press(decline)
    await expect(card(page, 'Review swap')).toContainText('You declined the swap')
    await expect(card(page)).toContainText('Nothing was swapped or sent')
    expect([await dollars(smart), await allowedOf(smart)]).toEqual([parseUnits('60', 6), 0n])
  })
})
