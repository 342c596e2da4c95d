import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { typescript } from '../lib/typescript'
import { trackedFiles } from './tracked-files'

type Block = { readonly page: string; readonly line: number; readonly language: string; readonly code: string }

/** The decisions and changesets tell of their day. */
const pages = trackedFiles(['*.md']).filter((page) => !/^(\.changeset|docs\/internals\/decisions)\//.test(page))

function blocksOf(page: string): Block[] {
  const text = readFileSync(page, 'utf8')
  return [...text.matchAll(/^```(tsx?)\n([\s\S]*?)^```$/gm)].map(({ 1: language = '', 2: code = '', index }) => ({
    page,
    line: text.slice(0, index).split('\n').length,
    language,
    code,
  }))
}

/** TypeScript's errors in the blocks, each with the place in its page. */
function errorsOf(blocks: readonly Block[], folder: string): string[] {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const root = path.resolve('.')
  const source = (file: string) => path.join(root, file)
  writeFileSync(
    path.join(folder, 'tsconfig.json'),
    JSON.stringify({
      extends: source('tsconfig.base.json'),
      compilerOptions: {
        lib: ['ES2023', 'DOM', 'DOM.Iterable', 'DOM.AsyncIterable'],
        types: ['node', 'vite/client'],
        typeRoots: [source('node_modules/@types'), source('node_modules')],
        moduleDetection: 'force',
        noUnusedLocals: false,
        noUnusedParameters: false,
        paths: {
          '@postern/client': [source('packages/client-sdk/src/index.ts')],
          '@postern/client/elements': [source('packages/client-sdk/src/elements/index.ts')],
          '@postern/client/*': [source('packages/client-sdk/src/*')],
          '@postern/siwx': [source('packages/siwx/src/index.ts')],
          '@postern/siwx/*': [source('packages/siwx/src/*/index.ts')],
          '@postern/testing/*': [source('packages/testing/src/*/index.ts')],
        },
      },
      include: ['./*', source('scripts/lint/code-blocks.d.ts'), source('packages/devnet/src/bitcoin/bcoin.d.ts')],
    }),
  )
  // The guide's server, which its other blocks import.
  writeFileSync(path.join(folder, 'siwx.ts'), readFileSync('packages/siwx/src/examples/siwx.ts', 'utf8'))
  blocks.forEach(({ language, code }, index) => {
    writeFileSync(path.join(folder, `block-${index}.${language}`), code)
  })
  const { stdout } = spawnSync(process.execPath, [typescript, '-p', folder], { encoding: 'utf8' })
  return stdout.split('\n').flatMap((text) => {
    const { 1: index = '', 2: line = '', 3: message = '' } = /block-(\d+)\.tsx?\((\d+),\d+\): (.*)/.exec(text) ?? []
    const block = blocks[Number(index)]
    if (index === '' || block === undefined) return text.includes('error TS') ? [text] : []
    return [`${block.page}:${block.line + Number(line)} ${message}`]
  })
}

describe('code blocks of the documentation', () => {
  it('compile, with the context of `code-blocks.d.ts`; a wrong one is found at its line', { timeout: 180_000 }, () => {
    const wrong = { page: 'page.md', line: 7, language: 'ts', code: "\nconst four: number = 'four'\n" }
    const blocks = pages.flatMap(blocksOf)
    expect(blocks.length).toBeGreaterThan(30)
    expect(errorsOf([wrong, ...blocks], '.postern/code-blocks')).toEqual([
      "page.md:9 error TS2322: Type 'string' is not assignable to type 'number'.",
    ])
  })
})
