import type { Namespace, Postern } from '@postern/client'
import { encodeFunctionData, parseAbi } from 'viem'
import { playDollar } from './config'
import { connectionView, mainAddress } from './connections'
import { ask, evmPorts, faucets } from './devnet'
import { namespaceParts } from './namespaces'
import type { Action } from './outcome'

/** One ether, two SOL, or 0.01 BTC. */
export const getPlayMoney =
  (postern: Postern, namespace: Namespace): Action =>
  async (report) => {
    const view = connectionView(postern.getSnapshot(), namespace)
    const address = mainAddress(view)
    if (address === null) throw new Error('Connect a wallet first.')
    const text = await namespaceParts[namespace].faucet(address, view.network?.caipNetworkId)
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
