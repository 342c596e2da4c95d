import { describe, expect, it } from 'vitest'
import { resultsOfPlaywright } from './playwright-report'
import { type Failure, summarize } from './results'
import { maxUnstableTests, problemsOf, type UnstableTest, unstableTests } from './unstable-tests'

const listed: UnstableTest = {
  file: 'e2e/order.spec.ts',
  title: 'order of the wallets › shows a row',
  cause: 'the directory answers late',
  until: '2030-01-10',
}
const failure = (values: Partial<Failure> = {}): Failure => ({
  ...{ verdict: 'unstable', file: listed.file, title: listed.title, project: 'storage-allowed' },
  ...values,
})
const summary = (failures: readonly Failure[], today = '2030-01-09') =>
  summarize([{ passed: 3, failures }], { seed: '7', today, mayRepeat: [listed] })

describe('summarize', () => {
  it('names a test that failed twice as broken', () => {
    expect(summary([failure({ verdict: 'broken' })])).toEqual({
      passed: 3,
      failed: 1,
      lines: ['broken: [storage-allowed] e2e/order.spec.ts › order of the wallets › shows a row (seed 7)'],
    })
  })

  it('fails a test that passes only when it runs once more', () => {
    expect(summary([failure({ title: 'another' })])).toEqual({
      passed: 3,
      failed: 1,
      lines: ['unstable: [storage-allowed] e2e/order.spec.ts › another (seed 7)'],
    })
  })

  it('lets a listed test pass when it runs once more, and says so', () => {
    const { passed, failed, lines } = summary([failure()])
    expect({ passed, failed }).toEqual({ passed: 4, failed: 0 })
    expect(lines[0]).toMatch(/^unstable: .* Listed until 2030-01-10: the directory answers late$/)
  })

  it('fails a listed test from its end on', () => {
    expect(summary([failure()], '2030-01-10').failed).toBe(1)
  })

  it('fails a listed test that fails twice', () => {
    expect(summary([failure({ verdict: 'broken' })]).failed).toBe(1)
  })
})

describe('problemsOf', () => {
  it('finds none in the list of this repository', () => {
    expect(problemsOf(unstableTests)).toEqual([])
  })

  it('limits the length of the list', () => {
    expect(problemsOf(Array.from({ length: maxUnstableTests + 1 }, () => listed))).toHaveLength(1)
  })

  it.each([
    'e2e/attacks.spec.ts',
    'e2e/money-account.spec.ts',
    'e2e/embedded-email.spec.ts',
    'apps/wallet/src/frame/frame.test.ts',
    'e2e/allowlist.spec.ts',
  ])('refuses a test of %s', (file) => {
    expect(problemsOf([{ ...listed, file }])).not.toEqual([])
  })

  it.each([
    ['a test without a cause', { cause: ' ' }],
    ['a test without an end', { until: 'soon' }],
  ])('refuses %s', (_, values) => {
    expect(problemsOf([{ ...listed, ...values }])).toHaveLength(1)
  })
})

describe('resultsOfPlaywright', () => {
  const spec = (title: string, ...statuses: readonly string[]) => ({
    title,
    tests: statuses.map((status, index) => ({ projectName: `project ${index}`, status })),
  })
  const report = {
    errors: [],
    suites: [
      {
        title: 'order.spec.ts',
        file: 'order.spec.ts',
        specs: [spec('shows a row', 'expected', 'flaky')],
        suites: [{ title: 'on a phone', file: 'order.spec.ts', specs: [spec('opens', 'unexpected', 'skipped')] }],
      },
    ],
  }

  it('names unstable and broken tests with their blocks', () => {
    expect(resultsOfPlaywright(report, 'e2e')).toEqual({
      passed: 1,
      failures: [
        { verdict: 'unstable', file: 'e2e/order.spec.ts', title: 'shows a row', project: 'project 1' },
        { verdict: 'broken', file: 'e2e/order.spec.ts', title: 'on a phone › opens', project: 'project 0' },
      ],
    })
  })

  it('counts an error outside of the tests', () => {
    const errors = [{ message: 'The devnet did not start.\n  at start' }]
    expect(resultsOfPlaywright({ suites: [], errors }, 'e2e').failures).toEqual([
      { verdict: 'broken', file: 'e2e', title: 'The devnet did not start.', project: 'run' },
    ])
  })
})
