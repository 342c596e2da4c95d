import type { ConfiguredNetworks } from '@postern/chains/networks'
import type { Namespace, Network } from '@postern/protocol'
import type { askPage } from './ask-page'

/** Ends the account's sessions on all of the dapp's chains. After a failure, the page's next answer shows the rest. */
export function signOut(
  { namespace, address }: { readonly namespace: Namespace; readonly address: string },
  networks: ConfiguredNetworks['list'],
  request: ReturnType<typeof askPage>,
): Promise<unknown> {
  const end = async ({ caipNetworkId: chainId }: Network) => {
    const { isSignedIn, endsWithConnection } = await request('siwxGetState', { chainId, address })
    if (isSignedIn && endsWithConnection) await request('siwxRevokeSession', { chainId, address })
  }
  return Promise.allSettled(networks.filter(({ chainNamespace }) => chainNamespace === namespace).map(end))
}
