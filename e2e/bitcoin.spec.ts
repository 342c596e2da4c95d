/** One injected Bitcoin wallet of each kind of API; the adapters of the others have unit tests. */

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

/** Whether they return both kinds of address: UniSat returns the selected one. */
const shapes: readonly {
  readonly as: NonNullable<OtherWallet['as']>
  readonly name: string
  readonly ordinals: boolean
}[] = [
  { as: 'standard', name: 'Devnet Bitcoin Wallet', ordinals: true },
  { as: 'unisat', name: 'UniSat', ordinals: false },
  { as: 'xverse', name: 'Xverse Wallet', ordinals: true },
]

const recipientAddress = bitcoinAddress(9)

for (const { as, name, ordinals } of shapes) {
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
      await expect.poll(() => addressesIn(page, 'bip122')).toEqual(own)
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
