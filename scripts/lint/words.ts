/** Words to avoid, each with a better one (docs/internals/decisions/009-plain-english-is-linted.md). */
import { readFileSync } from 'node:fs'
import { command } from '../lib/step'
import { trackedFiles } from './tracked-files'

type Rule = { readonly word: RegExp; readonly write: string; readonly except?: RegExp }

/** `except` matches `path: line` where the word is correct. */
export const rules: readonly Rule[] = [
  { word: /\bwhoever\b/i, write: 'the user, the dapp, the caller' },
  {
    word: /\b(?:some|no)body\b/i,
    write: 'no user, another account, no one',
    // A label that no one may register, and the user of the operating system.
    except:
      /^(?:apps\/gateway\/src\/chains\/blockchain\/names\/label|packages\/devnet\/src\/postgres\/start-postgres)\.ts/,
  },
  { word: /\banew\b/i, write: 'again' },
  { word: /\btelephones?\b/i, write: 'phone' },
  // "There is none" is plain English.
  { word: /(?<!\bthere )\b(?:is|are|was|were) none\b/i, write: 'there is no …, ignored' },
  { word: /\bby (?:itself|themselves)\b/i, write: 'default, alone, on its own' },
  { word: /\bways? out\b/i, write: 'fix, solution' },
  { word: /\bmend(?:s|ed|ing)?\b/i, write: 'fix' },
  { word: /\bbec[ao]mes? of\b/i, write: 'outcome' },
  { word: /\bin vain\b/i, write: 'without success' },
  { word: /\b(?:wherein|whereof|whereupon)\b/i, write: 'a sentence of its own' },
  {
    // "The user is told" is plain English: a named actor hears of it.
    word: /(?<!\b(?:user|visitor|dapp|gateway|wallet) )\bis told\b/i,
    write: 'is reported, or name who is told',
    except: /^(?:apps\/gateway\/src\/accounts\/shares\/|docs\/security\/evidence\.md).*\d\. is told to /,
  },
  {
    word: /\b(?:most|longest|maximum)[A-Z]\w*/,
    write: 'max…',
    // Options of Intl, and an option that the packages export.
    except: /\b(?:maximum(?:Fraction|Significant)Digits|longestMessage)\b/,
  },
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

const patterns = [
  '*.ts',
  '*.tsx',
  '*.mjs',
  '*.cjs',
  '*.css',
  '*.sol',
  '*.yml',
  '*.md',
  '*.html',
  'packages/ui/src/locales/en*.json',
  'apps/gateway/src/projects/mail/text/en.json',
  'apps/wallet/src/window/text/en.json',
]
const excluded = /(?:^|\/)CHANGELOG\.md$|\.gen\.ts$|^apps\/gateway\/data\/|^scripts\/lint\/words/

if (process.argv[1] === import.meta.filename) {
  await command(async () => {
    const files = trackedFiles(patterns).filter((path) => !excluded.test(path))
    const found = findForbiddenWords(files.map((path) => ({ path, text: readFileSync(path, 'utf8') })))
    if (found.length > 0) throw new Error(`${found.join('\n')}\n${found.length} words to replace`)
  })
}
