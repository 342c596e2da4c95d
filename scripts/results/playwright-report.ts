/** The part of Playwright's JSON report that says which tests failed. */
import * as z from 'zod/mini'
import type { Results } from './results'

const Spec = z.object({
  title: z.string(),
  tests: z.array(z.object({ projectName: z.string(), status: z.enum(['expected', 'unexpected', 'flaky', 'skipped']) })),
})

const Suite = z.object({
  title: z.string(),
  file: z.string(),
  specs: z.array(Spec),
  get suites() {
    return z.optional(z.array(Suite))
  },
})
type Suite = z.infer<typeof Suite>

const Report = z.object({ suites: z.array(Suite), errors: z.array(z.object({ message: z.optional(z.string()) })) })

const verdicts = { unexpected: 'broken', flaky: 'unstable' } as const

/** `folder` of the tests, from the repository's root. An error outside a test is a broken test. */
export function resultsOfPlaywright(report: unknown, folder: string): Results {
  const { suites, errors } = Report.parse(report)
  const tests = suites.flatMap((suite) => testsIn(suite, []))
  return {
    passed: tests.filter(({ status }) => status === 'expected').length,
    failures: [
      ...tests.flatMap(({ status, title, file, project }) =>
        status === 'unexpected' || status === 'flaky'
          ? [{ verdict: verdicts[status], file: `${folder}/${file}`, title, project }]
          : [],
      ),
      ...errors.map(({ message = 'an error without a message' }) => ({
        ...{ verdict: 'broken' as const, file: folder, project: 'run' },
        title: message.split('\n')[0] ?? '',
      })),
    ],
  }
}

/** A suite of the first level is a file. */
function testsIn({ title, file, specs, suites = [] }: Suite, above: readonly string[]) {
  const titles = title === file ? above : [...above, title]
  const own = specs.flatMap((spec) =>
    spec.tests.map(({ projectName, status }) => ({
      ...{ file, project: projectName, status },
      title: [...titles, spec.title].join(' › '),
    })),
  )
  return [...own, ...suites.flatMap((suite): typeof own => testsIn(suite, titles))]
}
