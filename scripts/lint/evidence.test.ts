/** The tests that the pages name exist, by file and title. */
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { specTests, specTestsPage } from '../lib/spec-tests'
import { trackedFiles } from './tracked-files'

const pages = trackedFiles(['docs/security/*.md', 'docs/guides/*.md'])
const read = (file: string) => readFileSync(file, 'utf8')

/** A link to a file of tests, then the titles that follow it in quotation marks. */
const namedTests = /\]\(([^)\s]+\.(?:test|spec)\.tsx?)\)((?:,\s+"[^"]+")*)/g

describe('the pages on security and the guides', () => {
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

it('lists the tests of the specification as their titles say; npm run spec-tests writes the list', () => {
  expect(read(specTestsPage)).toBe(specTests())
})
