import { loadAdapter } from '@postern/chains/adapters'

/** What a session fetches when somebody first needs it. A file of its own, so that the first paint does not name their many files either. */
export const parts = {
  walletFrameDom: () => import('../connectors/embedded/wallet-frame/dom'),
  describeApproval: () => import('../intent/describe'),
  walletConnect: () => import('../connectors/walletconnect/index'),
  adapter: loadAdapter,
}
