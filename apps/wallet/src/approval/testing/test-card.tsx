import { I18nProvider } from '@lingui/react'
import type { ApprovalRequest } from '@postern/protocol'
import { createText } from '@postern/ui/locales/text'
import type { Intent } from '../../intent/intent'
import { ApprovalCard } from '../card/approval-card'

type TestCardProps = {
  readonly request: ApprovalRequest
  readonly intent: Intent
  readonly network?: string
  readonly dappName?: string | undefined
}

/** The card of a dapp's only request, in English once `loadEnglish` has ended. */
export function TestCard({ request, intent, network = 'Ethereum', dappName }: TestCardProps) {
  return (
    <I18nProvider i18n={createText()}>
      <ApprovalCard
        request={request}
        intent={intent}
        isSigning={false}
        onApprove={() => {}}
        onReject={() => {}}
        watch={() => () => {}}
        network={{ name: network }}
        asker="dapp"
        dappName={dappName}
        queued={1}
      />
    </I18nProvider>
  )
}
