/** Shown as requested, paid on the chain, with a matching receipt. */
import type { Page } from '@playwright/test'
import { devnetContracts } from '@postern/devnet'
import { type Address, type Hex, isHex, parseEther, parseUnits } from 'viem'
import { bitcoinAddress, fund, mine, paidTo } from './support/bitcoin'
import {
  allChains,
  bitcoinNetwork,
  bitcoinWallet,
  bothChains,
  devnetWallet,
  solanaNetwork,
  solanaWallet,
} from './support/dapp'
import { approveRequest, declineRequest, newEvmAddress, shown, signedIn, walletFrame } from './support/embedded'
import { addressOf, dollars, evm, mintDollars } from './support/money'
import { approve, card, chooseWallet, connect, connectIn, inDapp, modal, press, reloadFrame } from './support/postern'
import { signButton, signInModule, untilAsked } from './support/sign-in'
import { lamports, newSolanaAddress } from './support/solana'
import { expect, test } from './support/test'

type Request = Parameters<NonNullable<Window['Postern']>['pay']>[0]
type Ended = { readonly receipt: { networkId: string; hash: string; from: string } } | { readonly code: unknown }

const pay = (page: Page, request: Request): Promise<Ended> =>
  page.evaluate(
    (asked) =>
      window.Postern?.pay(asked).then(
        (receipt) => ({ receipt }),
        (error: { code?: unknown }) => ({ code: error.code }),
      ) ?? { code: 'no Postern' },
    request,
  )
const button = (page: Page, name: string) => modal(page).getByRole('button', { name, exact: true })

function hashOf(ended: Ended): Hex {
  if (!('receipt' in ended) || !isHex(ended.receipt.hash)) throw new Error(`No receipt: ${JSON.stringify(ended)}`)
  return ended.receipt.hash
}

test('@main @money an injected wallet pays ether, and the receipt matches the chain', async ({ page, visit, lane }) => {
  const owner = addressOf(lane.account)
  const recipient = newEvmAddress()
  await visit({ projectId: 'pay' })
  await connect(page)
  const paid = pay(page, { networkId: 'eip155:31337', amount: '0.125', recipient, reference: 'Order 7' })
  await expect(card(page, 'Payment')).toBeVisible()
  for (const text of ['dapp.localhost', '0.125', 'For: Order 7', recipient, 'Postern Devnet'])
    await expect(card(page)).toContainText(text)
  await press(button(page, 'Pay'))
  await approve(page)
  const ended = await paid
  const receipt = await evm.waitForTransactionReceipt({ hash: hashOf(ended) })
  expect(receipt).toMatchObject({ status: 'success', from: owner.toLowerCase(), to: recipient.toLowerCase() })
  expect(ended).toMatchObject({ receipt: { networkId: 'eip155:31337', from: owner } })
  expect(await evm.getBalance({ address: recipient })).toBe(parseEther('0.125'))
  await expect(card(page, 'Transaction')).toContainText('Confirmed')
})

test('@money @siwx a user who connects for it signs in first if the dapp requires it, on each network on the way, and then pays', async ({
  page,
  visit,
  lane,
}) => {
  const recipient = newEvmAddress()
  const dapp = {
    projectId: 'pay',
    networks: bothChains,
    wallets: [{ ...devnetWallet(lane.account), chain: 31338 as const }],
  }
  const signIn = async () => {
    await untilAsked(page)
    await press(signButton(page))
    await approve(page)
  }
  await visit({ ...dapp, module: signInModule({ ...dapp, options: '{ siwx: ready() }' }) })
  const paid = pay(page, { networkId: 'eip155:31337', amount: '0.03125', recipient })
  await chooseWallet(page, 'Devnet Wallet')
  await approve(page)
  await signIn()
  await expect(card(page, 'Payment')).toContainText('0.03125')
  await press(button(page, 'Switch network'))
  await approve(page)
  await signIn()
  await expect(card(page, 'Payment')).toContainText('0.03125')
  await press(button(page, 'Pay'))
  await approve(page)
  expect(await evm.waitForTransactionReceipt({ hash: hashOf(await paid) })).toMatchObject({ status: 'success' })
  expect(await evm.getBalance({ address: recipient })).toBe(parseEther('0.03125'))
})

