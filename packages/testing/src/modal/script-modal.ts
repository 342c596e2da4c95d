import { standInForFrames } from './frames'
import { createScriptedHost } from './host'
import { openPageLink, type PageLink } from './page-link'
import type { ModalScript, ScriptedModal } from './script'

/**
 * Replaces the modal in jsdom or happy-dom, over the real page link.
 * The dapp's code and `@postern/client` run unchanged; the script acts as the user and the wallet behind the modal.
 *
 * 1. Call it before the dapp's first use of Postern. Every instance of the page gets the same modal.
 * 2. Call `restore` after each test: it removes what was added to the page.
 *
 * @example
 * const modal = scriptModal({
 *   connect: { address: '0x1111111111111111111111111111111111111111', chainId: 1 },
 *   requests: { personal_sign: () => '0x…' },
 * })
 */
export function scriptModal(
  script: ModalScript = {},
  { window = globalThis.window }: { readonly window?: Window & typeof globalThis } = {},
): ScriptedModal {
  const links = new Set<PageLink>()
  const host = createScriptedHost({
    script,
    warn: (text) => window.console.warn(text),
    emit(state) {
      for (const { emit } of links) emit('state', state)
    },
  })
  const restoreFrames = standInForFrames({
    window,
    onHello(port) {
      const link = openPageLink({
        port,
        handlers: host.handlersFor((method, params) => link.ask(method, params)),
        onDismiss: host.controls.leave,
      })
      links.add(link)
    },
  })
  return {
    ...host.controls,
    restore() {
      host.controls.leave()
      for (const { end } of links) end()
      links.clear()
      restoreFrames()
    },
  }
}
