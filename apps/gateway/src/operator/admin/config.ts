import * as z from 'zod/mini'
import { readJsonSetting } from '../../platform/settings/json-setting'
import { textOrFile } from '../../platform/settings/text-or-file'
import type { OidcConfig } from './oidc/config'
import { Role } from './role'

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
  /** An OpenID provider knows `{origin}/sign-in/callback`. */
  readonly origin: string
  readonly operators: readonly OperatorToken[]
  /** Absent: tokens only. */
  readonly oidc?: OidcConfig
}

/**
 * Undefined without a token: the API is off. Problems never contain a token.
 *
 * @param token of one admin: text, or its file. @param list JSON of operators, or its file.
 */
export function readOperators(
  token: string | undefined,
  list: string | undefined,
  problems: string[],
): readonly OperatorToken[] | undefined {
  if (token === undefined && list === undefined) return undefined
  const operators: OperatorToken[] = []
  const one = textOrFile('POSTERN_ADMIN_TOKEN', token, problems)
  if (one !== undefined) {
    const parsed = Token.safeParse(one)
    if (parsed.success) operators.push({ name: 'admin', role: 'admin', token: parsed.data })
    else problems.push(...parsed.error.issues.map(({ message }) => `POSTERN_ADMIN_TOKEN ${message}`))
  }
  operators.push(...(readJsonSetting('POSTERN_ADMIN_TOKENS', z.array(OperatorToken), list, problems) ?? []))
  for (const field of ['name', 'token'] as const) {
    if (new Set(operators.map((operator) => operator[field])).size < operators.length) {
      problems.push(`POSTERN_ADMIN_TOKENS must have a ${field} of its own for each operator`)
    }
  }
  return operators
}
