/** Faucets of the local chains; a real dapp has none. */
import type { Namespace, Postern } from '@postern/client'
import { encodeFunctionData, parseAbi } from 'viem'
import { playDollar } from './config'
import { connectionView, mainAddress } from './connections'
import type { Action } from './outcome'

const evmPorts: ReadonlyMap<string, number> = new Map([
  ['eip155:31337', 8545],
  ['eip155:31338', 8546],
])
const solanaPort = 8547
const bitcoinPort = 8549

const wei = 10n ** 18n
const lamports = 2_000_000_000
const satoshis = 1_000_000

async function ask(port: number, method: string, params: readonly unknown[]): Promise<unknown> {
  const response = await fetch(`http://127.0.0.1:${port}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
  const answer: unknown = await response.json()
  if (typeof answer !== 'object' || answer === null || !('result' in answer)) throw new Error('The faucet did not pay.')
  return answer.result
}

/** One ether, two SOL, or 0.01 BTC. */
export const getPlayMoney =
  (postern: Postern, namespace: Namespace): Action =>
  async (report) => {
    const view = connectionView(postern.getSnapshot(), namespace)
    const address = mainAddress(view)
    if (address === null) throw new Error('Connect a wallet first.')
    const text = await faucets[namespace](address, view.network?.caipNetworkId)
    report({ kind: 'done', text, lines: [{ label: 'To', value: address }] })
  }

/** The token lets any account mint. */
export const getPlayDollars =
  (postern: Postern): Action =>
  async (report) => {
    const view = connectionView(postern.getSnapshot(), 'eip155')
    const address = mainAddress(view)
    if (!isAddress(address)) throw new Error('Connect an EVM wallet first.')
    await mint(view.network?.caipNetworkId, address, 100_000_000n)
    report({ kind: 'done', text: 'Received 100 DUSD.', lines: [{ label: 'To', value: address }] })
  }

/** One ether and 50 play dollars. */
export async function givePlayMoney(network: string, address: `0x${string}`): Promise<void> {
  await faucets.eip155(address, network)
  await mint(network, address, 50_000_000n)
}

async function mint(network: string | undefined, address: `0x${string}`, value: bigint): Promise<void> {
  const port = evmPorts.get(network ?? '')
  if (port === undefined) throw new Error('Play dollars exist only on the local chains. Switch to one of them.')
  const accounts = await ask(port, 'eth_accounts', [])
  const payer: unknown = Array.isArray(accounts) ? accounts.at(-1) : undefined
  const data = encodeFunctionData({ abi: mintAbi, args: [address, value] })
  await ask(port, 'eth_sendTransaction', [{ from: payer, to: playDollar, data }])
}

const mintAbi = parseAbi(['function mint(address to, uint256 value)'])
const isAddress = (value: string | null): value is `0x${string}` => value?.startsWith('0x') ?? false

/** Resolves with what the user is told. */
const faucets: Readonly<Record<Namespace, (address: string, network: string | undefined) => Promise<string>>> = {
  async eip155(address, network) {
    const port = evmPorts.get(network ?? '')
    if (port === undefined) throw new Error('Play money exists only on the local chains. Switch to one of them.')
    const currentBalance = await ask(port, 'eth_getBalance', [address, 'latest'])
    const balance = BigInt(typeof currentBalance === 'string' ? currentBalance : '0x0') + wei
    await ask(port, 'anvil_setBalance', [address, `0x${balance.toString(16)}`])
    return 'Received 1 ETH.'
  },
  async solana(address) {
    await ask(solanaPort, 'requestAirdrop', [address, lamports])
    return 'Received 2 SOL.'
  },
  async bip122(address) {
    const query = new URLSearchParams({ address, amount: `${satoshis}` })
    const paid = await fetch(`http://127.0.0.1:${bitcoinPort}/devnet/fund?${query}`, { method: 'POST' })
    if (!paid.ok) throw new Error('The faucet did not pay.')
    return 'Received 0.01 BTC.'
  },
}
