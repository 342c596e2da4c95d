/** A sentence of the specification. */

export type Sentence = { readonly section: string; readonly text: string }

/**
 * The sentences, list items and table rows that need a row in spec-tests.md.
 *
 * 1. Excluded: the introduction, headings of tables, introductions of lists, and open questions.
 * 2. A table row is its cells, joined by a colon. Links are their text.
 */
export function sentencesOf(specification: string): Sentence[] {
  return specification
    .split(/^## /m)
    .slice(1)
    .flatMap((part) => {
      const [heading = '', ...lines] = part.split('\n')
      const section = heading.split('.', 1)[0] ?? ''
      return blocksOf(lines).flatMap(({ kind, text }) =>
        sentencesIn(kind, plain(text)).map((sentence) => ({ section, text: sentence })),
      )
    })
}

type Block = { readonly kind: 'row' | 'item' | 'text'; text: string }

const isRule = (line = '') => /^\|[-| ]+\|$/.test(line)

function blocksOf(lines: readonly string[]): Block[] {
  const blocks: Block[] = []
  let current: Block | null = null
  for (const [index, line] of lines.entries()) {
    const [marker] = /^(?:- |\d+\. )/.exec(line) ?? []
    if (line.startsWith('|')) {
      current = null
      if (!isRule(line) && !isRule(lines[index + 1])) blocks.push({ kind: 'row', text: line })
    } else if (marker !== undefined) {
      current = { kind: 'item', text: line.slice(marker.length) }
      blocks.push(current)
    } else if (line.trim() === '') current = null
    else if (current !== null && (line.startsWith('  ') || current.kind === 'text')) current.text += ` ${line.trim()}`
    else {
      current = { kind: 'text', text: line }
      blocks.push(current)
    }
  }
  return blocks
}

function sentencesIn(kind: Block['kind'], text: string): string[] {
  if (kind === 'row')
    return [
      text
        .split('|')
        .map((cell) => cell.trim())
        .filter((cell) => cell !== '')
        .join(': '),
    ]
  return text
    .split(/(?<=\.) (?=[A-Z*`'])/)
    .filter(
      (sentence) =>
        !(kind === 'text' && sentence.endsWith(':')) &&
        !/^\*\*[^*]+\*\*$/.test(sentence) &&
        !sentence.startsWith('**Open'),
    )
}

const plain = (text: string): string =>
  text
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/\s+/g, ' ')
    .trim()
