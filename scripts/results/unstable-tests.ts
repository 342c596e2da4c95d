/**
 * The tests that may pass when they run once more. Each has its cause and an end.
 *
 * Requirements:
 * 1. The list has at most five tests.
 * 2. No test is about attacks, money, embedded wallets or the allowlist.
 * 3. From the day `until` on, a test of the list counts as any other.
 */
export type UnstableTest = {
  /** Path from the repository's root. */
  readonly file: string
  /** With the titles of its `describe` blocks, separated by ` › `. */
  readonly title: string
  /** The cause, as far as it is known. */
  readonly cause: string
  /** ISO date. */
  readonly until: string
}

export const maxUnstableTests = 5

/** Subjects that no test of the list has, in its path or in its title. */
const subjects: Readonly<Record<string, RegExp>> = {
  attacks: /hostile|attack|forged|stolen|thief|fuzz|security/i,
  money: /money|\bpay|send|swap|buy|on-?ramp|fee|nonce|transaction|sign|approv/i,
  'embedded wallets': /embedded|apps\/wallet|share|recover|passkey|passphrase|email/i,
  'the allowlist': /allow-?list|origin|ancestor/i,
}

/** A sentence for each rule that the list breaks. */
export function problemsOf(tests: readonly UnstableTest[]): string[] {
  const found = tests.flatMap(({ file, title, cause, until }) => [
    ...Object.entries(subjects).flatMap(([subject, pattern]) =>
      pattern.test(`${file} ${title}`) ? [`${file} › ${title} is about ${subject}: find the cause instead.`] : [],
    ),
    ...(cause.trim() === '' ? [`${file} › ${title} names no cause.`] : []),
    ...(/^\d{4}-\d{2}-\d{2}$/.test(until) ? [] : [`${file} › ${title}: "${until}" is no ISO date.`]),
  ])
  if (tests.length > maxUnstableTests)
    found.push(`The list has ${tests.length} tests; ${maxUnstableTests} is the limit.`)
  return found
}

export const unstableTests: readonly UnstableTest[] = [
  {
    file: 'e2e/odd-pages.spec.ts',
    title: '@connect a page that has locked the pointer: the user gets it back with the modal',
    cause:
      'Beside other browsers on a slow machine, the page gets no answer for 30 s while its pointer is locked; alone it takes 3 s.',
    until: '2026-12-31',
  },
]
