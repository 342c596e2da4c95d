/** The index as key, for lists with a fixed order. */
export function positioned<T>(items: readonly T[]): readonly { readonly at: number; readonly item: T }[] {
  return items.map((item, at) => ({ at, item }))
}
