import { readdirSync, readFileSync } from 'node:fs'
import { errors } from '@postern/protocol'
import { describe, expect, it } from 'vitest'
import { slugOf, targetOf } from './markdown'
import { groups } from './pages'

const docs = new URL('../../../docs/', import.meta.url)
const links = groups.flatMap(({ items }) => items.map(({ link }) => link))

describe('the pages of the site', () => {
  it('are the files of `docs/`', () => {
    const files = readdirSync(docs, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.md') && !/^(README\.md|internals\/decisions\/)/.test(name))
      .map((name) => `/${name.replace(/\.md$/, '')}`)
    expect([...links].sort()).toEqual(files.sort())
  })

  it('have a place each', () => {
    expect(new Set(links).size).toBe(links.length)
  })
})

describe('the addresses in errors', () => {
  it('lead to a heading of the page of errors', () => {
    const page = readFileSync(new URL('reference/errors.md', docs), 'utf8')
    const anchors = new Set([...page.matchAll(/^## (.+)$/gm)].map(([, heading = '']) => slugOf(heading)))
    // As `PosternError` writes them.
    const missing = Object.keys(errors).filter((code) => !anchors.has(code.toLowerCase()))
    expect(missing).toEqual([])
    expect(anchors.size).toBeGreaterThan(30)
  })
})

describe('links', () => {
  it.each([
    ['start/html.md', '../reference/options.md', '../reference/options.md'],
    ['start/html.md', 'troubleshooting.md#x', 'troubleshooting.md#x'],
    ['README.md', '#words', '#words'],
    ['README.md', 'https://example.com/a', 'https://example.com/a'],
    ['README.md', '../CONTRIBUTING.md', 'https://github.com/postern-wallet/postern/blob/main/CONTRIBUTING.md'],
    [
      'internals/architecture.md',
      '../../packages/protocol/src/origins.ts#L1',
      'https://github.com/postern-wallet/postern/blob/main/packages/protocol/src/origins.ts#L1',
    ],
  ])('of %s to %s lead to %s', (page, href, target) => {
    expect(targetOf(page, href)).toBe(target)
  })

  it('use headings as GitHub does', () => {
    expect(slugOf('I build a dapp')).toBe('i-build-a-dapp')
    expect(slugOf('USER_REJECTED')).toBe('user_rejected')
    expect(slugOf('WalletConnect’s licence')).toBe('walletconnects-licence')
  })
})
