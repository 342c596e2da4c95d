/** Prometheus loads no file of rules with a name that it does not know, such as a comma in an unquoted text makes. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import * as z from 'zod'

const Rule = z.strictObject({
  alert: z.string().regex(/^Postern[A-Za-z]+$/),
  expr: z.string().min(1),
  for: z
    .string()
    .regex(/^\d+m$/)
    .optional(),
  labels: z.strictObject({ severity: z.enum(['page', 'ticket']) }),
  annotations: z.strictObject({ summary: z.string().min(10) }),
})

test('each alert rule has the fields of Prometheus, and a whole sentence as its summary', () => {
  const { groups } = z
    .object({ groups: z.array(z.object({ name: z.string(), rules: z.array(Rule) })) })
    .parse(parse(readFileSync('apps/gateway/monitoring/alerts.yaml', 'utf8')))
  expect(groups.flatMap(({ rules }) => rules).length).toBeGreaterThanOrEqual(7)
})
