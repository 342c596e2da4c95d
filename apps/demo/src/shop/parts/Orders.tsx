import { usePostern } from '@postern/client/react'
import { useQuery } from '@tanstack/react-query'
import { shortAddress } from '../../dapp/account'
import { chainOf, type ShopAccount } from '../account'
import { readOrders } from '../orders'
import styles from './orders.module.css'

export function Orders({ account: { address, networkId } }: { readonly account: ShopAccount }) {
  const { postern } = usePostern()
  const { data: orders = [], isError } = useQuery({
    queryKey: ['orders', address, networkId],
    queryFn: () => readOrders(chainOf(postern), address),
  })
  return (
    <section className={styles.orders} aria-labelledby="orders">
      <h3 id="orders">Your orders</h3>
      {isError && <p>Couldn’t read your orders from the chain. Reload the page to try again.</p>}
      {!isError && orders.length === 0 && <p>Nothing yet. What you buy shows here once it is confirmed.</p>}
      <ol>
        {orders.map(({ product, hash, block }) => (
          <li key={hash}>
            <b>{product.name}</b>
            <span>
              Block {`${block}`} · <span title={hash}>{shortAddress(hash)}</span>
            </span>
          </li>
        ))}
      </ol>
    </section>
  )
}
