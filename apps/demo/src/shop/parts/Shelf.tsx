import { type Product, products } from '../products'
import { Action } from './Action'
import { Drawing } from './Drawing'
import styles from './shelf.module.css'

type ShelfProps = {
  /** Shown after a success. */
  readonly done: string | undefined
  readonly onBuy: (product: Product) => Promise<unknown>
}

export function Shelf({ done, onBuy }: ShelfProps) {
  return (
    <ul className={styles.shelf} aria-label="Goods">
      {products.map((product) => (
        <li key={product.id} className={styles.product}>
          <Drawing of={product.id} />
          <h3>{product.name}</h3>
          <p className={styles.about}>{product.about}</p>
          <p className={styles.price}>{product.price} DUSD</p>
          <Action label="Buy" of={product.name} done={done} run={() => onBuy(product)} />
        </li>
      ))}
    </ul>
  )
}
