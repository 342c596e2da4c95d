import type { Connection, ConnectorSummary, Namespace } from '@postern/protocol'
import type { Connector } from '../../connectors/connector'
import type { KnownAccount } from './machine'
import type { SessionStore, StoredSession } from './stored'

export type WalletIdentity = Pick<StoredSession, 'stableId' | 'name' | 'type' | 'imageUrl'>

export type ChosenAccount = NonNullable<StoredSession['chosen']>

/** Returns whether anything changed. */
export function storeSession(
  store: SessionStore,
  connector: Connector,
  { accounts, networkId }: Pick<KnownAccount, 'accounts' | 'networkId'>,
  chosen: ChosenAccount | null,
): boolean {
  const { namespace, stableId, name, type, imageUrl } = connector
  const session = { stableId, name, type, ...(imageUrl !== undefined && { imageUrl }) }
  return store.keepSession(namespace, {
    ...session,
    accounts: [...accounts],
    networkId,
    ...(chosen !== null && { chosen }),
  })
}

/** Returns whether anything changed. */
export function storeConnection(
  store: SessionStore,
  namespace: Namespace,
  connection: Connection,
  connector: Connector | null,
  chosen: ChosenAccount | null,
): boolean {
  if (connection.status === 'connected') return connector !== null && storeSession(store, connector, connection, chosen)
  return connection.status === 'disconnected' && deleteSession(store, namespace, connector?.stableId)
}

/** Deletes the wallet's session, but not one that another tab connected. Returns whether anything changed. */
export function deleteSession(store: SessionStore, namespace: Namespace, stableId: string | undefined): boolean {
  const stored = store.session(namespace)
  const isOther = stableId !== undefined && stored !== null && stored.stableId !== stableId
  return !isOther && store.keepSession(namespace, null)
}

/** Page wallets' ids change on reload: the stable id is used until the wallet is found. */
export function knownFrom({ stableId, name, type, imageUrl, accounts, networkId }: StoredSession): KnownAccount {
  return { connector: { id: stableId, name, type, ...(imageUrl !== undefined && { imageUrl }) }, accounts, networkId }
}

/** The wallet is outside the page, with its session in the host. */
export function isRemote({ type }: Pick<WalletIdentity, 'type'>): boolean {
  return type === 'WALLET_CONNECT' || type === 'AUTH'
}

export function summaryOf({ id, name, type, imageUrl, pageWallet }: Connector): ConnectorSummary {
  return {
    id,
    name,
    type,
    ...(imageUrl !== undefined && { imageUrl }),
    ...(pageWallet !== undefined && { pageWallet }),
  }
}
