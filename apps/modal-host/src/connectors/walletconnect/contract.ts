import type { ChainClient } from '@postern/chains/chain-client'
import type { ConfiguredNetworks } from '@postern/chains/networks'
import type { CaipNetworkId, Namespace, ProjectPage } from '@postern/protocol'
import type { Clock } from '@postern/protocol/clock'
import type { HostLink } from '../../page-link/host-link'
import type { HostStorage } from '../../services/storage'
import type { SignInEvent } from '../../snapshot/contract'
import type { Modal } from '../../snapshot/modal'
import type { MultiConnector } from '../connector'

export type WalletConnectOptions = {
  readonly relay: NonNullable<ProjectPage['walletConnect']>
  /** All of them are offered to the wallet. */
  readonly networks: ConfiguredNetworks
  /** The dapp as the wallet shows it; `url` is the origin that the browser reported, never what the page claims. */
  readonly metadata: {
    readonly name: string
    readonly description: string
    readonly url: string
    readonly icons: readonly string[]
  }
  /** WalletConnect's own values go under `wc/`. */
  readonly storage: HostStorage
  readonly clock: Clock
  /** Addresses as the namespace writes them. Rejects with INVALID_PARAMS on one that is no address. */
  readonly normalise: (namespace: Namespace, addresses: readonly string[]) => Promise<readonly string[]>
  /** Where a new session lands when the wallet grants several networks and names none. A configured one. */
  readonly preferredNetwork: (namespace: Namespace) => CaipNetworkId
  /** Endpoints of a configured network: what a wallet only signs is then sent by the host. Without it such requests are UNSUPPORTED_METHOD. */
  readonly clientOf?: (id: CaipNetworkId) => ChainClient
  /** Where the page has a plugin of sign-in with wallet, connecting and signing in are one step if they can be. `notify` shows a text for a moment, `onSignIn` is told how it ended. */
  readonly page?: {
    readonly init: { readonly signIn?: 'siwx' | 'siwe' | undefined }
    readonly link: Pick<HostLink, 'ask'>
    readonly modal: Pick<Modal, 'notify'>
    readonly onSignIn: (event: SignInEvent) => void
  }
}

/** `connectors/walletconnect/index.ts` exports one as `createWalletConnect`. Making it costs nothing: the library loads on first use. */
export type CreateWalletConnect = (options: WalletConnectOptions) => MultiConnector
