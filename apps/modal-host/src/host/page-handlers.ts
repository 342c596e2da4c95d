import type { OnceLoaded } from '@postern/base/once-loaded'
import type { Namespace } from '@postern/protocol'
import { Failure } from '@postern/protocol/failure'
import type { HostHandlers, PageHandlers } from '../page-link/host-methods'
import type { Opener } from './opener'
import type { PageConnections } from './page-connections'
import type { PageServices } from './page-services'
import { type PageSessionOptions, type PageSetup, themed } from './page-setup'

export function createPageHandlers(options: {
  readonly page: Pick<PageSessionOptions, 'store' | 'modal' | 'project'>
  readonly setup: Pick<PageSetup, 'namespaces' | 'storage' | 'changeFeatures'>
  readonly connections: PageConnections
  readonly services: OnceLoaded<PageServices>
  readonly opener: Opener
  readonly connect: HostHandlers['connect']
  /** Makes the namespace's account the active one; false without an account. */
  readonly choose: (namespace: Namespace) => boolean
}): PageHandlers {
  const { page, setup, connections, services, opener, connect } = options
  const { store, modal, project } = page
  return {
    open({ view, swap, namespace }) {
      if (namespace === undefined || options.choose(namespace)) opener.open(view, swap)
      else opener.openConnect()
      return null
    },
    close() {
      if (!modal.close()) throw new Failure('CLOSE_REFUSED')
      return null
    },
    connect,
    pay: (payment, signal) => services.call(({ payments }) => payments.pay(payment, signal)),
    async disconnect({ namespace }) {
      await connections.disconnect(namespace && [namespace])
      return null
    },
    async switchNetwork({ network }, signal) {
      await services.call((code) => code.switchTo(network, signal))
      return null
    },
    setTheme(theme) {
      store.setState(themed(project, theme))
      return null
    },
    setOptions({ locale, features, metadata, ...pictures }) {
      store.setState(({ brand }) => ({ brand: { ...brand, ...pictures } }))
      if (locale !== undefined) store.setState({ locale })
      if (metadata !== undefined) store.setState({ metadata })
      if (features !== undefined) connections.walletList.setFeatures(setup.changeFeatures(features))
      return null
    },
    rpc: (params, signal) => services.call((code) => code.rpc(params, signal)),
    peerChanged({ stored }) {
      setup.storage.reload(stored)
      connections.resync()
      return null
    },
    ping: () => null,
    diagnose: (params, signal) => services.call((code) => code.diagnose(params, signal)),
    getIdentityToken: (params, signal) => services.call((code) => code.identityToken(params, signal)),
    getWallets: () => services.call((code) => code.wallets()),
    getProfile: (params, signal) => services.call((code) => code.profile(params, signal)),
  }
}
