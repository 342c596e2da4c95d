/** A picture from the address alone: four arcs of a door's fanlight, each with its own colour. */
export type Arc = { readonly fill: string; readonly path: string }

const size = 56

export function pictureOf(address: string): readonly Arc[] {
  const digits = address.toLowerCase().replace(/^0x/, '')
  return [size, 42, 28, 14].map((diameter, index) => {
    const hue = Number.parseInt(digits.slice(index * 3, index * 3 + 3), 16) % 360
    const radius = diameter / 2
    const left = size / 2 - radius
    return {
      fill: `hsl(${Number.isNaN(hue) ? 0 : hue} ${48 - index * 4}% ${38 + index * 12}%)`,
      path: `M${left} ${size / 2}a${radius} ${radius} 0 0 1 ${diameter} 0v${index === 0 ? size / 2 : size}h-${diameter}z`,
    }
  })
}
