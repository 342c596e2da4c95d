import { expect, test } from 'vitest'
import { readMetadata } from './metadata'

test('3 a picture elsewhere is named, but none of an address that nobody would ask for', () => {
  const pictureOf = (image: string) =>
    readMetadata(`data:application/json,${encodeURIComponent(JSON.stringify({ image }))}`).pictureUri
  expect(pictureOf('https://example.com/1.png')).toBe('https://example.com/1.png')
  expect(pictureOf(`https://example.com/${'x'.repeat(100_000)}`)).toBeNull()
})

test.each([
  ['numbers', '0,'.repeat(500_000)],
  ['empty ones', '{},'.repeat(340_000)],
])('2 behind attributes that are %s by the hundred thousand nothing is looked for', (_, many) => {
  const tell = (attributes: string) => readMetadata(`data:application/json,{"name":"x","attributes":[${attributes}]}`)
  const good = '{"trait_type":"Colour","value":"Red"}'
  expect(tell(`${many}${good}`)).toMatchObject({ name: 'x', attributes: [] })
  expect(tell(`0,{},${good}`)).toMatchObject({ attributes: [{ name: 'Colour', value: 'Red' }] })
  expect(tell(`${`${good},`.repeat(60)}0`).attributes).toHaveLength(50)
})
