/** A visitor without a wallet: an address, a code, and a minute later they sign and send on three chains. */
import { createTestClient, http, parseEther, publicActions, toHex } from 'viem'
import { bitcoinAddress, fund, mine, paidTo } from './support/bitcoin'
import { allChains, solanaNetwork } from './support/dapp'
import { askAndApprove, bytesOf, newEvmAddress, signedIn } from './support/embedded'
import { addressesIn, modal, openConnect, openModal, requestIn, statusIn, textOf } from './support/postern'
import { lamports, newSolanaAddress, transfer } from './support/solana'
import { expect, test } from './support/test'

const chain = createTestClient({ mode: 'anvil', transport: http('http://127.0.0.1:8545') }).extend(publicActions)
const recipient = newEvmAddress()
const bitcoinRecipient = bitcoinAddress(9)

test('@embedded @storage from an empty browser to transactions on three chains', async ({
  page,
  visit,
  storageMode,
}) => {
  test.setTimeout(90_000)
  await visit({ wallets: [], networks: allChains })
  const { eip155: account, solana, bip122: bitcoin } = await signedIn(page)

  await test.step('a message, by an account that is not deployed yet', async () => {
    const signed = requestIn(page, 'eip155', 'personal_sign', [toHex('Hello'), account])
    const signature = bytesOf(await askAndApprove(page, signed, (shown) => expect(shown).toContainText('Hello')))
    expect(await chain.verifyMessage({ address: account, message: 'Hello', signature })).toBe(true)
    expect(await chain.getCode({ address: account })).toBeUndefined()
  })

  await test.step('ether, by the operation that deploys the account', async () => {
    await chain.setBalance({ address: account, value: parseEther('1') })
    const before = await chain.getBalance({ address: recipient })
    const value = toHex(parseEther('0.25'))
    const sent = requestIn(page, 'eip155', 'eth_sendTransaction', [{ from: account, to: recipient, value }])
    const outcome = await askAndApprove(page, sent, async (shown) => {
      await expect(shown).toContainText('0.25')
      await expect(shown).toContainText(recipient)
    })
    expect(await chain.waitForTransactionReceipt({ hash: bytesOf(outcome) })).toMatchObject({ status: 'success' })
    expect((await chain.getBalance({ address: recipient })) - before).toBe(parseEther('0.25'))
    expect(await chain.getCode({ address: account })).toBeDefined()
  })

  await test.step('SOL', async () => {
    const to = newSolanaAddress()
    await fetch('http://127.0.0.1:8547', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'requestAirdrop', params: [solana, 1_000_000_000] }),
    })
    const transaction = await transfer('versioned', { from: solana, to, amount: 10_000_000 })
    const sent = requestIn(page, 'solana', 'solana_signAndSendTransaction', { transaction, network: solanaNetwork })
    const outcome = await askAndApprove(page, sent, async (shown) => {
      await expect(shown).toContainText('0.01')
      await expect(shown).toContainText(to)
    })
    textOf(outcome, 'signature')
    expect(await lamports(to)).toBe(10_000_000)
  })

  await test.step('bitcoin', async () => {
    await fund(bitcoin, 100_000)
    await mine()
    const params = { recipientAddress: bitcoinRecipient, amount: '20000' }
    const sent = requestIn(page, 'bip122', 'bip122_sendTransfer', params)
    const outcome = await askAndApprove(page, sent, async (shown) => {
      await expect(shown).toContainText('0.0002')
      await expect(shown).toContainText(bitcoinRecipient)
    })
    const txid = textOf(outcome, 'txid')
    await mine()
    expect(await paidTo(txid, bitcoinRecipient)).toBe(20_000)
  })

  await test.step('a reload', async () => {
    await page.reload()
    await page.waitForFunction(() => 'Postern' in window)
    const expected = storageMode === 'allowed' ? 'connected' : 'disconnected'
    for (const namespace of ['eip155', 'solana', 'bip122'] as const)
      await expect.poll(() => statusIn(page, namespace), { timeout: 20_000 }).toBe(expected)
    if (storageMode === 'allowed') expect(await addressesIn(page, 'eip155')).toContain(account)
  })

  if (storageMode === 'denied') return
  await test.step('the way out', async () => {
    await openModal(page)
    const out = modal(page).getByRole('button', { name: 'Sign out' })
    await out.click()
    await out.last().click()
    for (const namespace of ['eip155', 'solana', 'bip122'] as const)
      await expect.poll(() => statusIn(page, namespace)).toBe('disconnected')
    const kept = await page.evaluate(() => Object.entries(localStorage).filter(([key]) => key.startsWith('@postern/')))
    expect(JSON.stringify(kept)).not.toContain(account)
    await page.reload()
    await page.waitForFunction(() => 'Postern' in window)
    await openConnect(page)
    expect(await statusIn(page, 'eip155')).toBe('disconnected')
  })
})
