import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { compileContracts } from '../../scripts/compile-contracts'

test('the committed contracts are what their sources compile to', () => {
  expect(compileContracts()).toBe(readFileSync(new URL('contracts.gen.ts', import.meta.url), 'utf8'))
  // A compiler takes its time on a busy machine.
}, 120_000)
