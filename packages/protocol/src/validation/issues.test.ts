import { describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { describeIssues, issueMessage } from './issues'

function first(schema: z.ZodMiniType, value: unknown): string | undefined {
  return schema.safeParse(value, { error: issueMessage }).error?.issues[0]?.message
}

describe('issueMessage', () => {
  it.each<[string, z.ZodMiniType, unknown]>([
    ['Required', z.string(), undefined],
    ['Expected string, received number', z.string(), 1],
    ['Expected number, received null', z.number(), null],
    ['Expected object, received array', z.object({}), []],
    ['Expected array, received object', z.array(z.string()), {}],
    ['Expected integer, received float', z.int(), 1.5],
    ['Expected number, received nan', z.number(), Number.NaN],
    ['Expected object, received string', z.record(z.string(), z.string()), 'x'],
    ['Invalid input', z.union([z.string(), z.number()]), true],
    ['Expected "a"', z.literal('a'), 'b'],
    ['Expected "light" or "dark"', z.enum(['light', 'dark']), 'dim'],
    ['Expected "auto", "light" or "dark"', z.enum(['auto', 'light', 'dark']), 7],
    ['Expected 1, true or null', z.literal([1, true, null]), 'b'],
    ['Required', z.enum(['a', 'b']), undefined],
    ['Invalid input', z.string().check(z.regex(/a/)), 'b'],
    ['Invalid email', z.email(), 'x'],
    ['Invalid url', z.url(), 'x'],
    ['Invalid uuid', z.uuid(), 'x'],
    ['String must contain at least 2 character(s)', z.string().check(z.minLength(2)), 'a'],
    ['String must contain at most 1 character(s)', z.string().check(z.maxLength(1)), 'ab'],
    ['Array must contain at least 1 element(s)', z.array(z.string()).check(z.minLength(1)), []],
    ['Number must be greater than or equal to 1', z.number().check(z.gte(1)), 0],
    ['Number must be greater than 1', z.number().check(z.gt(1)), 1],
    ['Number must be less than or equal to 1', z.number().check(z.lte(1)), 2],
    ['Number must be less than 1', z.number().check(z.lt(1)), 1],
    ["Unrecognized key(s) in object: 'b'", z.strictObject({}), { b: 1 }],
  ])('%s', (message, schema, value) => expect(first(schema, value)).toBe(message))

  it("keeps a schema's own message", () => {
    expect(first(z.string('A token is required'), undefined)).toBe('A token is required')
  })
})

describe('describeIssues', () => {
  it('has the path of each issue', () => {
    const schema = z.object({ networks: z.array(z.object({ name: z.string() })), id: z.string() })
    const { error } = schema.safeParse({ networks: [{}] }, { error: issueMessage })
    expect(describeIssues(error?.issues ?? [])).toBe('networks[0].name: Required; id: Required')
    expect(describeIssues([{ path: [], message: 'Invalid input' }])).toBe('Invalid input')
  })
})
