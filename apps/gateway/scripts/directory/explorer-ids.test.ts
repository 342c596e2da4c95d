import { readFile } from 'node:fs/promises'
import { WalletEntry } from '@postern/protocol'
import { describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { explorerSources } from './explorer-ids'

const shipped = new URL('../../data/', import.meta.url)

describe('explorer ids from snapshots', async () => {
  const wallets = z.array(WalletEntry).parse(JSON.parse(await readFile(new URL('wallets.json', shipped), 'utf8')))
  const notice = await readFile(new URL('NOTICE.md', shipped), 'utf8')

  it('are each given once, and are in the directory', () => {
    const given = explorerSources.flatMap(({ ids }) => Object.entries(ids))
    const ids = given.flatMap(([, each]) => each)
    expect(new Set(ids).size).toBe(ids.length)
    for (const [wallet, each] of given)
      expect(wallets.find(({ id }) => id === wallet)?.explorer_ids, wallet).toEqual(expect.arrayContaining([...each]))
  })

  it('have sources that NOTICE.md credits', () => {
    for (const { name, version, license } of explorerSources) {
      expect(notice).toContain(`| \`${name}\` ${version} | ${license} |`)
    }
  })
})
