import { expect, test } from 'vitest'
import { describeExports } from '../../../scripts/lib/entry-exports'

test('the entry point exports what was decided, and nothing else', async () => {
  await expect(describeExports('packages/wagmi')).toMatchFileSnapshot('exports.snap')
})
