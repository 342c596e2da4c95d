import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { trackedFiles } from './tracked-files'

const read = (file: string) => readFileSync(file, 'utf8')
const pages = trackedFiles(['*.md'])
const sources = trackedFiles(['*.ts', '*.tsx', '*.mjs', '*.cjs', '*.css', '*.md'])

/** The documents that `spec §N` and `interop §N` point into. */
const documents: Readonly<Record<string, string>> = {
  spec: 'docs/reference/spec.md',
  interop: 'docs/reference/interop.md',
}

/** The anchors of a page, as GitHub makes them from its headings; `<a id>` counts too. */
function anchorsOf(file: string): ReadonlySet<string> {
  const counts = new Map<string, number>()
  const anchors = new Set<string>()
  const prose = read(file).replace(/^```[\s\S]*?^```/gm, '')
  for (const [, heading = ''] of prose.matchAll(/^#{1,6} (.+)$/gm)) {
    const text = heading.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    const slug = text
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .trim()
      .replace(/\s/g, '-')
    const count = counts.get(slug) ?? 0
    counts.set(slug, count + 1)
    anchors.add(count === 0 ? slug : `${slug}-${count}`)
  }
  for (const [, id = ''] of prose.matchAll(/<a id="([^"]+)"/g)) anchors.add(id)
  return anchors
}

function sectionsOf(document: string): ReadonlySet<string> {
  return new Set([...read(document).matchAll(/^## (\d+)\. /gm)].map(([, number = '']) => number))
}

describe('the documentation', () => {
  it('has a target for every relative link and anchor', () => {
    const broken = pages.flatMap((page) =>
      [...read(page).matchAll(/\]\(([^)\s]+)\)/g)].flatMap(([, link = '']) => {
        if (/^[a-z]+:/.test(link)) return []
        const [file = '', anchor] = link.split('#')
        const target = file === '' ? page : path.join(path.dirname(page), file)
        if (!existsSync(target)) return [`${page}: ${link}`]
        if (anchor === undefined || !target.endsWith('.md')) return []
        return anchorsOf(target).has(anchor) ? [] : [`${page}: ${link}`]
      }),
    )
    expect(broken).toEqual([])
  })

  it('has the section of every `spec §N` and `interop §N` in code and pages', () => {
    const broken = sources.flatMap((file) =>
      [...read(file).matchAll(/\b(spec|interop)(?:\.md)? §(\d+)/gi)].flatMap(([whole, name = '', section = '']) => {
        const document = documents[name.toLowerCase()]
        return document !== undefined && sectionsOf(document).has(section) ? [] : [`${file}: ${whole}`]
      }),
    )
    expect(broken).toEqual([])
  })

  it('names the document of every § that is not of a published standard', () => {
    const standards = 'RFC \\d+|BIP ?\\d+|EIP-?\\d+|PNG|GIF89a|HTML|CSP 3|WCAG 2\\.2|JSON-RPC 2\\.0|ECMA-\\d+'
    const known = new RegExp(`(?:\\b(?:spec|interop|${standards}),? |\\b${standards} )\\(?$`, 'i')
    const nameless = sources.flatMap((file) => {
      if (Object.values(documents).includes(file) || file === 'scripts/lint/docs.test.ts') return []
      const text = read(file)
      return [...text.matchAll(/§ ?\d/g)].flatMap(({ index }) => {
        const before = text.slice(Math.max(0, index - 40), index).replace(/\s+(?:\/\/|\*)?\s*/g, ' ')
        const isList = /§[\d.]+(?:, | and | \(and )$/.test(before)
        return known.test(before) || isList ? [] : [`${file}: ${before}${text.slice(index, index + 6)}`]
      })
    })
    expect(nameless).toEqual([])
  })

  it('has a file at every path of the repository that a comment or a page names', () => {
    // Written by a command, not committed.
    const outputs = ['bench/results.json']
    const workspaceOf = (file: string) => /^(?:packages|apps)\/[^/]+\//.exec(file)?.[0] ?? ''
    const roots = 'apps|packages|docs|scripts|e2e|bench'
    const pattern = new RegExp(`(?<![\\w@/.-])(?:${roots})/[\\w./-]*\\w\\.(?:md|ts|tsx|mjs|json|html|css)\\b`, 'g')
    const broken = sources.flatMap((file) =>
      [...read(file).matchAll(pattern)].flatMap(([name]) =>
        [name, workspaceOf(file) + name].some(existsSync) || outputs.includes(name) || /\bdist\//.test(name)
          ? []
          : [`${file}: ${name}`],
      ),
    )
    expect(broken).toEqual([])
  })

  it('has a file at every shorter path of TypeScript, such as `views/registry.ts`, that a comment or a page names', () => {
    const endings = new Set(trackedFiles(['*.ts', '*.tsx']).flatMap(endingsOf))
    const broken = sources.flatMap((file) =>
      [...read(file).matchAll(/`(\w[\w.-]*\/[\w./-]*\.tsx?)`/g)].flatMap(([, name = '']) =>
        endings.has(name) ? [] : [`${file}: ${name}`],
      ),
    )
    expect(broken).toEqual([])
  })
})

/** The path, then the path without its first folder, and so on down to the name. */
function endingsOf(file: string): readonly string[] {
  const names = file.split('/')
  return names.map((_, index) => names.slice(index).join('/'))
}
