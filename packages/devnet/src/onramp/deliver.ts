import { type Address, encodeFunctionData, getAddress, isAddress } from 'viem'
import * as z from 'zod'
import { devnetChains } from '../chain-ids'
import { devnetToken } from '../evm/contracts.gen'
import { type Call, endow, sendAll } from '../evm/send-all'
import { type DevnetPorts, devnetContracts, treasury } from '../networks'
import type { Offer } from './offers'

/** Resolves with the transaction id once sent; on EVM chains once in a block. */
export type Deliver = (offer: Offer, to: string, amount: bigint) => Promise<string>

const Paid = z.union([
  z.object({ signature: z.string() }).transform(({ signature }) => signature),
  z.object({ txid: z.string() }).transform(({ txid }) => txid),
])

export function createDelivery(ports: DevnetPorts): Deliver {
  // One at a time: the treasury's nonces are sequential.
  let last: Promise<unknown> = Promise.resolve()

  async function fromFaucet(port: number | undefined, to: string, amount: bigint): Promise<string> {
    const query = new URLSearchParams({ address: to, amount: `${amount}` })
    const response = await fetch(`http://127.0.0.1:${port}/devnet/fund?${query}`, { method: 'POST' })
    if (!response.ok) throw new Error(`The faucet refused: ${await response.text()}`)
    return Paid.parse(await response.json())
  }

  async function onEvm({ chainId: text, asset }: Offer, to: Address, amount: bigint): Promise<string> {
    const chain = devnetChains.find(({ chainId }) => `${chainId}` === text)
    if (chain === undefined) throw new Error(`There is no chain ${text}.`)
    const rpcUrl = `http://127.0.0.1:${ports[chain.key]}`
    const mint = () => encodeFunctionData({ abi: devnetToken.abi, functionName: 'mint', args: [to, amount] })
    const call: Call = asset === 'DUSD' ? { to: devnetContracts.dollar, data: mint() } : { to, value: amount }
    const sent = last.then(async () => {
      await endow(rpcUrl, treasury.address, 10_000n)
      return await sendAll({ rpcUrl, chainId: chain.chainId, account: treasury, calls: [call] })
    })
    last = sent.catch(() => undefined)
    const [hash] = await sent
    if (hash === undefined) throw new Error('Nothing was sent.')
    return hash
  }

  return (offer, to, amount) => {
    if (offer.asset === 'SOL') return fromFaucet(ports.solana, to, amount)
    if (offer.asset === 'BTC') return fromFaucet(ports.bitcoin, to, amount)
    if (!isAddress(to)) throw new Error('This is not an EVM address.')
    return onEvm(offer, getAddress(to), amount)
  }
}
