import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import * as z from 'zod/mini'

/** The versions of the crypto libraries that may be installed, each with its reason. */
const allowed: ReadonlyMap<string, string> = new Map([
  ['@noble/curves 1.9.7', 'ours; viem, ox, bip32 and WalletConnect import paths that 2.x no longer has'],
  ['@noble/hashes 1.8.0', 'ours; required by @noble/curves 1.9.7'],
  ['@scure/base 1.2.6', 'ours; required by bip32, bip39 and WalletConnect'],
  ['@noble/curves 2.4.0', 'end-to-end tests: mobile-wallet-adapter-protocol requires 2.2 or newer'],
  ['@noble/hashes 2.4.0', 'required by @noble/curves 2.4.0'],
])

/** Only these packages may have the 2.x versions: they are never part of what we ship. */
const newerOnlyIn = /^node_modules\/@solana-mobile\/mobile-wallet-adapter-protocol\/node_modules\//

const Lock = z.object({
  packages: z.record(z.string(), z.object({ version: z.optional(z.string()), dev: z.optional(z.boolean()) })),
})

const installed = Object.entries(Lock.parse(JSON.parse(readFileSync('package-lock.json', 'utf8'))).packages).flatMap(
  ([path, { version, dev = false }]) => {
    const name = /(?:^|\/)node_modules\/(@noble\/(?:curves|hashes)|@scure\/base)$/.exec(path)?.[1]
    return name === undefined ? [] : [{ path, name, version, dev }]
  },
)

it('every version of a crypto library in the lock file has a reason', () => {
  const names = [...new Set(installed.map(({ name, version }) => `${name} ${version}`))]
  expect(names.filter((name) => !allowed.has(name))).toEqual([])
  expect([...allowed.keys()].filter((name) => !names.includes(name))).toEqual([])
})

it('shipped code has one version of each', () => {
  const newer = installed.filter(({ version }) => version?.startsWith('2.'))
  expect(newer.filter(({ path, dev }) => !dev || !newerOnlyIn.test(path))).toEqual([])
})
