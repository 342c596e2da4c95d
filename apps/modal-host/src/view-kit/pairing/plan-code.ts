/** A QR code as shapes: dots for its modules, eyes for its corners, and a hole in the middle for a picture. */
import { encode, QrCodeDataType } from 'uqr'

/** Lengths in modules. The quiet zone is part of the whole: a scanner needs it, whatever lies around (ISO/IEC 18004: 4 modules). */
export type CodePlan = {
  /** Width and height of the whole. */
  readonly size: number
  /** SVG path: a point in the middle of each dark module, to be drawn with round caps. */
  readonly dots: string
  /** Top left corners of the three finder patterns, each 7 modules wide. */
  readonly eyes: readonly { readonly x: number; readonly y: number }[]
}

const quiet = 4
const eyeSize = 7
/** Width of the hole as a part of the code's own: under a seventeenth of its modules, where correction level M mends about a sixth. */
const holePart = 0.24

export function planCode(text: string): CodePlan {
  const { data, types, size } = encode(text, { ecc: 'M', border: 0 })
  const hole = holeOf(size)
  const isDot = (x: number, y: number) =>
    data[y]?.[x] === true && types[y]?.[x] !== QrCodeDataType.Position && !(hole.has(x) && hole.has(y))
  const places = Array.from({ length: size }, (_, at) => at)
  const dots = places
    .flatMap((y) => places.filter((x) => isDot(x, y)).map((x) => `M${x + quiet + 0.5} ${y + quiet + 0.5}h0`))
    .join('')
  const far = quiet + size - eyeSize
  return {
    size: size + 2 * quiet,
    dots,
    eyes: [
      { x: quiet, y: quiet },
      { x: far, y: quiet },
      { x: quiet, y: far },
    ],
  }
}

/** The columns, and the rows, that the picture lies on: an odd number, as the code's own is, so that it lies in the middle. */
function holeOf(size: number): ReadonlySet<number> {
  const half = Math.floor((size * holePart) / 2)
  const middle = (size - 1) / 2
  return new Set(Array.from({ length: 2 * half + 1 }, (_, at) => middle - half + at))
}
