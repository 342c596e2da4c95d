/**
 * Results of a test run. Every failed test runs once more, only to name it.
 *
 * Requirements:
 * 1. A test that fails twice is "broken"; one that passes when it runs once more is "unstable".
 * 2. Both make the run red. Only a test of `unstable-tests.ts`, before its end, may pass when it runs once more.
 * 3. Each is printed with its file, its title and the seed of the run.
 */
import type { UnstableTest } from './unstable-tests'

export type Failure = {
  readonly verdict: 'broken' | 'unstable'
  /** Path from the repository's root. */
  readonly file: string
  /** With the titles of its `describe` blocks, separated by ` › `. */
  readonly title: string
  /** The runner's project: an engine, or a set of unit tests. */
  readonly project: string
}

export type Results = { readonly passed: number; readonly failures: readonly Failure[] }

export type Summary = {
  readonly passed: number
  readonly failed: number
  readonly lines: readonly string[]
}

type Context = { readonly seed: string; readonly today: string; readonly mayRepeat: readonly UnstableTest[] }

export function summarize(results: readonly Results[], { seed, today, mayRepeat }: Context): Summary {
  const failures = results.flatMap((result) => result.failures)
  const listing = ({ verdict, file, title }: Failure) =>
    verdict === 'unstable'
      ? mayRepeat.find((test) => test.file === file && test.title === title && today < test.until)
      : undefined
  const forgiven = failures.filter((failure) => listing(failure) !== undefined)
  return {
    passed: results.reduce((sum, { passed }) => sum + passed, forgiven.length),
    failed: failures.length - forgiven.length,
    lines: failures.map((failure) => {
      const { verdict, file, title, project } = failure
      const listed = listing(failure)
      const note = listed === undefined ? '' : ` Listed until ${listed.until}: ${listed.cause}`
      return `${verdict}: [${project}] ${file} › ${title} (seed ${seed})${note}`
    }),
  }
}
