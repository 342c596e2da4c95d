/**
 * Puts what the first paint needs into one file, whatever of it the later files use too: fewer requests, and it is compressed as one. Left to
 * itself the bundler makes a file of each part that a later one shares.
 */
import type { Plugin } from 'vite'

/**
 * Parts of the protocol that its index names, and that only later files use: the bundler knows that by what they take, not by what they import.
 */
const laterOnly = /\/packages\/protocol\/src\/(approval|rpc-methods|wallet-api|wallet-errors|wallet-frame|wallet-requests|validation\/wallet-links)\.ts$/

export function firstPaintPlugin(): Plugin {
  const first = new Set<string>()
  return {
    name: 'postern-first-paint',
    apply: 'build',
    config: () => ({
      build: {
        rolldownOptions: {
          output: {
            codeSplitting: { groups: [{ debugName: 'first', name: (id) => (first.has(id) ? 'first' : null) }] },
          },
        },
      },
    }),
    buildEnd() {
      first.clear()
      const next = [...this.getModuleIds()].filter((id) => this.getModuleInfo(id)?.isEntry)
      for (let id = next.pop(); id !== undefined; id = next.pop()) {
        if (first.has(id) || laterOnly.test(id)) continue
        first.add(id)
        next.push(...(this.getModuleInfo(id)?.importedIds ?? []))
      }
    },
  }
}
