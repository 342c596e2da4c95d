/** The workflow that publishes. `.npmrc` turns scripts off, without which the gateway's package has no pages. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import * as z from 'zod'

const Step = z.object({
  uses: z.string().optional(),
  with: z.record(z.string(), z.unknown()).optional(),
  env: z.record(z.string(), z.string()).optional(),
})
const { jobs } = z
  .object({ jobs: z.object({ release: z.object({ steps: z.array(Step) }) }) })
  .parse(parse(readFileSync('.github/workflows/release.yml', 'utf8')))

test('packages are published with their own scripts, which the repository turns off elsewhere', () => {
  expect(readFileSync('.npmrc', 'utf8')).toContain('ignore-scripts=true')
  const publishing = jobs.release.steps.filter((step) => step.with?.publish !== undefined)
  expect(publishing.map(({ env }) => env?.NPM_CONFIG_IGNORE_SCRIPTS)).toEqual(['false'])
})

/** Read by the action in version 1; npm itself reads NODE_AUTH_TOKEN only with a registry of `setup-node`. */
test('the action that publishes gets the token by the name that it reads', () => {
  const publishing = jobs.release.steps.filter((step) => step.uses?.startsWith('changesets/action@v1'))
  expect(publishing.map(({ env }) => env?.NPM_TOKEN)).toEqual([expect.stringContaining('secrets.NPM_TOKEN')])
})
