/** Three wallets or one: connecting, switching, disconnecting one or all. */
import type { Page } from '@playwright/test'
import { devnetAccounts } from '@postern/devnet'
import { base58 } from '@scure/base'
import { isHex, toHex, verifyMessage } from 'viem'
import { bitcoinAddress, isMessageSignedBy } from './support/bitcoin'
import { allChains, bitcoinWallet, devnetWallet, multiWallet, solanaWallet } from './support/dapp'
import {
  approve,
  card,
  chooseWallet,
  connected,
  inDapp,
  modal,
  openConnect,
  openModal,
  press,
  request,
  requestIn,
  textOf,
  walletRow,
} from './support/postern'
import { isSignedBy, solanaAddress } from './support/solana'
import { expect, test } from './support/test'

const addressOf = (account: number) => devnetAccounts[account]?.address ?? '0x'
const names = { eip155: 'Devnet Wallet', solana: 'Devnet Sol Wallet', bip122: 'Devnet Bitcoin Wallet' } as const
const multi = 'Devnet Multi Wallet'
const multiNames = { eip155: multi, solana: multi, bip122: multi } as const

test('@main @connect @storage @solana @bitcoin three wallets for three chains: each signs, one disconnects, then all', async ({
  page,
  visit,
  lane,
}) => {
  await visit({
    networks: allChains,
    wallets: [devnetWallet(lane.account), solanaWallet(lane.account), bitcoinWallet(lane.account)],
  })
  await openConnect(page)
  await chooseWallet(page, names.eip155)
  await approve(page, names.eip155)
  await expect(card(page)).toBeHidden()
  await connectFromAccount(page, 'Connect a Solana wallet', names.solana)
  await connectFromAccount(page, 'Connect a Bitcoin wallet', names.bip122)
  await expect.poll(() => connected(page)).toEqual(['bip122', 'eip155', 'solana'])
  await signsEverywhere(page, lane.account, names)

  await page.reload()
  await expect.poll(() => connected(page)).toEqual(['bip122', 'eip155', 'solana'])
  await signsEverywhere(page, lane.account, names)

  await test.step('the account shows all chains, and switches to any of them with a press (spec §1)', async () => {
    await openModal(page)
    const others = modal(page).getByRole('region', { name: 'Your other accounts' })
    await expect(others.getByRole('button')).toHaveCount(2)
    await press(others.getByRole('button', { name: new RegExp(solanaAddress(lane.account)) }))
    await expect(modal(page).getByText('SOL', { exact: true })).toBeVisible()
    await expect.poll(() => activeNetwork(page)).toMatch(/^solana:/)
  })

  await test.step('one disconnects, the others stay', async () => {
    await press(modal(page).getByRole('button', { name: 'Disconnect', exact: true }))
    await press(modal(page).getByRole('button', { name: 'Only Solana' }))
    await expect.poll(() => connected(page)).toEqual(['bip122', 'eip155'])
    expect(await request(page, 'eth_accounts')).toEqual({ result: [addressOf(lane.account)] })
  })

  await test.step('all disconnect', async () => {
    await press(modal(page).getByRole('button', { name: 'Disconnect', exact: true }))
    await press(modal(page).getByRole('button', { name: 'Disconnect all' }))
    await expect.poll(() => connected(page)).toEqual([])
    await page.reload()
    await openConnect(page)
    expect(await connected(page)).toEqual([])
  })
})

test('@connect @solana @bitcoin a wallet for three chains is one row, and asks for the chain', async ({
  page,
  visit,
  lane,
}) => {
  await visit({ networks: allChains, wallets: [multiWallet(lane.account)] })
  await openConnect(page)
  await expect(walletRow(page, multi)).toHaveCount(1)
  for (const [index, chain] of ['Ethereum & EVM', 'Solana', 'Bitcoin'].entries()) {
    if (index > 0) await inDapp(page, (postern) => postern.open({ view: 'Connect' }))
    await chooseWallet(page, multi)
    await press(modal(page).getByRole('list', { name: 'Choose a network' }).getByRole('button', { name: chain }))
    await approve(page, multi)
    await expect(card(page)).toBeHidden()
  }
  await expect.poll(() => connected(page)).toEqual(['bip122', 'eip155', 'solana'])
  await signsEverywhere(page, lane.account, multiNames)
})

test('@connect @engines @storage two tabs agree on every chain', async ({ page, context, visit, lane }) => {
  const address = await visit({
    networks: allChains,
    wallets: [devnetWallet(lane.account), solanaWallet(lane.account)],
  })
  const other = await context.newPage()
  await other.goto(address)
  // Background tabs draw once a second: a click would take half a minute.
  await page.bringToFront()
  for (const name of [names.eip155, names.solana]) {
    await inDapp(page, (postern) => postern.open({ view: 'Connect' }))
    await chooseWallet(page, name)
    await approve(page, name)
    await expect(card(page)).toBeHidden()
  }
  await expect.poll(() => connected(other)).toEqual(['eip155', 'solana'])
  await inDapp(other, (postern) => postern.disconnect('eip155'))
  await expect.poll(() => connected(page)).toEqual(['solana'])
})

async function connectFromAccount(page: Page, offer: string, wallet: string): Promise<void> {
  await openModal(page)
  await press(modal(page).getByRole('button', { name: offer }))
  await chooseWallet(page, wallet)
  await approve(page, wallet)
  await expect(card(page)).toBeHidden()
}

async function signsEverywhere(page: Page, account: number, wallets: typeof names | typeof multiNames): Promise<void> {
  const text = 'Let me in.'
  const bytes = new TextEncoder().encode(text)
  const onEvm = request(page, 'personal_sign', [toHex(text), addressOf(account)])
  await approve(page, wallets.eip155)
  const signature = textOf(await onEvm)
  if (!isHex(signature)) throw new Error(signature)
  expect(await verifyMessage({ address: addressOf(account), message: text, signature })).toBe(true)

  const onSolana = requestIn(page, 'solana', 'solana_signMessage', { message: base58.encode(bytes) })
  await approve(page, wallets.solana)
  expect(isSignedBy(account, bytes, textOf(await onSolana, 'signature'))).toBe(true)

  const address = bitcoinAddress(account)
  const onBitcoin = requestIn(page, 'bip122', 'bip122_signMessage', { address, message: text })
  await approve(page, wallets.bip122)
  expect(isMessageSignedBy(account, 'payment', text, textOf(await onBitcoin, 'signature'))).toBe(true)
}

const activeNetwork = (page: Page): Promise<string | null> =>
  inDapp(page, (postern) => postern.getSnapshot().activeNetworkId)
