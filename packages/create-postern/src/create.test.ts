import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createApp, nextSteps, packageNameOf, UserError } from './create'
import { templateNames, templates } from './templates'

const examples = path.resolve(import.meta.dirname, '../../../examples')

let place = ''
beforeEach(async () => {
  place = await mkdtemp(path.join(tmpdir(), 'create-postern-'))
})
afterEach(() => rm(place, { recursive: true }))

describe('createApp', () => {
  test.each(templateNames)('writes %s with a name of its own', async (name) => {
    const folder = path.join(place, 'My Dapp')
    await createApp(folder, name, examples)
    const made: unknown = JSON.parse(await readFile(path.join(folder, 'package.json'), 'utf8'))
    expect(made).toMatchObject({ name: 'my-dapp', private: true })
    expect(await readFile(path.join(folder, '.gitignore'), 'utf8')).toContain('node_modules\n')
  })

  test('writes nothing into a folder that has something', async () => {
    await writeFile(path.join(place, 'notes.txt'), 'mine')
    await expect(createApp(place, 'html', examples)).rejects.toThrow(UserError)
    expect(await readdir(place)).toEqual(['notes.txt'])
    await expect(createApp(path.join(place, 'notes.txt'), 'html', examples)).rejects.toThrow('is a file')
  })

  test('takes an empty repository', async () => {
    await mkdir(path.join(place, '.git'))
    await createApp(place, 'html', examples)
    expect(await readdir(place)).toContain('index.html')
  })
})

test('every example is a template', async () => {
  const folders = (await readdir(examples, { withFileTypes: true })).filter((entry) => entry.isDirectory())
  const used = new Set<string>(templateNames.map((name) => templates[name].example))
  expect(folders.map(({ name }) => name).filter((name) => !used.has(name))).toEqual([])
})

test.each([
  ['my-dapp', 'my-dapp'],
  ['/tmp/My Dapp!', 'my-dapp'],
  ['.hidden', 'hidden'],
])('the package of %s is called %s', (folder, name) => expect(packageNameOf(folder)).toBe(name))

test.each(['///', '###'])('%s gives no name', (folder) => expect(() => packageNameOf(folder)).toThrow(UserError))

test('the next steps enter the folder in each terminal', () => {
  expect(nextSteps('My Dapp', '/home/me')).toBe(`
My Dapp is ready. Next:

  cd "My Dapp"
  npm install
  npx @postern/gateway dev

It keeps running. In a second terminal:

  cd "My Dapp"
  npm run dev
`)
  expect(nextSteps('.', '/home/me')).not.toContain('cd ')
})
