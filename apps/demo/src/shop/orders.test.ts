import { expect, test } from 'vitest'
import { products } from './products'

test('every product has a price of its own, because a payment names its product by its amount', () => {
  expect(new Set(products.map(({ price }) => price)).size).toBe(products.length)
})
