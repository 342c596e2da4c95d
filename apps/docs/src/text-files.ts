import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { groups } from './pages'

const titleOf = (text: string) => /^# (.+)$/m.exec(text)?.[1] ?? ''

/**
 * Writes `llms.txt` (every page with its address) and `llms-full.txt` (the pages' Markdown), for programs that read
 * documentation.
 */
export function writeTextFiles(pages: string, output: string): void {
  const sections = groups.map(({ text, items }) => ({
    text,
    pages: items.map(({ link }) => {
      const markdown = readFileSync(join(pages, `${link.slice(1)}.md`), 'utf8')
      return { link, title: titleOf(markdown), markdown }
    }),
  }))
  const list = sections.map(
    (section) =>
      `## ${section.text}\n\n${section.pages.map(({ title, link }) => `- [${title}](${link}.md)`).join('\n')}`,
  )
  writeFileSync(
    join(output, 'llms.txt'),
    `# Postern\n\n> The connect-wallet layer for web apps\n\n${list.join('\n\n')}\n`,
  )
  const all = sections.flatMap((section) => section.pages)
  writeFileSync(join(output, 'llms-full.txt'), all.map(({ markdown }) => markdown.trim()).join('\n\n---\n\n'))
  for (const { link, markdown } of all) writeFileSync(join(output, `${link.slice(1)}.md`), markdown)
}
