import { expect, test } from 'vitest'
import { readMetadata } from './metadata'

test('3 returns the URI of a remote picture, unless it is too long to fetch', () => {
  const pictureOf = (image: string) =>
    readMetadata(`data:application/json,${encodeURIComponent(JSON.stringify({ image }))}`).pictureUri
  expect(pictureOf('https://example.com/1.png')).toBe('https://example.com/1.png')
  expect(pictureOf(`https://example.com/${'x'.repeat(100_000)}`)).toBeNull()
})

test.each([
  ['numbers', '0,'.repeat(500_000)],
  ['empty ones', '{},'.repeat(340_000)],
])('2 stops after two hundred attributes that are %s', (_, many) => {
  const tell = (attributes: string) => readMetadata(`data:application/json,{"name":"x","attributes":[${attributes}]}`)
  const good = '{"trait_type":"Colour","value":"Red"}'
  expect(tell(`${many}${good}`)).toMatchObject({ name: 'x', attributes: [] })
  expect(tell(`0,{},${good}`)).toMatchObject({ attributes: [{ name: 'Colour', value: 'Red' }] })
  expect(tell(`${`${good},`.repeat(60)}0`).attributes).toHaveLength(50)
})
