import { usePostern } from '@postern/client/react'
import { isHex } from 'viem'
import { playDollar } from '../../dapp/config'
import { chainOf, type ShopAccount } from '../account'
import { Orders } from '../parts/Orders'
import { Shelf } from '../parts/Shelf'
import { type Product, till } from '../products'

/** Asks for a payment, waits for its confirmation, and lists the orders that the chain knows. */
export function Buy({ account }: { readonly account: ShopAccount | null }) {
  const { postern } = usePostern()

  async function buy(product: Product) {
    if (account === null) return postern.open()
    const receipt = await postern.pay({
      networkId: account.networkId,
      token: playDollar,
      amount: product.price,
      recipient: till,
      reference: product.name,
    })
    if (!isHex(receipt.hash)) throw new Error('The wallet returned no transaction.')
    const { status } = await chainOf(postern).waitForTransactionReceipt({ hash: receipt.hash })
    if (status !== 'success') throw new Error('The payment failed. Nothing was bought.')
  }

  return (
    <>
      <Shelf key={account?.address} done={account === null ? undefined : 'Paid. Thank you.'} onBuy={buy} />
      {account !== null && <Orders account={account} />}
    </>
  )
}
