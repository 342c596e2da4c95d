import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { compileContracts } from '../../scripts/compile-contracts'

test('the committed contracts match a fresh compilation', () => {
  expect(compileContracts()).toBe(readFileSync(new URL('contracts.gen.ts', import.meta.url), 'utf8'))
  // Slow on a busy machine.
}, 120_000)
