/** Sends from a new user's accounts, and checks screen and received amount. */
import type { Page } from '@playwright/test'
import { type Address, createTestClient, http, parseEther, publicActions, toHex } from 'viem'
import { bitcoinAddress, fund, mine, paidTo } from './bitcoin'
import { solanaNetwork } from './dapp'
import { askAndApprove, bytesOf, newEvmAddress } from './embedded'
import { expect } from './expect'
import { requestIn, textOf } from './postern'
import { lamports, newSolanaAddress, transfer } from './solana'

const chain = createTestClient({ mode: 'anvil', transport: http('http://127.0.0.1:8545') }).extend(publicActions)

/** 0.25 of a funded 1 ether. */
export async function sendsEther(page: Page, account: Address): Promise<void> {
  const to = newEvmAddress()
  await chain.setBalance({ address: account, value: parseEther('1') })
  const value = toHex(parseEther('0.25'))
  const sent = requestIn(page, 'eip155', 'eth_sendTransaction', [{ from: account, to, value }])
  const outcome = await askAndApprove(page, sent, async (shown) => {
    await expect(shown).toContainText('0.25')
    await expect(shown).toContainText(to)
  })
  expect(await chain.waitForTransactionReceipt({ hash: bytesOf(outcome) })).toMatchObject({ status: 'success' })
  expect(await chain.getBalance({ address: to })).toBe(parseEther('0.25'))
}

/** 0.01 of a funded 1 SOL. */
export async function sendsSol(page: Page, account: string): Promise<void> {
  const to = newSolanaAddress()
  await fetch('http://127.0.0.1:8547', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'requestAirdrop', params: [account, 1_000_000_000] }),
  })
  const transaction = await transfer('versioned', { from: account, to, amount: 10_000_000 })
  const sent = requestIn(page, 'solana', 'solana_signAndSendTransaction', { transaction, network: solanaNetwork })
  const outcome = await askAndApprove(page, sent, async (shown) => {
    await expect(shown).toContainText('0.01')
    await expect(shown).toContainText(to)
  })
  textOf(outcome, 'signature')
  expect(await lamports(to)).toBe(10_000_000)
}

/** 20,000 of 100,000 funded satoshis. */
export async function sendsBitcoin(page: Page, account: string): Promise<void> {
  const to = bitcoinAddress(9)
  await fund(account, 100_000)
  await mine()
  const sent = requestIn(page, 'bip122', 'bip122_sendTransfer', { recipientAddress: to, amount: '20000' })
  const outcome = await askAndApprove(page, sent, async (shown) => {
    await expect(shown).toContainText('0.0002')
    await expect(shown).toContainText(to)
  })
  const txid = textOf(outcome, 'txid')
  await mine()
  expect(await paidTo(txid, to)).toBe(20_000)
}
