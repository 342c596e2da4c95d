/** The tests that the pages on security, the guides and the specification name exist, by file and title. */
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { sentencesOf } from './spec-sentences'
import { trackedFiles } from './tracked-files'

const evidence = 'docs/security/evidence.md'
const specTests = 'docs/reference/spec-tests.md'
const pages = trackedFiles(['docs/security/*.md', 'docs/guides/*.md', specTests])
const read = (file: string) => readFileSync(file, 'utf8')

/** A link to a file of tests, then the titles that follow it in quotation marks. */
const namedTests = /\]\(([^)\s]+\.(?:test|spec)\.tsx?)\)((?:,\s+"[^"]+")*)/g

describe('the pages on security, the guides and the specification', () => {
  it('name only tests that exist, by the title in the file', () => {
    const broken = pages.flatMap((page) =>
      [...read(page).matchAll(namedTests)].flatMap(([, link = '', titles = '']) => {
        const file = path.join(path.dirname(page), link)
        if (!existsSync(file)) return [`${page}: ${link}`]
        const text = read(file)
        return [...titles.matchAll(/"([^"]+)"/g)]
          .map(([, title = '']) => title.replace(/\s+/g, ' '))
          .filter((title) => !text.includes(title))
          .map((title) => `${page}: ${link}: "${title}"`)
      }),
    )
    expect(broken).toEqual([])
  })

  it('link every file of tests that they name', () => {
    const bare = pages.flatMap((page) =>
      [...read(page).matchAll(/(?<!\[)`([\w/.-]+\.(?:test|spec)\.tsx?)`/g)].flatMap(([, name = '']) =>
        existsSync(name) ? [] : [`${page}: ${name}`],
      ),
    )
    expect(bare).toEqual([])
  })
})

describe(evidence, () => {
  const rows = [...read(evidence).matchAll(/^\| (?!promise|party)(.+) \|$/gm)].map(([, row = '']) => row)

  it('has a test or an argument for every promise', () => {
    expect(rows.length).toBeGreaterThan(50)
    const empty = rows.filter((row) => !/(?:^|\| |\. )Argument: \S/.test(row) && !/\.(?:test|spec)\.tsx?\)/.test(row))
    expect(empty).toEqual([])
  })

  it('has a row for every party of the threat model, and for every defense of the security model', () => {
    const parties = [...read('docs/security/threat-model.md').matchAll(/^\| \*\*(.+?)\*\*/gm)].map(
      ([, name = '']) => name,
    )
    const [, defenses = ''] = /^## Defenses$([\s\S]*?)^## /m.exec(read('docs/security/security.md')) ?? []
    const numbers = [...defenses.matchAll(/^(\d+\.) \*\*/gm)].map(([, number = '']) => number)
    expect(Math.min(parties.length, numbers.length)).toBeGreaterThan(7)
    const isShown = (name: string) =>
      rows.some((row) => name.startsWith(row.split(' | ')[0] ?? '') || row.startsWith(name))
    expect([...parties, ...numbers].filter((name) => !isShown(name))).toEqual([])
  })
})

describe(specTests, () => {
  const page = read(specTests)
  const [shown = '', other = ''] = page.split('\n## What Postern does not meet')
  const sections = shown.split(/^## /m).slice(1)
  const sentences = sentencesOf(read('docs/reference/spec.md'))
  const rows = sections.flatMap((section) =>
    [...section.matchAll(/^\| (?!sentence \|)(.+?) \| (.+) \|$/gm)].map(([, sentence = '', tests = '']) => ({
      section: section.split('.', 1)[0] ?? '',
      sentence,
      tests,
    })),
  )
  const exceptions = [...other.matchAll(/^\| (\d) \| (.+?) \| (.+) \|$/gm)].map(
    ([, section = '', sentence = '', reason = '']) => ({ section, sentence, reason }),
  )

  it('has a row for every sentence of the specification', () => {
    expect(sentences.length).toBeGreaterThan(200)
    const missing = sentences.filter(
      ({ section, text }) =>
        !rows.some((row) => row.section === section && row.sentence === text) &&
        !exceptions.some((row) => row.section === section && row.sentence === text),
    )
    expect(missing).toEqual([])
  })

  it('quotes only what the specification says', () => {
    const of = (section: string) => sentences.filter((sentence) => sentence.section === section)
    const strange = rows.filter((row) => !of(row.section).some(({ text }) => text === row.sentence))
    const strangeExceptions = exceptions.filter(
      (row) => !of(row.section).some(({ text }) => text.includes(row.sentence)),
    )
    expect([...strange, ...strangeExceptions]).toEqual([])
  })

  it('names a test by file and title in every row, and a reason for every exception', () => {
    expect(rows.filter(({ tests }) => !/\.(?:test|spec)\.tsx?\), "[^"]+"/.test(tests))).toEqual([])
    expect(exceptions.length).toBeGreaterThan(0)
    expect(exceptions.filter(({ reason }) => reason.trim().length < 6)).toEqual([])
  })

  it('has every section of the specification, by its heading', () => {
    const headings = [...read('docs/reference/spec.md').matchAll(/^## (\d+\. .+)$/gm)].map(([, name = '']) => name)
    expect(headings.length).toBe(9)
    expect(sections.map((section) => section.split('\n')[0])).toEqual(headings)
  })
})
