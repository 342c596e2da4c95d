/** Sends from a new user's accounts, and checks screen and received amount. */
import type { Page } from '@playwright/test'
import { type Address, parseEther, toHex } from 'viem'
import { bitcoinAddress, fund, mine, paidTo } from './bitcoin'
import { solanaNetwork } from './dapp'
import { askAndApprove, bytesOf, newEvmAddress } from './embedded'
import { expect } from './expect'
import { evm } from './money'
import { requestIn, textOf } from './postern'
import { airdrop, lamports, newSolanaAddress, transfer } from './solana'

/** 0.25 of a funded 1 ether. */
export async function sendsEther(page: Page, account: Address): Promise<void> {
  const to = newEvmAddress()
  await evm.setBalance({ address: account, value: parseEther('1') })
  const value = toHex(parseEther('0.25'))
  const sent = requestIn(page, 'eip155', 'eth_sendTransaction', [{ from: account, to, value }])
  const outcome = await askAndApprove(page, sent, async (shown) => {
    await expect(shown).toContainText('0.25')
    await expect(shown).toContainText(to)
  })
  expect(await evm.waitForTransactionReceipt({ hash: bytesOf(outcome) })).toMatchObject({ status: 'success' })
  expect(await evm.getBalance({ address: to })).toBe(parseEther('0.25'))
}

/** 0.01 of a funded 1 SOL. */
export async function sendsSol(page: Page, account: string): Promise<void> {
  const to = newSolanaAddress()
  await airdrop(account, 1_000_000_000)
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
