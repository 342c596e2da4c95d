import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { readArguments, usage } from './arguments'
import { UserError } from './create'

const read = (words: readonly string[], env: Record<string, string> = {}) => {
  try {
    return readArguments(words, env)
  } catch (error) {
    if (error instanceof UserError) return error.message
    throw error
  }
}

test.each([
  [[], { folder: undefined, template: undefined, help: false }],
  [['my-dapp', '--template', 'next'], { folder: 'my-dapp', template: 'next', help: false }],
  [['-t', 'html'], { folder: undefined, template: 'html', help: false }],
  [['--help'], { folder: undefined, template: undefined, help: true }],
])('%j', (words, expected) => expect(read(words)).toEqual(expected))

describe('what npm took for itself, without `--`, is answered with the command to run', () => {
  test.each([
    ['--template next', { npm_config_template: 'true' }, ['next'], '-- --template next'],
    ['my-dapp --template next', { npm_config_template: 'true' }, ['my-dapp', 'next'], 'my-dapp -- --template next'],
    ['--template next my-dapp', { npm_config_template: 'true' }, ['next', 'my-dapp'], 'my-dapp -- --template next'],
    ['my-dapp --template=next', { npm_config_template: 'next' }, ['my-dapp'], 'my-dapp -- --template next'],
    ['my-dapp -t next', { npm_config_t: 'true' }, ['my-dapp', 'next'], 'my-dapp -- --template next'],
    ['my-dapp --template nxt', { npm_config_template: 'true' }, ['my-dapp', 'nxt'], 'my-dapp -- --template NAME'],
  ])('npm create postern %s', (_, env, words, command) => {
    const option = 'npm_config_t' in env ? '-t' : '--template'
    expect(read(words, env)).toBe(
      `npm kept ${option} for itself. Put -- before it:\n\n  npm create postern@latest ${command}\n`,
    )
  })

  test('and not if another program named it', () => {
    expect(read(['my-dapp', '--template', 'next'], { npm_config_template: 'true' })).toMatchObject({ template: 'next' })
  })
})

test.each([
  [['--templat', 'next'], "Unknown option '--templat'."],
  [['my-dapp', '--template'], "Option '-t, --template <value>' argument missing."],
  [['my', 'dapp'], 'One folder is expected, not 2: my, dapp.'],
])('%j gets the usage', (words, message) => expect(read(words)).toBe(`${message}\n\n${usage}`))

test('without a terminal, what is missing is named', () => {
  const program = fileURLToPath(new URL('index.ts', import.meta.url))
  const { stderr, stdout, status } = spawnSync(process.execPath, ['--import', 'tsx', program], {
    stdio: ['ignore', 'pipe', 'pipe'],
    encoding: 'utf8',
  })
  expect([stdout, status]).toEqual(['', 1])
  expect(stderr).toBe(`Template is missing, and there is no terminal to ask in.\n\n${usage}\n`)
})
