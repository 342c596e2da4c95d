/** Prints the repository's lines of code. It never fails. */
import { readFileSync } from 'node:fs'
import { command } from '../lib/step'
import { trackedFiles } from './tracked-files'

const code = ['ts', 'tsx', 'mjs', 'js', 'css', 'sol', 'html', 'sh'].map((extension) => `*.${extension}`)
/** `packages/testing` is a product. */
const test = /\.(?:test|spec)\.[^/]*$|\/testing\/(?!src\/)|^e2e\//

await command(async () => {
  const lines = { product: 0, test: 0 }
  const files = trackedFiles(code)
  for (const path of files)
    lines[test.test(path) ? 'test' : 'product'] += readFileSync(path, 'utf8').split('\n').length - 1
  const say = (count: number) => count.toLocaleString('en')
  process.stdout.write(
    `${say(lines.product)} product lines, ${say(lines.test)} test lines, ${say(files.length)} files of code\n`,
  )
})
