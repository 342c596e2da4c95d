import type { CaipNetworkId } from '@postern/protocol'
import { useText } from '@postern/ui/locales/text'
import type { SentOutcome } from '../../snapshot/contract'
import { factsOfNetwork } from '../../snapshot/namespace-facts'
import { withoutAddresses } from './error-message'

export function sentKeyOn(networkId: CaipNetworkId): 'approve.sentBlock' | 'approve.sentHint' {
  return factsOfNetwork(networkId).hasSlowBlocks ? 'approve.sentBlock' : 'approve.sentHint'
}

/** What happened, what was lost, what to do. `sponsored`: another party pays the fee. */
export function useOutcomeText(
  network: string,
  sponsored: boolean,
): (outcome: SentOutcome) => { readonly title: string; readonly text: string } {
  const t = useText()
  const lost = t(sponsored ? 'approve.revertedFree' : 'approve.reverted')
  return (outcome) => {
    switch (outcome.kind) {
      case 'confirmed':
        return { title: t('approve.confirmed'), text: t('approve.confirmedText', { network }) }
      case 'repriced':
        return { title: t('approve.confirmed'), text: t('approve.repricedText', { network }) }
      case 'reverted': {
        const { reason } = outcome
        const reasonText =
          reason === null ? '' : `${t('approve.revertedReason', { reason: withoutAddresses(reason) })} `
        return { title: t('approve.revertedTitle'), text: reasonText + lost }
      }
      case 'partlyReverted':
        return { title: t('approve.partlyReverted'), text: t('approve.partlyRevertedText') }
      case 'cancelled':
        return { title: t('approve.cancelled'), text: t('approve.cancelledText') }
      case 'replaced':
        return { title: t('approve.replaced'), text: t('approve.replacedText') }
      case 'dropped':
        return { title: t('approve.dropped'), text: t('approve.droppedText', { network }) }
      case 'unknown':
        return { title: t('approve.unknown'), text: t('approve.unknownText', { network }) }
    }
  }
}
