import { devnetContracts } from '@postern/devnet'
import { expect, test } from 'vitest'
import { playDollar } from './config'

test('the play dollar is the devnet’s', () => {
  expect(playDollar).toBe(devnetContracts.dollar)
})
