import { devnetContracts } from '@postern/devnet'
import { expect, test } from 'vitest'
import { playDollar } from './config'

test('the test dollar matches the devnet’s contract', () => {
  expect(playDollar).toBe(devnetContracts.dollar)
})
