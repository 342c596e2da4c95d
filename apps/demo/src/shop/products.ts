/** The shop's goods. Prices differ, so that a payment on the chain names its product. */
import type { Address } from 'viem'

/** The till: an account of the devnet's seed phrase. */
export const till: Address = '0xa0Ee7A142d267C1f36714E4a8F75612F20a79720'

export type Product = {
  readonly id: 'key' | 'knocker' | 'lantern'
  readonly name: string
  readonly about: string
  /** In play dollars. */
  readonly price: string
}

export const products: readonly Product[] = [
  { id: 'key', name: 'Brass key', about: 'Opens one door. No one remembers which.', price: '4' },
  { id: 'knocker', name: 'Lion knocker', about: 'Cast iron. For guests who call ahead.', price: '12.5' },
  { id: 'lantern', name: 'Porch lantern', about: 'Leaves a light on for you.', price: '28' },
]
