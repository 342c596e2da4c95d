import { eip155Rules } from '../recipient/eip155'
import type { NamespaceFeatures } from './namespace-features'

const loadContract = () => import('@postern/chains/eip155/contract')

export const eip155: NamespaceFeatures = {
  recipient: eip155Rules,
  loadSender: async () => (await import('../send/senders/eip155')).sender,
  tokenFacts: async (...token) => (await loadContract()).tokenFacts(...token),
  isTokenSilent: async (...token) => (await (await loadContract()).hasCode(...token)) === null,
  // The nonce is known only once the chain has seen the hash. A hash that it never saw is `unknown`, not replaced.
  sent: (hash) => ({ namespace: 'eip155', hash }),
}
