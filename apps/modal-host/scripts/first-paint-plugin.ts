/**
 * Puts what the first paint needs into one file, whatever of it the later files use too: fewer requests, and it is compressed as one. Left to
 * itself the bundler makes a file of each part that a later one shares.
 */
import type { Plugin } from 'vite'

/**
 * Parts of the protocol that its index names, and that only later files use: the bundler knows that by what they take, not by what they import.
 */
const laterOnly =
  /\/packages\/protocol\/src\/(approval|rpc-methods|stored|wallet-api|wallet-errors|wallet-frame|wallet-requests|validation\/(rpc|wallet-links))\.ts$/

/**
 * Later views in two files, those of the embedded wallet and all others: they come together once the browser is idle, and the name of each file
 * more would stand in the first one.
 */
const laterViews = /\/apps\/modal-host\/src\/(views|ui)\//
const embeddedViews =
  /\/src\/(views\/(sign-in|embedded|EmailVerify\w+|ConnectingSocial|ConnectingFarcaster|ApproveTransaction|AccountTypes|WalletSecurity|UpdateEmail|DeleteAccount|WholeAddress)\b|ui\/(code-field|facts))/

export function firstPaintPlugin(): Plugin {
  const first = new Set<string>()
  return {
    name: 'postern-first-paint',
    apply: 'build',
    config: () => ({
      build: {
        rolldownOptions: {
          output: {
            codeSplitting: {
              groups: [
                { debugName: 'first', name: (id) => (first.has(id) ? 'first' : null) },
                { debugName: 'embedded', name: (id) => (embeddedViews.test(id) ? 'embedded-views' : null) },
                { debugName: 'views', name: (id) => (laterViews.test(id) ? 'views' : null) },
              ],
            },
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
