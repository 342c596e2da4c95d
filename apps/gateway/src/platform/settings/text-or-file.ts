import { readFileSync } from 'node:fs'

/** A setting's text, or that of the file whose path it is (starts with `/`). */
export function textOrFile(name: string, source: string | undefined, problems: string[]): string | undefined {
  if (source?.startsWith('/') !== true) return source
  try {
    return readFileSync(source, 'utf8').trim()
  } catch {
    problems.push(`${name} names a file that cannot be read`)
    return undefined
  }
}
