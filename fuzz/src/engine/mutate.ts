/** Damages values and sessions. */
import type { Random } from './random'

/** Values at which readers tend to fail. */
const odd: readonly unknown[] = [
  undefined,
  null,
  '',
  ' ',
  '0x',
  '0x0',
  `0x${'f'.repeat(64)}`,
  `0x${'0'.repeat(40)}`,
  '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
  'eip155:1',
  'eip155:99999999999999999999',
  'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
  'bip122:000000000019d6689c085ae165831e93',
  'javascript:alert(1)',
  'data:text/html,x',
  'https://evil.example',
  '__proto__',
  'constructor',
  'toString',
  '\u0000',
  '\ud800',
  '\u202e',
  'NaN',
  '-1',
  '1e400',
  '9'.repeat(80),
  'x'.repeat(65),
  'x'.repeat(10_000),
  true,
  false,
  0,
  -0,
  -1,
  1.5,
  Number.NaN,
  Number.POSITIVE_INFINITY,
  Number.MAX_SAFE_INTEGER + 1,
  2 ** 31,
  [],
  [[]],
  [null],
  {},
  { length: -1 },
  Object.fromEntries([['then', 1]]),
  { toJSON: null },
  10n ** 80n,
]

/** Replaces, removes or adds one value in `value`. `parts`: other messages, whose values may be taken. */
export function damage(value: unknown, random: Random, parts: readonly unknown[]): unknown {
  if (Array.isArray(value)) return damageList(value, random, parts)
  if (!isPlain(value) || random.oneIn(8)) return replacement(value, random, parts)
  const keys = Object.keys(value)
  if (keys.length === 0 || random.oneIn(8))
    return withOwn(value, random.pick([...keys, '__proto__', 'constructor', 'id', 'extra']), any(random, parts))
  const key = random.pick(keys)
  if (random.oneIn(6)) return Object.fromEntries(Object.entries(value).filter(([name]) => name !== key))
  return withOwn(value, key, damage(value[key], random, parts))
}

function damageList(list: readonly unknown[], random: Random, parts: readonly unknown[]): unknown {
  const at = random.below(list.length + 1)
  switch (random.below(list.length === 0 ? 2 : 6)) {
    case 0:
      return any(random, parts)
    case 1:
      return [...list.slice(0, at), any(random, parts), ...list.slice(at)]
    case 2:
      return list.filter((_, index) => index !== at)
    case 3:
      return [...list, ...list]
    default: {
      const chosen = random.below(list.length)
      return list.map((each, index) => (index === chosen ? damage(each, random, parts) : each))
    }
  }
}

function replacement(value: unknown, random: Random, parts: readonly unknown[]): unknown {
  if (typeof value === 'string' && value !== '' && !random.oneIn(3)) return damageText(value, random)
  if (typeof value === 'number' && random.oneIn(2)) return value + random.pick([-1, 1, 0.5, 2 ** 32])
  return any(random, parts)
}

function damageText(text: string, random: Random): string {
  const at = random.below(text.length)
  const more = String(random.pick(odd))
  return random.pick([
    text.slice(0, at),
    text.slice(at),
    text.slice(0, at) + more + text.slice(at),
    text + text,
    text.toUpperCase(),
    `${text.slice(0, at)}${String.fromCharCode(random.below(0x10000))}${text.slice(at + 1)}`,
  ])
}

function any(random: Random, parts: readonly unknown[]): unknown {
  if (parts.length > 0 && random.oneIn(2)) return partOf(random.pick(parts), random)
  return random.pick(odd)
}

function partOf(value: unknown, random: Random): unknown {
  if (random.oneIn(3)) return value
  const inner = Array.isArray(value) ? value : isPlain(value) ? Object.values(value) : []
  return inner.length === 0 ? value : partOf(random.pick(inner), random)
}

function withOwn(value: Readonly<Record<string, unknown>>, key: string, inner: unknown): unknown {
  return Object.fromEntries([...Object.entries(value).filter(([name]) => name !== key), [key, inner]])
}

function isPlain(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && [Object.prototype, null].includes(Object.getPrototypeOf(value))
}

/** Adds, removes, repeats or replaces some of `list`. `more` returns new elements. */
export function damageSequence<T>(list: readonly T[], random: Random, more: () => T, other: readonly T[]): T[] {
  const at = random.below(list.length + 1)
  const end = at + random.below(list.length - at + 1)
  switch (random.below(5)) {
    case 0:
      return [...list.slice(0, at), more(), ...list.slice(at)]
    case 1:
      return [...list.slice(0, at), ...list.slice(end)]
    case 2:
      return [...list.slice(0, end), ...list.slice(at, end), ...list.slice(end)]
    case 3:
      return [...list.slice(0, at), ...other.slice(random.below(other.length + 1))]
    default:
      return [...list.slice(0, at), ...Array.from({ length: end - at }, more), ...list.slice(end)]
  }
}
