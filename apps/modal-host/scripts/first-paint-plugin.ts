/**
 * Bundles everything for the first paint, shared modules too, into one file: fewer requests, better compression. By
 * default, each shared module gets a file.
 */
import type { Plugin } from 'vite'
import { inlineRuntime } from './inline-runtime'
import { definedNames, namesTaken } from './names-taken'

/** The protocol's index re-exports everything; an importer needs only the modules that it uses. */
const protocolIndex = /\/packages\/protocol\/src\/index\.ts$/

/**
 * Two files, the embedded wallet's views and all others. They load together when idle, and the first file names each
 * further one.
 */
const laterViews = /\/(apps\/modal-host\/src\/(views\/|view-kit\/|boot\/(later-|top-level))|packages\/ui\/)/
const embeddedViews =
  /\/src\/(view-kit\/(sign-in|embedded|WholeAddress)\b|views\/(EmailVerify\w+|ConnectingSocial|ConnectingFarcaster|ApproveTransaction|AccountTypes|WalletSecurity|UpdateEmail|DeleteAccount)\b)|packages\/ui\/src\/(code-field|facts)/

/** Needed after the first paint, with what they share. */
const laterSession =
  /\/(apps\/modal-host\/src\/(host\/page-services|services\/(http-calls|directory-query))|packages\/chains\/src\/(json-rpc|esplora|adapters))\.ts$/

export function firstPaintPlugin(): Plugin {
  const first = new Set<string>()
  const later = new Set<string>()
  return {
    name: 'postern-first-paint',
    apply: 'build',
    config: () => ({
      build: {
        rolldownOptions: {
          // Inlining shared constants is shorter than importing them.
          optimization: { inlineConst: { mode: 'all' } },
          output: {
            codeSplitting: {
              groups: [
                { debugName: 'first', name: (id) => (first.has(id) ? 'first' : null) },
                { debugName: 'later', name: (id) => (later.has(id) ? 'later' : null) },
                { debugName: 'embedded', name: (id) => (embeddedViews.test(id) ? 'embedded-views' : null) },
                { debugName: 'views', name: (id) => (laterViews.test(id) ? 'views' : null) },
              ],
            },
          },
        },
      },
    }),
    buildEnd() {
      const infoOf = (id: string) => this.getModuleInfo(id)
      const all = [...this.getModuleIds()]
      const partsOf = (index: string): readonly { readonly id: string; readonly names: ReadonlySet<string> }[] =>
        (infoOf(index)?.importedIds ?? []).map((id) => ({ id, names: definedNames(infoOf(id)?.code ?? '') }))
      const index = all.find((id) => protocolIndex.test(id))
      const parts = index === undefined ? [] : partsOf(index)
      /** Adds modules and their static imports, except other groups' ones. */
      function fill(group: Set<string>, beginning: readonly string[], elsewhere?: ReadonlySet<string>): void {
        group.clear()
        const next = [...beginning]
        for (let id = next.pop(); id !== undefined; id = next.pop()) {
          if (group.has(id) || elsewhere?.has(id) || id === index) continue
          group.add(id)
          const { importedIds = [], code = '' } = infoOf(id) ?? {}
          next.push(...importedIds)
          if (index === undefined || !importedIds.includes(index)) continue
          const taken = namesTaken(code ?? '', '@postern/protocol')
          next.push(...parts.filter(({ names }) => taken.some((name) => names.has(name))).map((part) => part.id))
        }
      }
      fill(
        first,
        all.filter((id) => infoOf(id)?.isEntry),
      )
      fill(
        later,
        all.filter((id) => laterSession.test(id)),
        first,
      )
    },
    generateBundle: {
      order: 'pre',
      handler: (_options, bundle) => inlineRuntime(bundle),
    },
  }
}
