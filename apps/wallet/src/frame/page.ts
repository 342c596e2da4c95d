import { isCaipNetworkId, limits, WalletFramePage, walletPageElementId } from '@postern/protocol'

export type FrameSettings = {
  readonly page: WalletFramePage
  /** CAIP-2 id. The caller checks that it is known. */
  readonly networkId: string
  /** Only if the modal enabled the logger. */
  readonly report: (kind: string) => void
}

/**
 * @param search The frame's query: projectId, chainId (a number or a CAIP-2 id), version, enableLogger. Anyone can
 *   write it, so only harmless values come from it.
 * @throws if the gateway did not write the block, or another build did. The frame then stays silent, and the modal
 *   reports that it did not load.
 */
export function readSettings(
  document: Pick<Document, 'getElementById'>,
  search: string,
  reportError: (error: Error) => void,
): FrameSettings {
  const block = document.getElementById(walletPageElementId)?.textContent ?? ''
  const page = WalletFramePage.parse(JSON.parse(block))
  const query = new URLSearchParams(search)
  const chainIdText = query.get('chainId') ?? ''
  const id = isCaipNetworkId(chainIdText) ? chainIdText : `eip155:${chainIdText}`
  return {
    page,
    networkId: isCaipNetworkId(id) ? id : `eip155:${limits.walletChainId}`,
    report(kind) {
      if (query.get('enableLogger') === 'true') reportError(new Error(`Unexpected in the wallet: ${kind}`))
    },
  }
}
