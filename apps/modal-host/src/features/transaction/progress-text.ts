import { useText } from '@postern/ui/locales/text'
import type { TrackedTransaction } from '../../snapshot/money'
import { sentKeyOn, useOutcomeText } from '../../view-kit/messages/outcome-text'
import { useShortErrorMessage } from '../../view-kit/messages/short-error-message'

export type ProgressText = { readonly title: string; readonly text: string }

/** What happened, whether anything is lost, and what to do. `network` and `wallet` are names. */
export function useProgressText(network: string, wallet: string): (shown: TrackedTransaction) => ProgressText {
  const t = useText()
  const errorMessage = useShortErrorMessage()
  const outcomeText = useOutcomeText(network, false)
  return ({ status, networkId, purpose }) => {
    switch (status.kind) {
      case 'asking':
        return { title: t('progress.asking'), text: t('progress.askingText', { wallet }) }
      case 'declined':
        return { title: t('progress.declined'), text: t('progress.declinedText') }
      case 'failed':
        return { title: t('progress.failed'), text: `${errorMessage(status)}.` }
      case 'sent':
        return { title: t('approve.sent'), text: t(sentKeyOn(networkId), { network }) }
      case 'ended':
        return status.outcome.kind === 'confirmed'
          ? { title: t('progress.deed', { kind: purpose.kind }), text: t('progress.deedText', { network }) }
          : outcomeText(status.outcome)
    }
  }
}
