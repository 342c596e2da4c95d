/** Exact balances as an outsider reads them, and money for new accounts. */
import { devnetAccounts, devnetContracts, devnetPorts, devnetToken, solanaMint } from '@postern/devnet'
import { type Address, createTestClient, erc20Abi, http, publicActions, walletActions } from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import * as z from 'zod/mini'

/** viem would look for a block every 4 s, and answer with the number of an older one. */
export const evmAt = (port: number) =>
  createTestClient({ mode: 'anvil', transport: http(`http://127.0.0.1:${port}`), pollingInterval: 50, cacheTime: 0 })
    .extend(publicActions)
    .extend(walletActions)

export const evm = evmAt(devnetPorts.evm)
export const secondEvm = evmAt(devnetPorts.evmTwo)

/** Of an index in the devnet's mnemonic. */
export const addressOf = (account: number): Address => {
  const owner = devnetAccounts[account]
  if (owner === undefined) throw new Error(`The devnet has no account ${account}.`)
  return owner.address
}

export const dollars = (owner: Address, chain = evm): Promise<bigint> =>
  chain.readContract({ address: devnetContracts.dollar, abi: erc20Abi, functionName: 'balanceOf', args: [owner] })

/** In millionths. */
export async function mintDollars(to: Address, amount: bigint): Promise<void> {
  // A shared sender could use a nonce twice, and one transaction would never be mined.
  const from = privateKeyToAddress(generatePrivateKey())
  await evm.impersonateAccount({ address: from })
  await evm.setBalance({ address: from, value: 10n ** 18n })
  const hash = await evm.writeContract({
    address: devnetContracts.dollar,
    abi: devnetToken.abi,
    functionName: 'mint',
    args: [to, amount],
    account: from,
    chain: null,
  })
  await evm.waitForTransactionReceipt({ hash })
}

const Held = z.object({
  result: z.object({
    value: z.array(
      z.object({
        account: z.object({
          data: z.object({ parsed: z.object({ info: z.object({ tokenAmount: z.object({ amount: z.string() }) }) }) }),
        }),
      }),
    ),
  }),
})

/** Over all accounts, in millionths; null without a token account. */
export async function solanaDollars(owner: string, mint: string = solanaMint): Promise<bigint | null> {
  const body = {
    jsonrpc: '2.0',
    id: 1,
    method: 'getTokenAccountsByOwner',
    params: [owner, { mint }, { encoding: 'jsonParsed', commitment: 'confirmed' }],
  }
  const answer = await fetch('http://127.0.0.1:8547', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const { value } = Held.parse(await answer.json()).result
  if (value.length === 0) return null
  return value.reduce((sum, { account }) => sum + BigInt(account.data.parsed.info.tokenAmount.amount), 0n)
}

export async function fundSolanaDollars(owner: string, amount: number, mint: string = solanaMint): Promise<void> {
  const query = `address=${owner}&amount=${amount}&mint=${mint}`
  const answer = await fetch(`http://127.0.0.1:8547/devnet/fund-token?${query}`, { method: 'POST' })
  if (!answer.ok) throw new Error(`The faucet refused: ${await answer.text()}`)
}

const Stats = z.object({ chain_stats: z.object({ funded_txo_sum: z.int(), spent_txo_sum: z.int() }) })

export async function satoshis(address: string): Promise<number> {
  const { chain_stats } = Stats.parse(await (await fetch(`http://127.0.0.1:8549/address/${address}`)).json())
  return chain_stats.funded_txo_sum - chain_stats.spent_txo_sum
}
