import { readFileSync } from 'node:fs'
import path from 'node:path'
import ts from 'typescript'
import { trackedFiles } from '../lint/tracked-files'

export const specTestsPage = 'docs/reference/spec-tests.md'

const introduction = `# Tests of the specification

The tests whose titles name a section of the [specification](spec.md), such as \`(spec §5)\`. \`npm run spec-tests\` writes
this page. [Differences from the specification](spec-differences.md) has what Postern meets in another way.
`

/** The page: for each section, the titles of its tests by file. */
export function specTests(): string {
  const tests = trackedFiles(['*.test.ts', '*.test.tsx', '*.spec.ts']).flatMap((file) =>
    titlesOf(file).map((title) => ({ file, title, sections: sectionsOf(title) })),
  )
  const headings = [...readFileSync('docs/reference/spec.md', 'utf8').matchAll(/^## (\d+)\. .+$/gm)]
  const parts = headings.map(([heading, section = '']) => {
    const own = tests.filter(({ sections }) => sections.includes(section))
    const rows = [...new Set(own.map(({ file }) => file))].map((file) => {
      const titles = own.filter((test) => test.file === file).map(({ title }) => `"${plain(title)}"`)
      return `- [\`${file}\`](${linkTo(file)}): ${titles.join('; ')}`
    })
    return `\n${heading}\n\n${rows.join('\n')}\n`
  })
  return introduction + parts.join('')
}

/** Titles with a section, of tests and of their groups. */
function titlesOf(file: string): readonly string[] {
  const text = readFileSync(file, 'utf8')
  if (!text.includes('spec §')) return []
  const titles: string[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node)) {
      const [first] = node.arguments
      const title = first === undefined ? '' : titleOf(first)
      if (title.includes('spec §')) titles.push(title)
    }
    ts.forEachChild(node, visit)
  }
  visit(ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true))
  return titles
}

/** A template as it stands in the file, with its placeholders. */
function titleOf(node: ts.Expression): string {
  if (ts.isStringLiteral(node)) return node.text
  return ts.isTemplateLiteral(node) ? node.getText().slice(1, -1) : ''
}

function sectionsOf(title: string): readonly string[] {
  return [...title.matchAll(/spec ((?:§\d(?:, )?)+)/g)].flatMap(([, list = '']) => list.match(/\d/g) ?? [])
}

/** Without tags and the section. */
const plain = (title: string) => title.replace(/\$\{[^}]*@[^}]*\}|@\S+ /g, '').replace(/ \(spec [^)]*\)/, '')

const linkTo = (file: string) => path.posix.relative(path.posix.dirname(specTestsPage), file)