test('@money a Solana wallet pays SOL, and a Bitcoin wallet pays bitcoin', async ({ page, visit, lane }) => {
  const wallets = [solanaWallet(lane.account), bitcoinWallet(lane.account)]
  await visit({ projectId: 'pay', networks: allChains, wallets })

  await test.step('SOL', async () => {
    await connectIn(page, 'solana', 'Devnet Sol Wallet')
    const recipient = newSolanaAddress()
    const paid = pay(page, { networkId: solanaNetwork, amount: '0.0125', recipient })
    await expect(card(page, 'Payment')).toContainText('0.0125')
    await press(button(page, 'Pay'))
    await approve(page, 'Devnet Sol Wallet')
    expect(await paid).toMatchObject({ receipt: { networkId: solanaNetwork, hash: expect.any(String) } })
    await expect.poll(() => lamports(recipient)).toBe(12_500_000)
  })

  await test.step('bitcoin', async () => {
    await connectIn(page, 'bip122', 'Devnet Bitcoin Wallet')
    await fund(bitcoinAddress(lane.account), 100_000)
    await mine()
    const recipient = bitcoinAddress(9)
    const paid = pay(page, { networkId: bitcoinNetwork, amount: '0.0002', recipient })
    await expect(card(page, 'Payment')).toContainText('0.0002')
    await press(button(page, 'Pay'))
    await approve(page, 'Devnet Bitcoin Wallet')
    const ended = await paid
    if (!('receipt' in ended)) throw new Error(JSON.stringify(ended))
    await mine()
    expect(await paidTo(ended.receipt.hash, recipient)).toBe(20_000)
  })
})

test('@main @money @smoke declining the embedded wallet’s approval pays nothing', async ({ page, visit }) => {
  await visit({ projectId: 'pay', networks: allChains })
  const { eip155 } = await signedIn(page)
  await mintDollars(eip155, parseUnits('5', 6))
  const paid = pay(page, {
    networkId: 'eip155:31337',
    token: devnetContracts.dollar,
    amount: '5',
    recipient: newEvmAddress(),
  })
  await press(button(page, 'Pay'))
  await shown(page, new Promise(() => undefined))
  await declineRequest(page)
  await expect(card(page)).toContainText('Try again')
  await inDapp(page, (postern) => postern.close())
  expect(await paid).toEqual({ code: 'USER_REJECTED' })
  expect(await dollars(eip155)).toBe(parseUnits('5', 6))
})

test('@main @money hostile requests are rejected without a prompt (spec §8)', async ({ page, visit }) => {
  await visit({ projectId: 'pay' })
  await connect(page)
  const recipient: Address = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
  const fine: Request = { networkId: 'eip155:31337', amount: '1', recipient }
  const refused: readonly (readonly [object, string])[] = [
    [{ recipient: 'vitalik.eth' }, 'INVALID_ADDRESS'],
    [{ recipient: '0x70997970c51812dc3A010C7d01b50e0d17dc79C8' }, 'INVALID_ADDRESS'],
    [{ recipient: `0x${'0'.repeat(40)}` }, 'INVALID_ADDRESS'],
    [{ recipient: '<img src=x onerror=alert(1)>' }, 'INVALID_ADDRESS'],
    [{ amount: '0.00' }, 'INVALID_PARAMS'],
    [{ amount: '-1' }, 'INVALID_PARAMS'],
    [{ amount: '1e18' }, 'INVALID_PARAMS'],
    [{ amount: 1 }, 'INVALID_PARAMS'],
    [{ token: 'DUSD' }, 'INVALID_PARAMS'],
    [{ data: '0xdeadbeef' }, 'INVALID_PARAMS'],
    [{ reference: 'x'.repeat(65) }, 'INVALID_PARAMS'],
    [{ networkId: 'eip155:1' }, 'UNSUPPORTED_CHAIN'],
  ]
  for (const [change, code] of refused)
    expect(await pay(page, { ...fine, ...change }), JSON.stringify(change)).toEqual({ code })
  await expect(card(page)).toBeHidden()
})

test('@money @embedded @weather the modal or the wallet’s frame reloads before a payment is approved: it ends, and is made once', async ({
  page,
  visit,
}) => {
  const recipient = newEvmAddress()
  await visit({ projectId: 'pay', networks: allChains })
  const { eip155 } = await signedIn(page)
  await mintDollars(eip155, parseUnits('40', 6))
  const request = { networkId: 'eip155:31337', token: devnetContracts.dollar, amount: '12.5', recipient } as const
  const none = new Promise<never>(() => undefined)

  await test.step('the modal, before Pay', async () => {
    const paid = pay(page, request)
    await expect(card(page, 'Payment')).toContainText('12.5')
    await reloadFrame(page.frames().find((frame) => frame.url().includes('//modal.postern.')))
    // The page cannot know whether Pay was pressed.
    expect(await paid).toEqual({ code: 'OUTCOME_UNKNOWN' })
  })
  await test.step('the wallet’s frame, before Approve', async () => {
    const paid = pay(page, request)
    await press(button(page, 'Pay'))
    await shown(page, none)
    await reloadFrame(walletFrame(page))
    await expect(card(page)).toContainText('Request failed')
    await inDapp(page, (postern) => postern.close())
    expect(await paid).toEqual({ code: 'USER_REJECTED' })
    expect(await dollars(recipient)).toBe(0n)
  })
  await test.step('and then to its end', async () => {
    const paid = pay(page, request)
    await press(button(page, 'Pay'))
    await shown(page, none)
    await approveRequest(page)
    expect(await evm.waitForTransactionReceipt({ hash: hashOf(await paid) })).toMatchObject({ status: 'success' })
    expect(await dollars(recipient)).toBe(parseUnits('12.5', 6))
  })
})
