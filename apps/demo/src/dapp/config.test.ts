import { devnetContracts, ensContracts } from '@postern/devnet'
import { expect, test } from 'vitest'
import { nameResolver, playDollar } from './config'

test('test dollar and name resolver match the devnet’s contracts', () => {
  expect(nameResolver).toBe(ensContracts.universalResolver)
  expect(playDollar).toBe(devnetContracts.dollar)
})
