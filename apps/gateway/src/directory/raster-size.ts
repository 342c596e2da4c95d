/**
 * How large a picture is where it is drawn, by its own header: a few kilobytes of PNG can be gigabytes of pixels, which take down the frame that shows them.
 * Sources: PNG §11.2.1, GIF89a §18, the WebP container (RFC 9649), JPEG (ITU-T T.81, annex B; the next marker is found as libjpeg finds it).
 */

/** Pixels: 100 MB of memory. */
const mostPixels = 25_000_000

/** What has no header that says a size is drawn by no browser, and is not judged here. */
export function isTooLarge(bytes: Uint8Array): boolean {
  const size = sizeOf(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))
  return size !== null && size.width * size.height > mostPixels
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
    // Cut off before it says.
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

/** Markers of no length: TEM, RST0 to RST7, SOI. */
const isBare = (marker: number) => marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8)
/** Starts of frames; between them are DHT, JPG and DAC. */
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
