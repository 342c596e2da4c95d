/** What the frame is told where it starts: the gateway's data block, and the query of its own address. */
import { isCaipNetworkId, limits, WalletFramePage, walletPageElementId } from '@postern/protocol'

export type FrameSettings = {
  readonly page: WalletFramePage
  /** CAIP-2 id of the network to start on; the caller makes sure that it is known. */
  readonly networkId: string
  readonly enableLogger: boolean
}

/**
 * @param search The frame's query: projectId, chainId (a number or a CAIP-2 id), version, enableLogger. Anybody can write an address, so only what opens nothing is
 *   taken from it.
 * @throws Where the gateway did not write the block, or another gateway's build did: the frame then stays silent, and the modal says that it did not load.
 */
export function readSettings(document: Pick<Document, 'getElementById'>, search: string): FrameSettings {
  const block = document.getElementById(walletPageElementId)?.textContent ?? ''
  const page = WalletFramePage.parse(JSON.parse(block))
  const query = new URLSearchParams(search)
  const asked = query.get('chainId') ?? ''
  const id = isCaipNetworkId(asked) ? asked : `eip155:${asked}`
  return {
    page,
    networkId: isCaipNetworkId(id) ? id : `eip155:${limits.walletChainId}`,
    enableLogger: query.get('enableLogger') === 'true',
  }
}
