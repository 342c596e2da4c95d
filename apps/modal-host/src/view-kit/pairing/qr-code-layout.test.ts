import fc from 'fast-check'
import { encode } from 'uqr'
import { describe, expect, it } from 'vitest'
import { layoutQrCode } from './qr-code-layout'

const uri = `wc:${'a1'.repeat(32)}@2?relay-protocol=irn&symKey=${'b2'.repeat(32)}&expiryTimestamp=1790000000`

/** Dots, and the standard finder patterns. */
function drawn(text: string): { readonly dark: ReadonlySet<string>; readonly size: number } {
  const { dots, eyes, size } = layoutQrCode(text)
  const dark = new Set(
    [...dots.matchAll(/M([\d.]+) ([\d.]+)h0/g)].map(([, x, y]) => `${Number(x) - 4.5},${Number(y) - 4.5}`),
  )
  for (const { x, y } of eyes)
    for (let row = 0; row < 7; row++)
      for (let column = 0; column < 7; column++) {
        const ring = Math.max(Math.abs(row - 3), Math.abs(column - 3))
        if (ring !== 2) dark.add(`${x - 4 + column},${y - 4 + row}`)
      }
  return { dark, size: size - 8 }
}

describe('layoutQrCode', () => {
  it('draws every module except a centered hole that error correction covers', () => {
    fc.assert(
      fc.property(fc.oneof(fc.constant(uri), fc.string({ minLength: 20, maxLength: 600 })), (text) => {
        const { data } = encode(text, { ecc: 'M', border: 0 })
        const { dark, size } = drawn(text)
        expect(size).toBe(data.length)
        let different = 0
        data.forEach((line, y) => {
          line.forEach((isDark, x) => {
            if (isDark === dark.has(`${x},${y}`)) return
            different++
            expect(Math.max(Math.abs(x - (size - 1) / 2), Math.abs(y - (size - 1) / 2))).toBeLessThan(size * 0.13)
          })
        })
        expect(different / (size * size)).toBeLessThan(0.06)
      }),
      { numRuns: 40 },
    )
  })

  it('keeps a quiet zone of four modules', () => {
    const { size, eyes } = layoutQrCode(uri)
    expect(eyes).toEqual([
      { x: 4, y: 4 },
      { x: size - 11, y: 4 },
      { x: 4, y: size - 11 },
    ])
  })
})
