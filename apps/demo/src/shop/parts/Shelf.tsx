import { type Product, products } from '../products'
import { Action } from './Action'
import { Drawing } from './Drawing'
import styles from './shelf.module.css'

export function Shelf({ onBuy }: { readonly onBuy: (product: Product) => Promise<unknown> }) {
  return (
    <ul className={styles.shelf} aria-label="Goods">
      {products.map((product) => (
        <li key={product.id} className={styles.product}>
          <Drawing of={product.id} />
          <h3>{product.name}</h3>
          <p className={styles.about}>{product.about}</p>
          <p className={styles.price}>{product.price} DUSD</p>
          <Action label="Buy" of={product.name} done="Paid. Thank you." run={() => onBuy(product)} />
        </li>
      ))}
    </ul>
  )
}
