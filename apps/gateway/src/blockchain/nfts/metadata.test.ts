import { expect, test } from 'vitest'
import { readMetadata } from './metadata'

test('3 a picture elsewhere is named, but none of an address that nobody would ask for', () => {
  const pictureOf = (image: string) =>
    readMetadata(`data:application/json,${encodeURIComponent(JSON.stringify({ image }))}`).pictureUri
  expect(pictureOf('https://example.com/1.png')).toBe('https://example.com/1.png')
  expect(pictureOf(`https://example.com/${'x'.repeat(100_000)}`)).toBeNull()
})
