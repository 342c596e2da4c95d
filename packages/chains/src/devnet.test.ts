/** On real chains: Bitcoin regtest and Solana's virtual machine, behind real interfaces. */

import { systemClock } from '@postern/base/clock'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { adapter as bip122 } from './bip122/adapter'
import type { SpendableKind } from './bip122/coins'
import { regtest, testKey } from './bip122/testing/test-chain'
import { sendTransfer } from './bip122/transfer'
import { createChainClients } from './chain-client'
import { adapter as solana } from './solana/adapter'
import { signAndSend } from './solana/send'
import { testSigner, testTransaction } from './solana/testing/test-transaction'
import { type BitcoinChain, freePorts, type SolanaChain, startBitcoin, startSolana } from './testing/devnet'

const ports = await freePorts('bitcoin', 'solana')
const signal = new AbortController().signal
const localnet = 'solana:PosternDevnet1111111111111111111'

function clientOf(id: typeof regtest | typeof localnet, url: string) {
  return createChainClients({ networks: { endpoints: () => [url] }, fetch, clock: systemClock() })(id)
}

describe('Bitcoin', () => {
  let chain: BitcoinChain
  beforeAll(async () => {
    chain = await startBitcoin({ port: ports.bitcoin })
  })
  afterAll(() => chain.stop())

  it.each<SpendableKind>(['p2pkh', 'p2sh-p2wpkh', 'p2wpkh', 'p2tr'])(
    'a node takes a transfer from %s',
    async (kind) => {
      const [sender, recipient] = [testKey(kind, 21), testKey(kind, 22)]
      await chain.fund(sender.address, 40_000n)
      await chain.fund(sender.address, 30_000n)
      await chain.mine(1)
      const client = clientOf(regtest, chain.url)
      const transfer = {
        networkId: regtest,
        sender: sender.account,
        recipientAddress: recipient.address,
        feeRate: 1.5,
      } as const
      const deps = {
        esplora: client.esplora,
        signPsbt: async ({ psbt }: { psbt: string }) => ({ psbt: sender.sign(psbt) }),
      }

      const first = await sendTransfer({ ...transfer, amount: 50_000n }, deps, signal)
      expect(await bip122.nativeBalance(client, recipient.address)).toBe(50_000n)
      // Only the first transfer's change, unconfirmed, is left.
      const second = await sendTransfer({ ...transfer, amount: 5_000n }, deps, signal)
      expect(await bip122.read(client, 'bip122_getTransaction', { txid: second.txid })).toMatchObject({
        confirmed: false,
        inputs: [{ txid: first.txid, address: sender.address }],
        outputs: [{ value: '5000', address: recipient.address }, {}],
      })
      await chain.mine(1)
      const balance = { confirmed: '55000', unconfirmed: '0', total: '55000' }
      expect(await bip122.read(client, 'bip122_getBalance', { address: recipient.address })).toEqual(balance)
      expect(await bip122.read(client, 'bip122_getUtxos', { address: recipient.address })).toMatchObject([
        { confirmed: true },
        { confirmed: true },
      ])
    },
  )

  it('rejects a transaction that the node refuses', async () => {
    const client = clientOf(regtest, chain.url)
    await expect(bip122.read(client, 'bip122_sendRawTransaction', { transaction: '0200' })).rejects.toMatchObject({
      code: 'INTERNAL',
    })
    expect(await bip122.read(client, 'bip122_getFeeEstimates', {})).toEqual(expect.any(Object))
  })
})

describe('Solana', () => {
  let chain: SolanaChain
  beforeAll(async () => {
    chain = await startSolana({ port: ports.solana })
  })
  afterAll(() => chain.stop())

  it('sends a transaction that the wallet only signed', async () => {
    const client = clientOf(localnet, chain.url)
    const ada = await testSigner(31)
    chain.fund(ada.address, 2_000_000_000n)
    expect(await solana.nativeBalance(client, ada.address)).toBe(2_000_000_000n)

    const Latest = z.object({ value: z.object({ blockhash: z.string() }) })
    const { blockhash } = Latest.parse(await solana.read(client, 'getLatestBlockhash', [])).value
    const transaction = testTransaction([ada.address], { blockhash })
    const sent = await signAndSend({ transaction, account: ada.address }, { sign: ada.sign, rpc: client.rpc }, signal)
    const statuses = await solana.read(client, 'getSignatureStatuses', [[sent.signature]])
    expect(statuses).toMatchObject({ value: [{ err: null }] })
    expect(await solana.nativeBalance(client, ada.address)).toBeLessThan(2_000_000_000n)
  })
})
