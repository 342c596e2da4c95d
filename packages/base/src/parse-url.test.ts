import { expect, test } from 'vitest'
import { parseUrl } from './parse-url'

test('reads a URL, against a base too, and is null for other text', () => {
  expect(parseUrl('https://a.example:8443/b')?.origin).toBe('https://a.example:8443')
  expect(parseUrl('/b', 'https://a.example')?.href).toBe('https://a.example/b')
  for (const text of ['', '/b', 'a.example', 'https://', 'https://a b']) expect(parseUrl(text), text).toBeNull()
})
