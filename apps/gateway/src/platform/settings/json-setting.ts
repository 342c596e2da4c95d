import { readFileSync } from 'node:fs'
import { type CaipNetworkId, describeIssues, isCaipNetworkId, issueMessage } from '@postern/protocol'
import * as z from 'zod/mini'
import { parseJson } from '../parse-json'

export const NetworkId = z.custom<CaipNetworkId>(isCaipNetworkId, 'must be the id of a network, such as eip155:1')

/** `fetch` rejects a URL with a user by an error that repeats it. */
export const EndpointUrl = z
  .url({ protocol: /^https?$/, error: 'must be an http or https URL' })
  .check(z.refine((url) => !hasUser(url), 'has user:password@: put the key into its path or query'))

function hasUser(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : null
  return `${url?.username ?? ''}${url?.password ?? ''}` !== ''
}

/**
 * JSON text (starts with `[` or `{`), or the path of its file. Undefined if unset or wrong.
 *
 * @param problems never get a value, or a name that may be a value: it may be a key.
 */
export function readJsonSetting<T>(
  name: string,
  schema: z.ZodMiniType<T>,
  source: string | undefined,
  problems: string[],
): T | undefined {
  if (source === undefined) return undefined
  const text = textOf(source)
  const value = text === undefined ? undefined : parseJson(text)
  if (value !== undefined) return checkSetting(name, schema, value, problems)
  problems.push(text === undefined ? `${name} must be JSON, or a file that can be read` : `${name} is not valid JSON`)
  return undefined
}

export function checkSetting<T>(
  name: string,
  schema: z.ZodMiniType<T>,
  value: unknown,
  problems: string[],
): T | undefined {
  const parsed = schema.safeParse(value, { error: safeMessage })
  if (parsed.success) return parsed.data
  const lines = parsed.error.issues.map((issue) => {
    return describeIssues([{ path: [name, ...issue.path.map(safeName)], message: messageOf(issue) }])
  })
  problems.push(...new Set(lines))
  return undefined
}

function textOf(source: string): string | undefined {
  if (/^\s*[[{]/.test(source)) return source
  try {
    // Some editors write a byte-order mark.
    return readFileSync(source, 'utf8').replace(/^\uFEFF/, '')
  } catch {
    return undefined
  }
}

/** Ids of Solana's and Bitcoin's networks have 39 characters, a secret key has 43. */
const memberName = /^[\w:.-]{1,40}$/

/** Hides what may be a misplaced value, such as a URL with a key. */
const safeName = (part: PropertyKey) => (typeof part !== 'string' || memberName.test(part) ? part : '…')

const safeMessage = (issue: z.core.$ZodRawIssue) =>
  issueMessage(
    issue.code === 'unrecognized_keys' ? { ...issue, keys: issue.keys.map((key) => String(safeName(key))) } : issue,
  )

/** A record's wrong key has its reason inside. */
function messageOf(issue: z.core.$ZodIssue): string {
  return (issue.code === 'invalid_key' && issue.issues[0]?.message) || issue.message
}
