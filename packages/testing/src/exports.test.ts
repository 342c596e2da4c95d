import { expect, test } from 'vitest'
import { describeExports } from '../../../scripts/lib/entry-exports'

test('the entry points export what was decided, and nothing else', async () => {
  await expect(describeExports('packages/testing')).toMatchFileSnapshot('exports.snap')
})
