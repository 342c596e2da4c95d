/** Found by Wallet Standard, used through `postern.solana`. */
import type { Page } from '@playwright/test'
import { base58 } from '@scure/base'
import { solanaNetwork, solanaWallet } from './support/dapp'
import {
  addressesIn,
  approve,
  card,
  chooseWallet,
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
import {
  isSignedBy,
  lamports,
  newSolanaAddress,
  outcomeOf,
  sendSigned,
  solanaAddress,
  transfer,
} from './support/solana'
import { expect, test } from './support/test'

const wallet = 'Devnet Sol Wallet'
const onSolana = (account: number) => ({ networks: solanaNetwork, wallets: [solanaWallet(account)] })

test('@main @solana @engines @storage connects, signs, sends legacy and versioned transactions, and is restored after a reload', async ({
  page,
  visit,
  lane,
}) => {
  const from = solanaAddress(lane.account)
  await visit(onSolana(lane.account))
  await openConnect(page)
  await chooseWallet(page, wallet)
  await approve(page, wallet)
  await expect(card(page)).toBeHidden()
  await expect.poll(() => addressesIn(page, 'solana')).toEqual([from])

  await test.step('signs a message', async () => {
    const message = new TextEncoder().encode('Let me in.')
    const signed = requestIn(page, 'solana', 'solana_signMessage', { message: base58.encode(message) })
    await expect(walletPrompt(page, wallet)).toContainText('Let me in.')
    await approve(page, wallet)
    expect(isSignedBy(lane.account, message, textOf(await signed, 'signature'))).toBe(true)
  })

  await test.step('signs in at the page’s own domain only', async () => {
    const { host } = new URL(page.url())
    const asked = requestIn(page, 'solana', 'solana_signIn', { nonce: 'a1b2c3d4' })
    await expect(walletPrompt(page, wallet)).toContainText(`${host} wants you to sign in`)
    await approve(page, wallet)
    const outcome = await asked
    const message = base58.decode(textOf(outcome, 'message'))
    expect(new TextDecoder().decode(message)).toBe(
      `${host} wants you to sign in with your Solana account:\n${from}\n\nNonce: a1b2c3d4`,
    )
    expect(isSignedBy(lane.account, message, textOf(outcome, 'signature'))).toBe(true)
    expect(await requestIn(page, 'solana', 'solana_signIn', { domain: 'bank.example' })).toMatchObject({ code: -32602 })
  })

  for (const kind of ['legacy', 'versioned'] as const) {
    await test.step(`sends a ${kind} transaction`, async () => {
      const to = newSolanaAddress()
      const transaction = await transfer(kind, { from, to, amount: 3_000_000 })
      const sent = requestIn(page, 'solana', 'solana_signAndSendTransaction', { transaction })
      await expect(walletPrompt(page, wallet)).toContainText(to)
      await approve(page, wallet)
      expect(await outcomeOf(textOf(await sent, 'signature'))).toBe(null)
      expect(await lamports(to)).toBe(3_000_000)
    })
  }

  await test.step('signs several transactions, which the dapp sends itself', async () => {
    const to = newSolanaAddress()
    const wires = [
      await transfer('versioned', { from, to, amount: 1_000_000 }),
      await transfer('legacy', { from, to, amount: 2_000_000 }),
    ]
    const signed = signAll(page, wires)
    await approve(page, wallet)
    for (const wire of await signed) expect(await outcomeOf(await sendSigned(wire))).toBe(null)
    expect(await lamports(to)).toBe(3_000_000)
  })

  await test.step('is restored after a reload without a prompt, and can disconnect', async () => {
    await page.reload()
    await expect.poll(() => addressesIn(page, 'solana')).toEqual([from])
    await expect(walletPrompt(page, wallet)).toBeHidden()
    await inDapp(page, (postern) => postern.disconnect())
    await page.reload()
    await openConnect(page)
    expect(await statusIn(page, 'solana')).toBe('disconnected')
  })
})

test('@smoke @solana a request that the user declines fails with 4001, and nothing is sent', async ({
  page,
  visit,
  lane,
}) => {
  await visit(onSolana(lane.account))
  await openConnect(page)
  await chooseWallet(page, wallet)
  await reject(page, wallet)
  await expect(modal(page).getByText('Request declined')).toBeVisible()
  await press(modal(page).getByRole('button', { name: 'Try again' }))
  await approve(page, wallet)
  await expect(card(page)).toBeHidden()

  const to = newSolanaAddress()
  const transaction = await transfer('versioned', { from: solanaAddress(lane.account), to, amount: 1_000_000 })
  const sent = requestIn(page, 'solana', 'solana_signAndSendTransaction', { transaction })
  await reject(page, wallet)
  expect(await sent).toMatchObject({ code: 4001 })
  expect(await lamports(to)).toBe(0)
})

/** As objects with bytes, like dapps; base64 wire format in and out. */
async function signAll(page: Page, wires: readonly string[]): Promise<string[]> {
  await page.evaluate((given) => Object.assign(window, { given }), wires)
  return inDapp(page, async (postern) => {
    const given: unknown = Reflect.get(window, 'given')
    const wires = Array.isArray(given) ? given.map(String) : []
    const bytes = wires.map((wire) => Uint8Array.from(atob(wire), (character) => character.charCodeAt(0)))
    const signed = await postern.solana.signAllTransactions(bytes)
    return signed.map((transaction) => btoa(String.fromCharCode(...transaction)))
  })
}
