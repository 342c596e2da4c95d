/** How long a number is, for its size: it is never cut, so a longer one is written smaller. `long` and `longest` are characters above which it is that. */
export function lengthOf(characters: number, long: number, longest: number): 'long' | 'longest' | undefined {
  if (characters > longest) return 'longest'
  return characters > long ? 'long' : undefined
}
