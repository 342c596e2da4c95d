import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import * as vue from '@vue/compiler-sfc'
import { parseAst } from 'vite'
import { describe, expect, it } from 'vitest'
import * as yaml from 'yaml'
import { codeOf, stacks } from '../../apps/docs/src/configurator/code'
import { type Control, controlsOf, groups, optionsOf, type Value } from '../../apps/docs/src/configurator/controls'
import { sveltePlugin } from '../../packages/client-sdk/scripts/svelte-plugin'
import { typescript } from '../lib/typescript'
import { trackedFiles } from './tracked-files'

type Block = { readonly page: string; readonly line: number; readonly language: string; readonly code: string }

/** The decisions and changesets tell of their day. */
const pages = trackedFiles(['*.md']).filter((page) => !/^(\.changeset|docs\/internals\/decisions)\//.test(page))

/** Shown, and compiled by nothing. */
const notCode = new Set(['', 'sh', 'sql', 'css', 'mermaid'])

function blocksOf(page: string, text = readFileSync(page, 'utf8')): Block[] {
  const lineAt = (index: number) => text.slice(0, index).split('\n').length
  return [...text.matchAll(/^( *)```([^\n]*)\n([\s\S]*?)^\1```$/gm)].flatMap(
    ({ 2: language = '', 3: code = '', index }) => checked({ page, line: lineAt(index), language, code }),
  )
}

/** What TypeScript is to check of a block; data must parse. */
function checked(block: Block): Block[] {
  const { page, line, language, code } = block
  if (/^tsx?$/.test(language)) return [block]
  if (/^(vue|svelte|html)$/.test(language)) return scriptsOf(block)
  try {
    if (language === 'json') JSON.parse(code)
    else if (language === 'yaml') yaml.parse(code)
    else if (!notCode.has(language)) throw new Error(`is ${language}, which this test does not compile`)
  } catch (error) {
    throw new Error(`${page}:${line} ${error instanceof Error ? error.message : String(error)}`)
  }
  return []
}

/** The scripts of a component, at their lines. Its template must compile too; of a page's scripts only the syntax counts. */
function scriptsOf(block: Block): Block[] {
  const { page, line, language, code } = block
  const errors = templateErrors(block)
  if (errors.length > 0) throw new Error(`${page}:${line} ${errors.join(', ')}`)
  return [...code.matchAll(/<script(?![^>]*\ssrc=)[^>]*>([\s\S]*?)<\/script>/g)].flatMap(
    ({ 0: all, 1: script = '', index }) => {
      if (language === 'html') {
        parseAst(script)
        return []
      }
      const before = code.slice(0, index + all.indexOf(script)).split('\n').length - 1
      const stores = language === 'svelte' ? storesOf(script) : ''
      return [{ page, line: line + before - 1, language: 'ts', code: `${stores}\n${script}` }]
    },
  )
}

/** `$name` is the value of the store `name`; of runes Svelte has the types. */
function storesOf(script: string): string {
  const runes = new Set(['state', 'derived', 'effect', 'props', 'bindable', 'inspect', 'host'])
  const names = new Set(
    [...script.matchAll(/\$([a-z]\w*)/g)].map(([, name = '']) => name).filter((name) => !runes.has(name)),
  )
  const value = 'type Value<S> = S extends { subscribe(run: (value: infer T) => void): unknown } ? T : never'
  return ["import 'svelte'", value, ...[...names].map((name) => `declare const $${name}: Value<typeof ${name}>`)].join(
    '; ',
  )
}

function templateErrors({ language, code }: Block): string[] {
  // Throws where it does not compile.
  if (language === 'svelte') sveltePlugin.transform(code, 'page.svelte')
  if (language !== 'vue') return []
  const { descriptor, errors } = vue.parse(code)
  if (errors.length > 0 || descriptor.template === null) return errors.map(({ message }) => message)
  const { bindings } = vue.compileScript(descriptor, { id: 'page' })
  const { content: source } = descriptor.template
  const compiled = vue.compileTemplate({
    ...{ id: 'page', filename: 'page.vue', source },
    compilerOptions: { ...(bindings !== undefined && { bindingMetadata: bindings }) },
  })
  return compiled.errors.map(String)
}

/** What the configurator writes, with every option that it has. */
function configurator(): Block[] {
  const all = groups.flatMap(({ of }) => of.flatMap(controlsOf))
  const values = Object.fromEntries(all.map((control) => [control.path, otherThanInitial(control)]))
  const files = stacks.flatMap((stack) => codeOf(stack, optionsOf(values), null).map((file) => ({ stack, ...file })))
  return files.flatMap(({ stack, name, language, code }): Block[] => {
    const block = { page: `configurator/${stack}/${name}`, line: 0, language, code: `${code}\n` }
    return /^tsx?$/.test(language) ? [block] : scriptsOf(block)
  })
}

function otherThanInitial(control: Control): Value {
  if (control.kind === 'flag') return !control.initial
  if (control.kind === 'range') return control.initial === control.max ? control.min : control.max
  if (control.kind === 'choice') return control.values.find((value) => value !== control.initial) ?? ''
  if (control.kind === 'many') return control.values.slice(0, 1)
  if (control.kind === 'words') return (control.placeholder ?? '').split(' ')
  return control.kind === 'color' ? '#123456' : 'https://shop.example'
}

/** TypeScript's errors in the blocks, each with the place in its page. */
function errorsOf(blocks: readonly Block[], folder: string): string[] {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(path.join(folder, 'before'), { recursive: true })
  const root = path.resolve('.')
  const source = (file: string) => path.join(root, file)
  // What a dapp moves away from needs an older wagmi.
  symlinkSync(source('dapps/node_modules'), path.join(folder, 'before/node_modules'))
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
          ethers: [source('dapps/node_modules/ethers')],
          svelte: [source('packages/client-sdk/node_modules/svelte')],
          '@postern/client': [source('packages/client-sdk/src/index.ts')],
          '@postern/client/elements': [source('packages/client-sdk/src/elements/index.ts')],
          '@postern/client/*': [source('packages/client-sdk/src/*')],
          '@postern/siwx': [source('packages/siwx/src/index.ts')],
          '@postern/siwx/*': [source('packages/siwx/src/*/index.ts')],
          '@postern/testing/*': [source('packages/testing/src/*/index.ts')],
        },
      },
      include: [
        './*',
        './before/*',
        source('scripts/lint/code-blocks.d.ts'),
        source('packages/devnet/src/bitcoin/bcoin.d.ts'),
      ],
    }),
  )
  // The guide's server, which its other blocks import.
  writeFileSync(path.join(folder, 'siwx.ts'), readFileSync('packages/siwx/src/examples/siwx.ts', 'utf8'))
  const imported = new Set(
    blocks.flatMap(({ code }) => [...code.matchAll(/from '\.\/([\w.-]+)'/g)].map(([, name]) => name)),
  )
  blocks.forEach(({ language, code }, index) => {
    const isBefore = code.startsWith('// before\n')
    writeFileSync(path.join(folder, isBefore ? 'before' : '', `block-${index}.${language}`), code)
    // A block that begins with the name of its file can be imported by the others.
    const [, name] = /^\/\/ (?:\S+\/)?([\w.-]+)\.tsx?\n/.exec(code) ?? []
    if (name !== undefined && imported.has(name))
      writeFileSync(path.join(folder, `${name}.ts`), `export * from './block-${index}'\n`, { flag: 'wx' })
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
    const component =
      '<script setup lang="ts">\nconst five: number = true\n</script>\n<template><p>{{ five }}</p></template>'
    const wrongInVue = scriptsOf({ page: 'other.md', line: 3, language: 'vue', code: component })
    expect(() =>
      scriptsOf({ page: 'a.md', line: 1, language: 'vue', code: '<template><p v-if></p></template>' }),
    ).toThrow()
    expect(() => scriptsOf({ page: 'a.md', line: 1, language: 'html', code: '<script>open(</script>' })).toThrow()
    expect(() => blocksOf('a.md', '\n```json\n{ a: 1 }\n```')).toThrow('a.md:2 ')
    expect(() => blocksOf('a.md', '1.\n   ```jsx\n   <a/>\n   ```')).toThrow('a.md:2 is jsx')
    const blocks = [...pages.flatMap((page) => blocksOf(page)), ...configurator()]
    expect(blocks.length).toBeGreaterThan(30)
    expect(errorsOf([wrong, ...wrongInVue, ...blocks], '.postern/code-blocks')).toEqual([
      "page.md:9 error TS2322: Type 'string' is not assignable to type 'number'.",
      "other.md:5 error TS2322: Type 'boolean' is not assignable to type 'number'.",
    ])
  })
})
