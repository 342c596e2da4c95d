import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { EndpointUrl, NetworkId, readJsonSetting } from './json-setting'

const Urls = z.record(NetworkId, z.array(EndpointUrl))

function read(source: string | undefined) {
  const problems: string[] = []
  return { value: readJsonSetting('URLS', Urls, source, problems), problems }
}

test('reads the text, or the file that it names', async () => {
  const dir = await mkdtemp(path.join(tmpdir(), 'postern-setting-'))
  const file = path.join(dir, 'urls.json')
  const text = '{ "eip155:1": ["https://node.example.com"] }'
  await writeFile(file, `\uFEFF${text}`)
  for (const source of [text, `\n ${text}`, file, path.relative('.', file)]) {
    expect(read(source)).toEqual({ value: { 'eip155:1': ['https://node.example.com'] }, problems: [] })
  }
  await writeFile(file, `${text},`)
  expect(read(file).problems).toEqual(['URLS is not valid JSON'])
  await rm(dir, { recursive: true })
})

test.each([
  ['hush', 'URLS must be JSON, or a file that can be read'],
  ['/nowhere/hush', 'URLS must be JSON, or a file that can be read'],
  ['{"eip155:1": hush', 'URLS is not valid JSON'],
  ['["hush"]', 'URLS: Expected object, received array'],
  ['{"ethereum": []}', 'URLS.ethereum: must be the id of a network, such as eip155:1'],
  ['{"eip155:1": ["hush"]}', 'URLS.eip155:1[0]: must be an http or https URL'],
  ['{"eip155:1": [7]}', 'URLS.eip155:1[0]: must be an http or https URL'],
  [
    '{"eip155:1": ["https://hush@a.example"]}',
    'URLS.eip155:1[0]: has user:password@: put the key into its path or query',
  ],
  // A value in the place of a name.
  ['{"https://node.example.com/hush": "eip155:1"}', 'URLS.…: must be the id of a network, such as eip155:1'],
])('says what is wrong with %s, and not what it is', (source, problem) => {
  expect(read(source)).toEqual({ value: undefined, problems: [problem] })
})

test('names a member that does not belong there, unless it may be a value', () => {
  const problems: string[] = []
  const key = 'hush'.repeat(11)
  readJsonSetting('KEYS', z.strictObject({}), JSON.stringify({ clientID: 1, 'a/hush': 2, [key]: 3 }), problems)
  expect(problems).toEqual(["KEYS: Unrecognized key(s) in object: 'clientID', '…', '…'"])
})

test('is undefined if not set', () => {
  expect(read(undefined)).toEqual({ value: undefined, problems: [] })
})
