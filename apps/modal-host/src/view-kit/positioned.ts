/** Items with their places, for lists that never change their order: the place is then who an item is. */
export function positioned<T>(items: readonly T[]): readonly { readonly at: number; readonly item: T }[] {
  return items.map((item, at) => ({ at, item }))
}
