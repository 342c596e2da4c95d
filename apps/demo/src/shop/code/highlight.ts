export type Piece = {
  readonly kind: 'plain' | 'comment' | 'string' | 'keyword'
  readonly text: string
  readonly start: number
}

const parts =
  /(?<comment>\/\*[\s\S]*?\*\/|\/\/[^\n]*)|(?<string>'[^'\n]*'|"[^"\n]*"|`[^`]*`)|(?<keyword>\b(?:import|export|from|type|function|async|await|const|return|if|new|throw|readonly|default)\b)/g

/** Splits TypeScript for display. The pieces together are the source. */
export function highlight(source: string): readonly Piece[] {
  const pieces: Piece[] = []
  let end = 0
  for (const match of source.matchAll(parts)) {
    if (match.index > end) pieces.push({ kind: 'plain', text: source.slice(end, match.index), start: end })
    const { comment, string } = match.groups ?? {}
    const kind = comment !== undefined ? 'comment' : string !== undefined ? 'string' : 'keyword'
    pieces.push({ kind, text: match[0], start: match.index })
    end = match.index + match[0].length
  }
  if (end < source.length) pieces.push({ kind: 'plain', text: source.slice(end), start: end })
  return pieces
}
