/** Numbers are never truncated: longer ones are smaller. `long`, `longest`: in characters. */
export function lengthOf(characters: number, long: number, longest: number): 'long' | 'longest' | undefined {
  if (characters > longest) return 'longest'
  return characters > long ? 'long' : undefined
}
