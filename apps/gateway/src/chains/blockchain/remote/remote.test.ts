import { expect, test } from 'vitest'
import { RemoteError } from './public-fetch'
import { createRemote, locate } from './remote'

const cid = 'bafybeigdyrzt5sfp7udm7hu76uh7y26nf3efuylqabf3oclgtqy55fbzdi'
const ipfs = 'https://ipfs.example'

test.each<[string, string | null]>([
  ['https://example.com/1.json?x=1', 'https://example.com/1.json?x=1'],
  [`ipfs://${cid}`, `${ipfs}/ipfs/${cid}`],
  [`ipfs://${cid}/1.json`, `${ipfs}/ipfs/${cid}/1.json`],
  [`ipfs://ipfs/${cid}/a b/%20.png`, `${ipfs}/ipfs/${cid}/a%20b/%20.png`],
  [`ipfs://${cid}/../../admin`, null],
  [`ipfs://${cid}/%2e%2e/admin`, null],
  [`ipfs://${cid}/..%2Fadmin`, `${ipfs}/ipfs/${cid}/..%2Fadmin`],
  [`ipfs://${cid}?x=1`, null],
  ['ipfs://short/1', null],
  ['ipfs://169.254.169.254/latest', null],
  ['http://example.com/', null],
  ['ftp://example.com/', null],
  ['file:///etc/passwd', null],
  ['javascript:alert(1)', null],
  ['data:text/html,x', null],
  ['https://', null],
  [`https://example.com/${'x'.repeat(2_048)}`, null],
  ['', null],
])('%s is at %s', (uri, url) => {
  expect(locate(uri, ipfs)).toBe(url)
  if (uri.startsWith('ipfs:')) expect(locate(uri, null)).toBeNull()
})

const bytesOf = (text: string) => new Uint8Array(Buffer.from(text, 'latin1'))

test.each<[string, string | null]>([
  ['\x89PNG\r\n\x1a\n…', 'image/png'],
  ['\xff\xd8\xff\xe0', 'image/jpeg'],
  ['GIF89a…', 'image/gif'],
  ['RIFF\x00\x00\x00\x00WEBPVP8 ', 'image/webp'],
  ['<svg xmlns="http://www.w3.org/2000/svg"/>', null],
  ['<html>', null],
  ['RIFF\x00\x00\x00\x00WAVE', null],
  ['\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\xff\xff\x00\x00\xff\xff', null],
  ['', null],
])('2 a picture is what its bytes say: %j is %s', async (text, type) => {
  const remote = createRemote({
    fetchPublic: async (_url, wanted) => {
      expect(wanted.type.test('image/svg+xml') || wanted.type.test('text/html')).toBe(false)
      return bytesOf(text)
    },
    ipfs,
    log: { warn: () => {} },
    now: () => 0,
  })
  expect((await remote.picture('https://example.com/1'))?.type ?? null).toBe(type)
})

test('1 a failed fetch returns nothing, and logs only its reason', async () => {
  const lines: unknown[] = []
  const remote = createRemote({
    fetchPublic: () => Promise.reject(new RemoteError('timeout')),
    ipfs,
    log: { warn: (line: unknown) => void lines.push(line) },
    now: () => 0,
  })
  expect(await remote.text('https://example.com/secret')).toBeNull()
  expect(await remote.picture('https://example.com/secret')).toBeNull()
  expect(await remote.text('http://example.com/')).toBeNull()
  expect(lines).toEqual([{ reason: 'timeout' }, { reason: 'timeout' }])
})
