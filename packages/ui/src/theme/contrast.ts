/** WCAG 2 contrast ratio of `#rrggbb` colours: 1 to 21. */
export function contrast(one: string, other: string): number {
  const [low = 0, high = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b)
  return (high + 0.05) / (low + 0.05)
}

/** CSS `color-mix(in srgb, …)`. @param percent of `mix`. */
export function mixed(mix: string, percent: number, base: string): string {
  const bases = channels(base)
  const parts = channels(mix).map((part, at) => (part * percent + (bases[at] ?? 0) * (100 - percent)) / 100)
  return `#${parts.map((part) => Math.round(part).toString(16).padStart(2, '0')).join('')}`
}

/** WCAG 2 relative luminance. */
function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = channels(colour).map((value) => {
    const share = value / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

const channels = (colour: string) => [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16))
