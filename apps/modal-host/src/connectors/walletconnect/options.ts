import type { Clock } from '@postern/base/clock'
import type { ChainClient } from '@postern/chains/chain-client'
import type { ConfiguredNetworks } from '@postern/chains/networks'
import type { CaipNetworkId, Namespace, ProjectPage } from '@postern/protocol'
import type { HostLink } from '../../page-link/host-link'
import type { OnPageReturn } from '../../services/page-return'
import type { HostStorage } from '../../services/storage'
import type { SignInEvent } from '../../snapshot/contract'
import type { Modal } from '../../snapshot/modal'
import type { MultiConnector } from '../connector'

export type WalletConnectOptions = {
  readonly relay: NonNullable<ProjectPage['walletConnect']>
  readonly networks: ConfiguredNetworks
  /** `url` is the origin that the browser reports, never the page's claim. */
  readonly metadata: {
    readonly name: string
    readonly description: string
    readonly url: string
    readonly icons: readonly string[]
  }
  /** WalletConnect's values are under `wc/`. */
  readonly storage: HostStorage
  readonly clock: Clock
  readonly onPageReturn: OnPageReturn
  /** Rejects with INVALID_PARAMS. */
  readonly normalise: (namespace: Namespace, addresses: readonly string[]) => Promise<readonly string[]>
  /** For a session that grants several networks. */
  readonly preferredNetwork: (namespace: Namespace) => CaipNetworkId
  /** The host sends through it for wallets that only sign; else such requests are UNSUPPORTED_METHOD. */
  readonly clientOf?: (id: CaipNetworkId) => ChainClient
  /** With a sign-in plugin, connecting and signing in are one step if possible. */
  readonly page?: {
    readonly init: { readonly signIn?: 'siwx' | 'siwe' | undefined }
    readonly link: Pick<HostLink, 'ask'>
    readonly modal: Pick<Modal, 'notify'>
    readonly onSignIn: (event: SignInEvent) => void
  }
}

export type CreateWalletConnect = (options: WalletConnectOptions) => MultiConnector
