/** Valid, distinct labels similar to a wished label; not all are free. */
import { createHash } from 'node:crypto'
import { readLabel } from './label'

const endings = ['wallet', 'home', 'here', 'now', 'me']
const beginnings = ['hey', 'its', 'the']
const maxLength = 63

export function suggestionsFor(wish: string): string[] {
  const stem = wish
    .toLowerCase()
    .replace(/[^a-z0-9-]+/g, '')
    .replace(/^-+|-+$/g, '')
    .slice(0, maxLength - 8)
    .replace(/-+$/, '')
  if (stem === '') return []
  const digest = createHash('sha256').update(stem).digest()
  const numbers = [digest[0] ?? 0, digest[1] ?? 0, digest.readUInt16BE(2), digest.readUInt16BE(4)]
  const candidates = [
    ...endings.map((ending) => `${stem}-${ending}`),
    ...beginnings.map((beginning) => `${beginning}-${stem}`),
    ...numbers.map((number) => `${stem}-${number + 10}`),
  ]
  return [...new Set(candidates)].filter((label) => 'label' in readLabel(label))
}
