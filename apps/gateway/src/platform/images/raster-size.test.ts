import { expect, test } from 'vitest'
import { readIcon } from './icon'
import { isTooLarge } from './raster-size'

const u16 = (value: number) => [value >> 8, value & 255]
const latin1 = (text: string) => [...Buffer.from(text, 'latin1')]

/** File headers for this size, by format. */
const formats: Readonly<Record<string, (width: number, height: number) => readonly number[]>> = {
  PNG: (width, height) => [
    ...latin1('\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR'),
    ...[width, height].flatMap((side) => [0, 0, ...u16(side)]),
  ],
  GIF: (width, height) => [...latin1('GIF89a'), ...[width, height].flatMap((side) => u16(side).reverse())],
  'WebP, extended': (width, height) => [
    ...latin1('RIFF\x00\x00\x00\x00WEBPVP8X\x0a\x00\x00\x00\x00\x00\x00\x00'),
    ...[width, height].flatMap((side) => [...u16(side - 1).reverse(), 0]),
  ],
  'WebP, lossy': (width, height) => [
    ...latin1('RIFF\x00\x00\x00\x00WEBPVP8 \x00\x00\x00\x00\x00\x00\x00\x9d\x01\x2a'),
    ...[width, height].flatMap((side) => u16(side).reverse()),
  ],
  'WebP, lossless': (width, height) => {
    const bits = BigInt(width - 1) | (BigInt(height - 1) << 14n)
    return [
      ...latin1('RIFF\x00\x00\x00\x00WEBPVP8L\x00\x00\x00\x00\x2f'),
      ...[0n, 8n, 16n, 24n].map((by) => Number((bits >> by) & 255n)),
    ]
  },
  JPEG: (width, height) => [
    // A comment with a frame marker, fill bytes, bytes between segments, a table, then the frame.
    ...[0xff, 0xd8, 0xff, 0xff, 0xfe, 0, 9, 0xff, 0xc0, 0, 8, 8, 0, 1, 7, 7, 0xff, 0x00, 0xff, 0xc4, 0, 3, 1],
    ...[0xff, 0xc2, 0, 8, 8, ...u16(height), ...u16(width), 3],
  ],
}

test.each(Object.entries(formats))('rejects a small %s with gigabytes of pixels', (_format, header) => {
  const read = (width: number, height: number) => new Uint8Array([...header(width, height), 0, 0, 0, 0])
  expect(isTooLarge(read(16_383, 16_383))).toBe(true)
  expect(isTooLarge(read(5_001, 5_001))).toBe(true)
  expect(isTooLarge(read(5_000, 5_000))).toBe(false)
  expect(isTooLarge(read(1, 16_383))).toBe(false)
  expect(isTooLarge(read(16_383, 16_383).subarray(0, header(1, 1).length - 3))).toBe(false)
})

test('the directory rejects such pictures', () => {
  const png = (side: number) => new Uint8Array(formats.PNG?.(side, side) ?? [])
  expect(readIcon(png(512))?.type).toBe('image/png')
  expect(readIcon(png(60_000))).toBeUndefined()
})

test.each([
  [[]],
  [[0xff, 0xd8]],
  [[0xff, 0xd8, 0xff, 0xff]],
  [[0xff, 0xd8, 0xff, 0xe0, 0, 0, 0, 0]],
  [latin1('<svg/>')],
])('%j has no size', (bytes) => expect(isTooLarge(new Uint8Array(bytes))).toBe(false))
