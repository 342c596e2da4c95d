import { I18nProvider } from '@lingui/react'
import { Button } from '@postern/ui/button'
import { activateLocale, createText, loadEnglish } from '@postern/ui/locales/text'
import { Message, MessageGlyph } from '@postern/ui/message'
import { KeyIcon } from '@postern/ui/view-icons'
import { use } from 'react'
import { ApprovalCard } from '../../approval/card/approval-card'
import { Screen } from '../components/screen'
import { Working } from '../components/waiting'
import type { FlowGiven } from '../flow'
import { useMachine } from '../machine'
import { useSay } from '../say-context'
import { approveFlow } from './approve'

const text = (async () => {
  const i18n = createText()
  await loadEnglish()
  await activateLocale(i18n, document.documentElement.lang)
  return i18n
})()

export default function ApproveScreen({ given }: { readonly given: FlowGiven }) {
  const say = useSay()
  const i18n = use(text)
  const [state, actions] = useMachine(approveFlow, given)
  switch (state.step) {
    case 'working':
      return <Working title={say('waiting.title')} />
    case 'asking': {
      const { approval, intent, isDecided } = state
      const { request, asker, dappName, queued } = approval
      return (
        <Screen title={say('approve.title')}>
          <I18nProvider i18n={i18n}>
            <ApprovalCard
              key={request.id}
              request={request}
              intent={intent}
              network={given.networkOf(request.networkId)}
              asker={asker}
              dappName={dappName}
              queued={queued}
              isSigning={isDecided}
              onApprove={() => actions.approve(approval)}
              onReject={() => actions.reject(approval)}
              watch={given.watch}
            />
          </I18nProvider>
        </Screen>
      )
    }
    case 'withdrawn':
      return (
        <Screen title={say('approve.withdrawn.title')}>
          <Message
            picture={
              <MessageGlyph>
                <KeyIcon />
              </MessageGlyph>
            }
            text={say('approve.withdrawn.text')}
          />
          <Button tone="secondary" onPress={given.cancel}>
            {say('close')}
          </Button>
        </Screen>
      )
  }
}
