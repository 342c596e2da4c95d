import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { trackedFiles } from './tracked-files'

/** Missing in Chrome 111, Firefox 121 or Safari 16.4, the oldest browsers of the README. */
const newer = new RegExp(
  [
    'URL\\.(?:canParse|parse)\\b',
    'AbortSignal\\.any\\b',
    'Promise\\.(?:withResolvers|try)\\b',
    'Array\\.fromAsync\\b',
    '(?:Object|Map)\\.groupBy\\b',
    'Intl\\.(?:Segmenter|DurationFormat)\\b',
    'RegExp\\.escape\\b',
    'Uint8Array\\.from(?:Base64|Hex)\\b',
    '\\.(?:isSubsetOf|isSupersetOf|isDisjointFrom|symmetricDifference|getOrInsert)\\(',
    '\\.(?:values|keys|entries)\\(\\)\\.(?:map|filter|some|every|find|reduce|toArray|forEach|take|drop|flatMap)\\(',
  ].join('|'),
)

const workspaces = ['base', 'protocol', 'link', 'chains', 'ui', 'client-sdk', 'wagmi', 'siwx'].map(
  (name) => `packages/${name}/src`,
)

test('no browser code needs a newer browser than the README names', () => {
  const files = trackedFiles([...workspaces, 'apps/modal-host/src', 'apps/wallet/src'].map((path) => `${path}/*.ts*`))
  const code = files.filter((path) => !/\.test\.|\/testing\/|^packages\/siwx\/src\/server\//.test(path))
  expect(code.length).toBeGreaterThan(1_000)
  const found = code.flatMap((path) =>
    readFileSync(path, 'utf8')
      .split('\n')
      // Comments may name what the code leaves out.
      .filter((line) => newer.test(line.replace(/\/\/.*|^\s*\/?\*.*/, '')))
      .map((line) => `${path}: ${line.trim()}`),
  )
  expect(found).toEqual([])
})
