/** Who may use the admin API, and where it listens. */
import { readFileSync } from 'node:fs'
import * as z from 'zod/mini'
import { parseJson } from '../parse-json'

export const Role = z.enum(['viewer', 'admin'])
/** A viewer reads; an admin also changes. */
export type Role = z.infer<typeof Role>

const minTokenLength = 32

const Token = z
  .string()
  .check(
    z.regex(/^[\x21-\x7e]+$/, 'must have no spaces'),
    z.minLength(minTokenLength, `must be ${minTokenLength} characters or more`),
    z.maxLength(512, 'must be 512 characters or fewer'),
  )

const OperatorToken = z.strictObject({
  name: z.string().check(z.regex(/^[A-Za-z0-9][A-Za-z0-9 ._-]{0,63}$/, 'must be 1 to 64 letters, digits or . _ -')),
  role: Role,
  token: Token,
})
export type OperatorToken = z.infer<typeof OperatorToken>

export type AdminConfig = {
  readonly host: string
  readonly port: number
  readonly operators: readonly OperatorToken[]
}

/**
 * Undefined without a token: the API is off. Problems never contain a token.
 *
 * @param token of one operator with the role admin: text, or the path of a file with it.
 * @param list JSON of operators, or the path of a file with it.
 */
export function readOperators(
  token: string | undefined,
  list: string | undefined,
  problems: string[],
): readonly OperatorToken[] | undefined {
  if (token === undefined && list === undefined) return undefined
  const read = (name: string, source: string | undefined): string | undefined => {
    if (source?.startsWith('/') !== true) return source
    try {
      return readFileSync(source, 'utf8').trim()
    } catch {
      problems.push(`${name} names a file that cannot be read`)
      return undefined
    }
  }
  const operators: OperatorToken[] = []
  const one = read('POSTERN_ADMIN_TOKEN', token)
  if (one !== undefined) {
    const parsed = Token.safeParse(one)
    if (parsed.success) operators.push({ name: 'admin', role: 'admin', token: parsed.data })
    else problems.push(...parsed.error.issues.map(({ message }) => `POSTERN_ADMIN_TOKEN ${message}`))
  }
  const many = read('POSTERN_ADMIN_TOKENS', list)
  if (many !== undefined) {
    const parsed = z.array(OperatorToken).safeParse(parseJson(many))
    if (parsed.success) operators.push(...parsed.data)
    else
      problems.push(
        ...parsed.error.issues.map((issue) => `POSTERN_ADMIN_TOKENS ${issue.path.join('.')} ${issue.message}`),
      )
  }
  for (const field of ['name', 'token'] as const) {
    if (new Set(operators.map((operator) => operator[field])).size < operators.length) {
      problems.push(`POSTERN_ADMIN_TOKENS must have a ${field} of its own for each operator`)
    }
  }
  return operators
}
