import { encode } from 'uqr'

/** A QR code as a camera frame: RGBA. */
export function pictureOf(text: string, scale = 6) {
  const { data, size } = encode(text, { ecc: 'M', border: 4 })
  const width = size * scale
  const pixels = new Uint8ClampedArray(width * width * 4).fill(255)
  for (let y = 0; y < width; y++)
    for (let x = 0; x < width; x++)
      if (data[Math.floor(y / scale)]?.[Math.floor(x / scale)])
        pixels.fill(0, (y * width + x) * 4, (y * width + x) * 4 + 3)
  return { width, height: width, data: pixels }
}
