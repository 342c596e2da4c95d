import { type ChainClient, createChainClients } from '@postern/chains/chain-client'
import { type ConfiguredNetworks, configureNetworks } from '@postern/chains/networks'
import {
  alertOf,
  type CaipNetworkId,
  type Features,
  type Init,
  type Metadata,
  type Namespace,
  type Network,
  namespaceFacts,
  namespaceOf,
  type ProjectPage,
  type SomeFeatures,
  type Theme,
  type ThemeMode,
} from '@postern/protocol'
import { Failure } from '@postern/protocol/failure'
import { createSessionStore, type SessionStore } from '../connections/sessions/stored'
import { createEmbeddedStore } from '../connectors/embedded/stored'
import { createPageWallets, type PageWallets } from '../connectors/page-wallets'
import type { HostLink } from '../page-link/host-link'
import type { HttpClient } from '../services/http'
import { createHostStorage, type HostStorage } from '../services/storage'
import { featuresOf, legalOf } from '../snapshot/features'
import type { HostSnapshot } from '../snapshot/host-snapshot'
import type { Modal } from '../snapshot/modal'
import type { SnapshotStore } from '../snapshot/store'
import type { HostDependencies } from './dependencies'

export type PageSessionOptions = {
  readonly init: Init
  readonly origin: string
  readonly link: HostLink
  readonly project: ProjectPage
  readonly http: HttpClient
  readonly store: SnapshotStore
  readonly modal: Modal
  readonly dependencies: HostDependencies
}

export type PageSetup = {
  readonly networks: ConfiguredNetworks
  readonly defaultNetwork: Network
  readonly namespaces: readonly Namespace[]
  readonly features: Features
  /** Changes the dapp's flags; the project's override them. */
  changeFeatures(flags: SomeFeatures): Features
  readonly storage: HostStorage
  readonly stored: SessionStore
  readonly pageWallets: PageWallets
  readonly clientOf: (id: CaipNetworkId) => ChainClient
  /** Gateway clients only, for reads before money moves: a dapp's own endpoints could lie. */
  readonly gatewayClientOf: (id: CaipNetworkId) => ChainClient
  readonly metadata: Metadata & { readonly description: string; readonly url: string; readonly icons: string[] }
}

/**
 * Restores the last state.
 *
 * @throws Failure if the page belongs to another project, or has no known network.
 */
export function setUpPage(options: PageSessionOptions): PageSetup {
  const { init, link, project, http, store, modal, dependencies } = options
  const { clock, fetch } = dependencies
  modal.setAlertValues({
    origin: options.origin,
    projectId: project.projectId,
    ...(project.wallet !== null && { host: project.wallet.origin }),
  })
  if (init.projectId !== project.projectId) throw new Failure('INVALID_PROJECT_ID')

  const gatewayEndpoint = (id: CaipNetworkId) =>
    namespaceFacts[namespaceOf(id)].api === 'esplora'
      ? http.url(`/v1/esplora/${id}`)
      : http.url('/v1/', { chainId: id })
  const networks = configureNetworks(init.networks, {
    additional: project.networks,
    gatewayEndpoint,
    imageUrl: (id) => http.url(`/public/getAssetImage/${encodeURIComponent(id)}`),
  })
  const [defaultNetwork] = networks.list
  const [missing] = networks.unknown
  if (defaultNetwork === undefined) throw networkNotFound(missing)
  if (missing !== undefined) modal.alert('SWITCH_NETWORK_NOT_FOUND', { network: missing })
  const namespaces = [...new Set(networks.list.map(({ chainNamespace }) => chainNamespace))]

  const storage = createHostStorage({
    frameStorage: dependencies.frameStorage,
    projectId: project.projectId,
    origin: options.origin,
    stored: init.stored,
    keepInPage: (key, value) => link.request('store', { key, value }),
  })
  const sessionStore = createSessionStore(storage, dependencies.baseUrl)
  const stored = init.autoReconnect === false ? withoutEarlierSessions(sessionStore) : sessionStore
  const pageWallets = createPageWallets(clock)
  pageWallets.replace(init.pageWallets)
  const clientOf = createChainClients({ networks, fetch, clock })
  const gatewayClientOf = createChainClients({ networks: { endpoints: (id) => [gatewayEndpoint(id)] }, fetch, clock })
  const features = featuresOf(init.features, project.features)

  store.setState({
    ready: true,
    ...themed(project, init),
    metadata: init.metadata ?? null,
    networks: networks.list,
    namespaces,
    features,
    money: project.money,
    brand: init,
    legal: legalOf(features, init),
    walletKept: project.wallet !== null && stored.isWalletInWindow(),
    returningUser: project.wallet && createEmbeddedStore(storage).returningUser(),
    ...(init.locale !== undefined && { locale: init.locale }),
  })
  let flags = init.features
  return {
    networks,
    defaultNetwork,
    namespaces,
    features,
    changeFeatures(changed) {
      flags = { ...flags, ...changed }
      const now = featuresOf(flags, project.features)
      const legal = legalOf(now, init)
      store.setState((snapshot) => ({ features: now, legal: legal && (snapshot.legal ?? legal) }))
      return now
    },
    storage,
    stored,
    pageWallets,
    clientOf,
    gatewayClientOf,
    metadata: {
      name: init.metadata?.name ?? project.name,
      description: init.metadata?.description ?? '',
      url: options.origin,
      icons: init.metadata?.icons ?? [],
    },
  }
}

/** Names the network: the page shows it if the modal cannot. */
export function networkNotFound(network: string | undefined): Failure {
  if (network === undefined) return new Failure('SWITCH_NETWORK_NOT_FOUND')
  const message = alertOf('SWITCH_NETWORK_NOT_FOUND', { network })?.text
  return new Failure('SWITCH_NETWORK_NOT_FOUND', { ...(message !== undefined && { message }), data: { network } })
}

export function themed(
  { look }: Pick<ProjectPage, 'look'>,
  { theme, colorScheme }: { readonly theme?: Theme | undefined; readonly colorScheme: ThemeMode },
): Pick<HostSnapshot, 'theme' | 'themeMode'> {
  const mode = theme?.mode
  return { theme: { ...look, ...theme }, themeMode: mode === 'light' || mode === 'dark' ? mode : colorScheme }
}

/** Returns a session only after this visit stored it. */
function withoutEarlierSessions(store: SessionStore): SessionStore {
  const own = new Set<Namespace>()
  return {
    ...store,
    session: (namespace) => (own.has(namespace) ? store.session(namespace) : null),
    keepSession(namespace, session) {
      own.add(namespace)
      return store.keepSession(namespace, session)
    },
  }
}
