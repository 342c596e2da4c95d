import { loadAdapter } from '@postern/chains/adapters'

/** Lazy loaders. A separate file, so that the first paint does not list their chunks. */
export const parts = {
  walletFrameDom: () => import('../connectors/embedded/wallet-frame/dom'),
  describeApproval: () => import('../intent/describe'),
  walletConnect: () => import('../connectors/walletconnect/index'),
  adapter: loadAdapter,
}
