/** Messages of spec §5. */
import type * as z from 'zod/mini'
import { pathText } from './issue-path'

type Issue = z.core.$ZodRawIssue

/** For `schema.safeParse(value, { error: issueMessage })`. A schema's own message wins. */
export function issueMessage(issue: Issue): string {
  switch (issue.code) {
    case 'invalid_type':
      if (issue.input === undefined) return 'Required'
      return `Expected ${expectedName(issue.expected)}, received ${receivedName(issue.input)}`
    case 'invalid_value':
      return issue.input === undefined ? 'Required' : `Expected ${alternatives(issue.values)}`
    case 'too_small': {
      const { start, least, more, unit } = wordsOf(issue.origin)
      return `${start} ${issue.inclusive === false ? more : least} ${issue.minimum}${unit}`
    }
    case 'too_big': {
      const { start, most, less, unit } = wordsOf(issue.origin)
      return `${start} ${issue.inclusive === false ? less : most} ${issue.maximum}${unit}`
    }
    case 'invalid_format':
      return formats.has(issue.format) ? `Invalid ${issue.format}` : 'Invalid input'
    case 'unrecognized_keys':
      return `Unrecognized key(s) in object: ${issue.keys.map((key) => `'${key}'`).join(', ')}`
    default:
      return 'Invalid input'
  }
}

/** One line: `networks[0].name: Required; theme.mode: Expected "light", "dark" or "auto"`. */
export function describeIssues(issues: readonly Pick<z.core.$ZodIssue, 'path' | 'message'>[]): string {
  return issues.map(({ path, message }) => (path.length === 0 ? message : `${pathText(path)}: ${message}`)).join('; ')
}

const formats: ReadonlySet<string> = new Set(['email', 'url', 'uuid'])

type Words = { start: string; least: string; more: string; most: string; less: string; unit: string }

const countWords = { least: 'at least', more: 'more than', most: 'at most', less: 'less than' }
const text: Words = { ...countWords, start: 'String must contain', unit: ' character(s)' }
const list: Words = { ...countWords, start: 'Array must contain', unit: ' element(s)' }
const number: Words = {
  start: 'Number must be',
  least: 'greater than or equal to',
  more: 'greater than',
  most: 'less than or equal to',
  less: 'less than',
  unit: '',
}

function wordsOf(origin: string): Words {
  if (origin === 'string') return text
  return origin === 'array' || origin === 'set' ? list : number
}

function expectedName(expected: string): string {
  if (expected === 'int') return 'integer'
  return expected === 'record' ? 'object' : expected
}

/** For example `"light", "dark" or "auto"`. */
function alternatives(values: readonly unknown[]): string {
  const names = values.map((value) => (typeof value === 'string' ? `"${value}"` : String(value)))
  return [names.slice(0, -1).join(', '), ...names.slice(-1)].filter((part) => part !== '').join(' or ')
}

function receivedName(input: unknown): string {
  if (input === null) return 'null'
  if (Array.isArray(input)) return 'array'
  if (typeof input !== 'number') return typeof input
  if (Number.isNaN(input)) return 'nan'
  return Number.isInteger(input) ? 'number' : 'float'
}
