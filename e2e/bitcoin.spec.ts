/** Injected Bitcoin wallets in every supported form. */

import {
  bitcoinAddress,
  broadcast,
  fund,
  isMessageSignedBy,
  mine,
  paidTo,
  spendingPsbt,
  transactionOf,
} from './support/bitcoin'
import { bitcoinNetwork, bitcoinWallet, type OtherWallet } from './support/dapp'
import {
  addressesIn,
  approve,
  card,
  chooseWallet,
  connectIn,
  inDapp,
  modal,
  openConnect,
  press,
  reject,
  requestIn,
  statusIn,
  textOf,
  walletPrompt,
} from './support/postern'
import { expect, test } from './support/test'

/**
 * Whether they return both kinds of address: UniSat and OKX return the selected one. `forgets`: Leather and Phantom
 * always prompt, so a reload disconnects.
 */
const shapes: readonly {
  readonly as: NonNullable<OtherWallet['as']>
  readonly name: string
  readonly ordinals: boolean
  readonly forgets?: true
}[] = [
  { as: 'standard', name: 'Devnet Bitcoin Wallet', ordinals: true },
  { as: 'unisat', name: 'UniSat', ordinals: false },
  { as: 'xverse', name: 'Xverse Wallet', ordinals: true },
  { as: 'leather', name: 'Leather', ordinals: true, forgets: true },
  { as: 'okx', name: 'OKX Wallet', ordinals: false },
  { as: 'phantom', name: 'Phantom', ordinals: true, forgets: true },
]

const recipientAddress = bitcoinAddress(9)

for (const { as, name, ordinals, forgets } of shapes) {
  test(`@bitcoin ${as === 'standard' ? '@main @engines @storage ' : ''}${name}: connects, signs a message and a PSBT, pays`, async ({
    page,
    visit,
    lane,
  }) => {
    const payment = bitcoinAddress(lane.account)
    await visit({ networks: bitcoinNetwork, wallets: [bitcoinWallet(lane.account, as)] })
    await openConnect(page)
    await chooseWallet(page, name)
    await approve(page, name)
    await expect(card(page)).toBeHidden()
    const own = ordinals ? [payment, bitcoinAddress(lane.account, 'ordinals')] : [payment]
    await expect.poll(() => addressesIn(page, 'bip122')).toEqual(own)

    await test.step('signs a message', async () => {
      const signed = requestIn(page, 'bip122', 'bip122_signMessage', { address: payment, message: 'Let me in.' })
      await expect(walletPrompt(page, name)).toContainText('Let me in.')
      await approve(page, name)
      expect(isMessageSignedBy(lane.account, 'payment', 'Let me in.', textOf(await signed, 'signature'))).toBe(true)
    })

    const purpose = ordinals ? 'ordinals' : 'payment'
    await test.step(`signs a PSBT that spends from the ${purpose} address; the dapp broadcasts it`, async () => {
      const psbt = await spendingPsbt(lane.account, purpose, recipientAddress)
      const signInputs = [{ index: 0, address: bitcoinAddress(lane.account, purpose) }]
      const signed = requestIn(page, 'bip122', 'bip122_signPsbt', { psbt, signInputs })
      await expect(walletPrompt(page, name)).toContainText(recipientAddress)
      await approve(page, name)
      const txid = String(await broadcast(transactionOf(textOf(await signed, 'psbt'))))
      await mine()
      expect(await paidTo(txid, recipientAddress)).toBe(49_000)
    })

    await test.step('pays', async () => {
      await fund(payment, 100_000)
      const sent = requestIn(page, 'bip122', 'bip122_sendTransfer', { recipientAddress, amount: '20000' })
      await expect(walletPrompt(page, name)).toContainText(recipientAddress)
      await approve(page, name)
      const txid = textOf(await sent, 'txid')
      await mine()
      expect(await paidTo(txid, recipientAddress)).toBe(20_000)
    })

    await test.step('a reload prompts nothing', async () => {
      await page.reload()
      await expect.poll(() => addressesIn(page, 'bip122')).toEqual(forgets ? [] : own)
      await expect(walletPrompt(page, name)).toBeHidden()
      await inDapp(page, (postern) => postern.disconnect())
      await expect.poll(() => statusIn(page, 'bip122')).toBe('disconnected')
    })
  })
}

