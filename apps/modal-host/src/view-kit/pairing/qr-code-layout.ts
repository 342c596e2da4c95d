import { encode, QrCodeDataType } from 'uqr'

/** In modules, with the quiet zone that scanners need (ISO/IEC 18004: 4 modules). */
export type QrCodeLayout = {
  readonly size: number
  /** SVG path with a point per dark module, for round caps. */
  readonly dots: string
  /** Top left corners of the finder patterns, each 7 modules wide. */
  readonly eyes: readonly { readonly x: number; readonly y: number }[]
}

const quietZone = 4
const eyeSize = 7
/** Hides under a seventeenth of the modules; level M recovers about a sixth. */
const holeRatio = 0.24

export function layoutQrCode(text: string): QrCodeLayout {
  const { data, types, size } = encode(text, { ecc: 'M', border: 0 })
  const hole = holeOf(size)
  const isDot = (x: number, y: number) =>
    data[y]?.[x] === true && types[y]?.[x] !== QrCodeDataType.Position && !(hole.has(x) && hole.has(y))
  const places = Array.from({ length: size }, (_, at) => at)
  const dots = places
    .flatMap((y) => places.filter((x) => isDot(x, y)).map((x) => `M${x + quietZone + 0.5} ${y + quietZone + 0.5}h0`))
    .join('')
  const far = quietZone + size - eyeSize
  return {
    size: size + 2 * quietZone,
    dots,
    eyes: [
      { x: quietZone, y: quietZone },
      { x: far, y: quietZone },
      { x: quietZone, y: far },
    ],
  }
}

/** An odd number of columns centers the hole. */
function holeOf(size: number): ReadonlySet<number> {
  const half = Math.floor((size * holeRatio) / 2)
  const middle = (size - 1) / 2
  return new Set(Array.from({ length: 2 * half + 1 }, (_, at) => middle - half + at))
}
