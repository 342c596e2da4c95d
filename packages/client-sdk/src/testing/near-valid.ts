import fc from 'fast-check'

const cloneable = fc.anything({
  withBigInt: true,
  withDate: true,
  withMap: true,
  withSet: true,
  withTypedArray: true,
})

const damage = fc.oneof(
  cloneable,
  fc.constantFrom(
    undefined,
    null,
    '',
    -1,
    1.5,
    Number.NaN,
    [],
    {},
    true,
    'x'.repeat(65),
    'connected',
    'eip155',
    'https://x',
  ),
)

/**
 * `valid`, possibly with one value replaced, or one key removed or added. A guard and a schema disagree near valid
 * values, rarely on random ones.
 */
export function nearly<T>(valid: fc.Arbitrary<T>): fc.Arbitrary<unknown> {
  const damaged = fc
    .tuple(
      valid,
      fc.array(fc.nat(), { minLength: 1, maxLength: 6 }),
      fc.constantFrom('replace', 'remove', 'add'),
      damage,
    )
    .map(([value, path, how, by]) => change(value, path, how, by))
  return fc.oneof(valid, damaged, damaged, cloneable)
}

function change(value: unknown, [at = 0, ...path]: readonly number[], how: string, by: unknown): unknown {
  if (Array.isArray(value)) {
    if (value.length === 0 || path.length === 0) return how === 'add' ? [...value, by] : by
    const index = at % value.length
    return value.map((each, position) => (position === index ? change(each, path, how, by) : each))
  }
  if (typeof value !== 'object' || value === null) return by
  const keys = Object.keys(value)
  const key = keys[at % Math.max(keys.length, 1)]
  if (how === 'add' && path.length === 0) return { ...value, [`extra${at}`]: by }
  if (key === undefined) return by
  const copy: Record<string, unknown> = { ...value }
  if (path.length > 0) copy[key] = change(copy[key], path, how, by)
  else if (how === 'remove') delete copy[key]
  else copy[key] = by
  return copy
}
