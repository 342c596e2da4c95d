/** Code that makes a test depend on chance, each with a better way (docs/internals/tests.md). */
import { readFileSync } from 'node:fs'
import { command } from '../lib/step'
import { trackedFiles } from './tracked-files'

type Rule = { readonly what: RegExp; readonly write: string }

const systemClock: Rule = {
  what: /\bDate\.now\b|\bnew Date\(\)/,
  write: 'a fixed time such as `noon`, a clock that the test moves, or vi.setSystemTime',
}

const rules: readonly Rule[] = [
  systemClock,
  {
    // jose's methods, relative to the system's clock.
    what: /\.setIssuedAt\(\)|\.set(?:ExpirationTime|NotBefore)\(['"`]/,
    write: 'the time in seconds by the clock of the test',
  },
  {
    // A test may extend its own limit.
    what: /(?<!\btest(?:Info)?\.)\bset(?:Timeout|Interval)(?:\(| as\b)|\bdelay\(|\bAbortSignal\.timeout\(/,
    write: 'the event, expect.poll, setImmediate for one turn, or a fake timer',
  },
  { what: /\bwaitForTimeout\b/, write: 'an assertion that waits for what the page shows' },
  { what: /\bnetworkidle\b/, write: 'an assertion that waits for what the page shows' },
  { what: /\bvi\.wait(?:For|Until)\((?!.*\btimeout\b)/, write: 'expect.poll: a second is too short on a busy machine' },
  { what: /\bperformance\.now\b/, write: 'process.cpuUsage for speed: other work on the machine does not count' },
  { what: /\bMath\.random\b/, write: 'a fixed value, or fast-check, which prints its seed' },
]

/** A date that the calendar reaches, in a file whose tests also know today's. */
const writtenDate: Rule = {
  what: /['"`]20\d\d-\d\d-\d\d|\bDate\.UTC\(20\d\d/,
  write: 'a time of the same clock: the file has the system’s',
}

/** On the line or the line before it. */
const reason = /\/\/ real time: \S/

/** Every rule that a file breaks without a reason, as `path:line: text (write: …)`. */
export function findChance(files: readonly { readonly path: string; readonly text: string }[]): string[] {
  return files.flatMap(({ path, text }) => {
    const applied = systemClock.what.test(text) ? [...rules, writtenDate] : rules
    const lines = text.split('\n')
    return lines.flatMap((line, index) => {
      if (reason.test(line) || reason.test(lines[index - 1] ?? '')) return []
      return applied.flatMap(({ what, write }) => {
        const found = what.exec(line)
        return found === null ? [] : [`${path}:${index + 1}: ${found[0]} (write: ${write})`]
      })
    })
  })
}

const patterns = [
  '*.test.ts',
  '*.test.tsx',
  '*/src/testing/*.ts',
  '*/src/*/testing/*.ts',
  '*/testing/*.tsx',
  'fuzz/src/*.ts',
  'e2e/*.ts',
]
/** The published package `@postern/testing` is not a test. */
const excluded = /^scripts\/lint\/chance|^packages\/testing\/src\/(?!.*\.test\.)/

if (process.argv[1] === import.meta.filename) {
  await command(async () => {
    const named = process.argv.slice(2)
    const files = trackedFiles(named.length === 0 ? patterns : named).filter((path) => !excluded.test(path))
    const found = findChance(files.map((path) => ({ path, text: readFileSync(path, 'utf8') })))
    if (found.length === 0) return
    throw new Error(`${found.join('\n')}\n${found.length} to change, or to explain: // real time: <reason>`)
  })
}
