import { type HostState, namespaces, type SocialProvider, type WalletInfo } from '@postern/protocol'
import type { SnapshotStore } from '../snapshot/store'

export type WalletInfos = { readonly [N in keyof HostState['connections']]: WalletInfo }

/**
 * Publishes public facts of the connected wallets on every change. Returns its unsubscribe.
 *
 * @param social of the embedded wallet's session
 */
export function publishWalletInfo(
  store: SnapshotStore,
  social: () => SocialProvider | null,
  publish: (infos: WalletInfos) => void,
): () => void {
  let published = '{}'

  function update(): void {
    const infos = infosOf(store.getState().connections, social)
    const text = JSON.stringify(infos)
    if (text === published) return
    published = text
    publish(infos)
  }

  update()
  return store.subscribe((snapshot, before) => {
    if (snapshot.connections !== before.connections) update()
  })
}

function infosOf(connections: HostState['connections'], social: () => SocialProvider | null): WalletInfos {
  return Object.fromEntries(
    namespaces.flatMap((namespace) => {
      const connection = connections[namespace]
      if (connection === undefined || connection.status === 'disconnected') return []
      const { connector } = connection
      if (connector === undefined) return []
      const { name, imageUrl, type } = connector
      const provider = type === 'AUTH' ? social() : null
      const info: WalletInfo = {
        name,
        ...(imageUrl !== undefined && { icon: imageUrl }),
        ...(provider !== null && { social: provider }),
      }
      return [[namespace, info]]
    }),
  )
}
