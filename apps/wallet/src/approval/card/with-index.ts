/** Keys for lists with a fixed order. */
export function withIndex<T>(items: readonly T[]): readonly { readonly index: number; readonly item: T }[] {
  return items.map((item, index) => ({ index, item }))
}
