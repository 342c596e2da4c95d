/** The words that this repository does not use, each with what to write in its place. CONTRIBUTING.md says why. */
import { readFileSync } from 'node:fs'
import { command } from '../lib/step'
import { trackedFiles } from './tracked-files'

type Rule = { readonly word: RegExp; readonly write: string; readonly except?: RegExp }

/** `except` matches `path: line` of the places where the word is right. */
const rules: readonly Rule[] = [
  { word: /\bwhoever\b/i, write: 'the user, the dapp, the caller' },
  {
    word: /\b(?:some|no)body\b/i,
    write: 'the user, another account, no one that the reader can name',
    // A label that no one may register, and the body of an HTTP message in a variable's name.
    except: /^apps\/gateway\/src\/blockchain\/names\/label\.ts/,
  },
  { word: /\banew\b/i, write: 'again' },
  { word: /\btelephones?\b/i, write: 'phone' },
  { word: /\b(?:is|are|was|were) none\b/i, write: 'there is no …, ignored' },
  { word: /\bby (?:itself|themselves)\b/i, write: 'default, alone' },
  { word: /\bways? out\b/i, write: 'fix, solution' },
  { word: /\bmend(?:s|ed|ing)?\b/i, write: 'fix' },
  { word: /\bbec[ao]mes? of\b/i, write: 'outcome' },
  { word: /\bin vain\b/i, write: 'without success' },
  { word: /\bwherein|whereof|whereupon\b/i, write: 'a sentence of its own' },
]

/** Every use of a forbidden word, as `path:line: word (write: …)`. */
export function findForbiddenWords(files: readonly { readonly path: string; readonly text: string }[]): string[] {
  return files.flatMap(({ path, text }) =>
    text.split('\n').flatMap((line, index) =>
      rules.flatMap(({ word, write, except }) => {
        const found = word.exec(line)
        if (found === null || except?.test(`${path}: ${line}`)) return []
        return [`${path}:${index + 1}: "${found[0]}" (write: ${write})`]
      }),
    ),
  )
}

const patterns = ['*.ts', '*.tsx', '*.mjs', '*.cjs', '*.css', '*.md', '*.html', 'packages/ui/src/locales/en*.json']
const left = /(?:^|\/)CHANGELOG\.md$|\.gen\.ts$|^apps\/gateway\/data\/|^scripts\/lint\/words/

if (process.argv[1] === import.meta.filename) {
  await command(async () => {
    const files = trackedFiles(patterns).filter((path) => !left.test(path))
    const found = findForbiddenWords(files.map((path) => ({ path, text: readFileSync(path, 'utf8') })))
    if (found.length > 0) throw new Error(`${found.join('\n')}\n${found.length} words to replace`)
  })
}
