/** Reads a QR code; null without one. The library is a separate chunk. */
import decodeQR from 'qr/decode.js'

const maxLength = 2048

export function readCode(picture: {
  readonly width: number
  readonly height: number
  readonly data: Uint8ClampedArray
}): string | null {
  try {
    const text = decodeQR({ width: picture.width, height: picture.height, data: picture.data })
    return text.length === 0 || text.length > maxLength ? null : text
  } catch {
    return null
  }
}
