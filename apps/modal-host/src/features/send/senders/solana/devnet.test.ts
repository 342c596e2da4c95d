/** Tests the wallet request with the real programs. */

import { systemClock } from '@postern/base/clock'
import { createChainClients } from '@postern/chains/chain-client'
import { signAndSend } from '@postern/chains/solana/send'
import { testSigner } from '@postern/chains/solana/testing/test-transaction'
import { freePorts, type SolanaChain, solanaLevyMint, solanaMint, startSolana } from '@postern/chains/testing/devnet'
import { afterAll, beforeAll, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { testMoney } from '../../../testing/test-money'
import { currencyOf, solana } from '../../../testing/test-networks'
import { sender } from './sender'

const { signal } = new AbortController()
const Params = z.object({ transaction: z.string() })
const Held = z.object({
  value: z.array(
    z.object({
      account: z.object({
        lamports: z.number(),
        data: z.object({ parsed: z.object({ info: z.object({ tokenAmount: z.object({ amount: z.string() }) }) }) }),
      }),
    }),
  ),
})

let chain: SolanaChain
beforeAll(async () => {
  chain = await startSolana(await freePorts('port'))
})
afterAll(() => chain.stop())

it.each([
  ['of the original program', solanaMint, undefined],
  ['of Token-2022, which keeps something of it', solanaLevyMint, 12_501n],
])('a token %s arrives as quoted, in an account that costs what was quoted', async (_, mint, withheld) => {
  const client = createChainClients({ networks: { endpoints: () => [chain.url] }, fetch, clock: systemClock() })(
    solana.caipNetworkId,
  )
  const [ada, bob] = [await testSigner(41), await testSigner(mint === solanaMint ? 42 : 43)]
  chain.fund(ada.address, 1_000_000_000n)
  await chain.fundToken(ada.address, 5_000_000n, mint)
  const token = { ...currencyOf(solana, 0n), key: mint, address: mint, decimals: 6, balance: 5_000_000n }
  const account = { namespace: 'solana', address: ada.address, type: 'eoa' } as const
  const draft = { network: solana, account, token, to: bob.address, amount: null }
  const opened = await sender.prepare(draft, testMoney({ client: () => client }), signal)
  const quote = opened.quote(1_250_001n, 'normal')
  expect(quote.withheld).toBe(withheld)

  const { params } = await opened.request(1_250_001n, 'normal', signal)
  const { transaction } = Params.parse(params)
  await signAndSend({ transaction, account: ada.address }, { sign: ada.sign, rpc: client.rpc }, signal)
  const requests = [bob.address, { mint }, { encoding: 'jsonParsed', commitment: 'processed' }]
  const { value } = Held.parse(
    await client.rpc.request({ method: 'getTokenAccountsByOwner', params: requests }, signal),
  )
  const arrived = 1_250_001n - (withheld ?? 0n)
  expect(value).toMatchObject([
    {
      account: {
        lamports: Number(quote.deposit),
        data: { parsed: { info: { tokenAmount: { amount: `${arrived}` } } } },
      },
    },
  ])
})
