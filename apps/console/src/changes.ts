/** Members of `wanted` that the operator changed. The rest stays as a colleague, or a newer console, left it. */
export function changesOf<Wanted extends object>(before: { readonly [Key in keyof Wanted]: unknown }, wanted: Wanted) {
  const isChanged = ([key, value]: [string, unknown]) =>
    JSON.stringify(sorted(value)) !== JSON.stringify(sorted(Reflect.get(before, key)))
  return Object.fromEntries(Object.entries(wanted).filter(isChanged))
}

/** Makes the order of members irrelevant. */
function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, member]) => member !== undefined)
      .map(([key, member]) => [key, sorted(member)] as const)
      .sort(([one], [other]) => (one < other ? -1 : 1)),
  )
}
