/**
 * Reads a picture's dimensions from its header: a few kilobytes of PNG can decode to gigabytes and crash the frame.
 * Sources: PNG §11.2.1, GIF89a §18, WebP (RFC 9649), JPEG (ITU-T T.81, annex B; finds markers as libjpeg does).
 */

/** 100 MB of memory. */
const maxPixels = 25_000_000

/** False without a readable size, which no browser renders. */
export function isTooLarge(bytes: Uint8Array): boolean {
  const size = sizeOf(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))
  return size !== null && size.width * size.height > maxPixels
}

type Size = { readonly width: number; readonly height: number }

function sizeOf(bytes: Buffer): Size | null {
  try {
    const start = bytes.toString('latin1', 0, 16)
    if (start.startsWith('\x89PNG')) return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) }
    if (start.startsWith('GIF8')) return { width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) }
    if (start.startsWith('RIFF') && start.startsWith('WEBP', 8)) return webpSize(bytes, start.slice(12))
    return start.startsWith('\xff\xd8') ? jpegSize(bytes) : null
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
}

function webpSize(bytes: Buffer, chunk: string): Size | null {
  if (chunk === 'VP8X') return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 }
  if (chunk === 'VP8 ') return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff }
  if (chunk !== 'VP8L') return null
  const bits = bytes.readUInt32LE(21)
  return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
}

/** TEM, RST0 to RST7, SOI have no length. */
const isBare = (marker: number) => marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8)
/** Start of frame; the others are DHT, JPG and DAC. */
const isFrame = (marker: number) => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)

function jpegSize(bytes: Buffer): Size | null {
  let at = 2
  for (;;) {
    at = bytes.indexOf(0xff, at)
    if (at < 0) return null
    while (bytes.readUInt8(at) === 0xff) at += 1
    const marker = bytes.readUInt8(at)
    at += 1
    if (marker === 0 || isBare(marker)) continue
    if (isFrame(marker)) return { height: bytes.readUInt16BE(at + 3), width: bytes.readUInt16BE(at + 5) }
    at += bytes.readUInt16BE(at)
  }
}
