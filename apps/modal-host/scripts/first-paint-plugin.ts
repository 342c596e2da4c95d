/**
 * Puts what the first paint needs into one file, whatever of it the later files use too: fewer requests, and it is compressed as one. Left to
 * itself the bundler makes a file of each part that a later one shares.
 */
import type { Plugin } from 'vite'
import { inlineRuntime } from './inline-runtime'
import { definedNames, namesTaken } from './names-taken'

/** The protocol's index names all of it. A file that imports from it needs the parts that define what it takes, and no others. */
const protocolIndex = /\/packages\/protocol\/src\/index\.ts$/

/**
 * Later views in two files, those of the embedded wallet and all others: they come together once the browser is idle, and the name of each file
 * more would stand in the first one.
 */
const laterViews = /\/(apps\/modal-host\/src\/(views\/|view-kit\/|boot\/(later-|top-level))|packages\/ui\/)/
const embeddedViews =
  /\/src\/(view-kit\/(sign-in|embedded|WholeAddress)\b|views\/(EmailVerify\w+|ConnectingSocial|ConnectingFarcaster|ApproveTransaction|AccountTypes|WalletSecurity|UpdateEmail|DeleteAccount)\b)|packages\/ui\/src\/(code-field|facts)/

/** What a session needs once something is on show: one file too, with whatever of it several of these share. */
const laterSession =
  /\/(apps\/modal-host\/src\/(host\/(later|parts)|services\/(http-calls|directory-query)|connectors\/load-page-connector)|packages\/chains\/src\/(json-rpc|esplora|adapters))\.ts$/

export function firstPaintPlugin(): Plugin {
  const first = new Set<string>()
  const later = new Set<string>()
  return {
    name: 'postern-first-paint',
    apply: 'build',
    config: () => ({
      build: {
        rolldownOptions: {
          // Numbers and words that several files share stand in each of them, which is shorter than the name by which they would be shared.
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
      /** Adds the modules, and whatever they import at once that is nowhere yet. */
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