test('@bitcoin the host broadcasts a PSBT if the wallet only signs', async ({ page, visit, lane }) => {
  await visit({ networks: bitcoinNetwork, wallets: [bitcoinWallet(lane.account, 'phantom')] })
  await connectIn(page, 'bip122', 'Phantom')
  const psbt = await spendingPsbt(lane.account, 'payment', recipientAddress)
  const signInputs = [{ index: 0, address: bitcoinAddress(lane.account) }]
  const signed = requestIn(page, 'bip122', 'bip122_signPsbt', { psbt, signInputs, broadcast: true })
  await approve(page, 'Phantom')
  const txid = textOf(await signed, 'txid')
  await mine()
  expect(await paidTo(txid, recipientAddress)).toBe(49_000)
})

test('@bitcoin the account shows both addresses, and its balance', async ({ page, visit, lane }) => {
  await visit({ networks: bitcoinNetwork, wallets: [bitcoinWallet(lane.account)] })
  await connectIn(page, 'bip122', 'Devnet Bitcoin Wallet')
  await inDapp(page, (postern) => postern.open())
  for (const purpose of ['payment', 'ordinals'] as const)
    await expect(
      modal(page).getByRole('button', { name: new RegExp(bitcoinAddress(lane.account, purpose)) }),
    ).toBeVisible()
  await expect(modal(page).getByText('BTC', { exact: true })).toBeVisible()
})

test('@smoke @main @bitcoin a request that the user declines fails with 4001', async ({ page, visit, lane }) => {
  const name = 'UniSat'
  await fund(bitcoinAddress(lane.account), 100_000)
  await visit({ networks: bitcoinNetwork, wallets: [bitcoinWallet(lane.account, 'unisat')] })
  await openConnect(page)
  await chooseWallet(page, name)
  await reject(page, name)
  await expect(modal(page).getByText('Request declined')).toBeVisible()
  await press(modal(page).getByRole('button', { name: 'Try again' }))
  await approve(page, name)
  await expect(card(page)).toBeHidden()
  const sent = requestIn(page, 'bip122', 'bip122_sendTransfer', { recipientAddress, amount: '20000' })
  await reject(page, name)
  expect(await sent).toMatchObject({ code: 4001 })
})

test('@bitcoin follows the wallet: another account, locked, gone', async ({ page, visit, lane }) => {
  const rdns = 'dev.postern.devnet-bitcoin-wallet'
  const name = 'Devnet Bitcoin Wallet'
  const turn = (hand: 'lock' | 'unlock' | 'vanish' | 'switchAccount', account = 0) =>
    page.evaluate(([rdns, hand, account]) => window.devnetWallets?.[rdns]?.[hand](account), [
      rdns,
      hand,
      account,
    ] as const)
  await visit({ networks: bitcoinNetwork, wallets: [bitcoinWallet(lane.account)] })
  await connectIn(page, 'bip122', name)
  await turn('switchAccount', lane.otherAccount)
  const other = [bitcoinAddress(lane.otherAccount), bitcoinAddress(lane.otherAccount, 'ordinals')]
  await expect.poll(() => addressesIn(page, 'bip122')).toEqual(other)
  await turn('lock')
  await expect.poll(() => statusIn(page, 'bip122')).toBe('disconnected')
  await turn('unlock')
  // Allowed before: no prompt.
  await inDapp(page, (postern) => postern.open({ view: 'Connect' }))
  await chooseWallet(page, name)
  await expect(card(page)).toBeHidden()
  const signed = requestIn(page, 'bip122', 'bip122_signMessage', { address: other[0], message: 'still here?' })
  await expect(walletPrompt(page, name)).toBeVisible()
  await turn('vanish')
  expect(await signed).toMatchObject({ code: 4900 })
  await expect.poll(() => statusIn(page, 'bip122')).toBe('disconnected')
})
