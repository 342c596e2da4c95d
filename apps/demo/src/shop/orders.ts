import { type Address, type Hex, type PublicClient, parseAbiItem, parseUnits } from 'viem'
import { playDollar } from '../dapp/config'
import { type Product, products, till } from './products'

export type Order = { readonly product: Product; readonly hash: Hex; readonly block: bigint }

const transfer = parseAbiItem('event Transfer(address indexed from, address indexed to, uint256 value)')

/** The shop keeps no books: an order is a confirmed payment to its till. Newest first. */
export async function readOrders(chain: Pick<PublicClient, 'getLogs'>, buyer: Address): Promise<readonly Order[]> {
  const payments = await chain.getLogs({
    address: playDollar,
    event: transfer,
    args: { from: buyer, to: till },
    fromBlock: 'earliest',
    strict: true,
  })
  return payments
    .flatMap(({ args, transactionHash: hash, blockNumber: block }) => {
      const product = products.find(({ price }) => parseUnits(price, 6) === args.value)
      return product === undefined ? [] : [{ product, hash, block }]
    })
    .toReversed()
}
