import { walletNamespaces } from '@postern/protocol/namespaces'
import { Button, ButtonPair } from '@postern/ui/button'
import { CautionIcon } from '@postern/ui/icons'
import { Message, MessageGlyph } from '@postern/ui/message'
import { Notice } from '@postern/ui/notice'
import { useLayoutEffect } from 'react'
import { flushSync } from 'react-dom'
import { CodeStep } from '../code/code-step'
import { ArmedButton } from '../components/armed-button'
import { Rules } from '../components/rules'
import { Caption, Screen } from '../components/screen'
import { Working } from '../components/waiting'
import type { FlowGiven } from '../flow'
import { useMachine } from '../machine'
import { useSay } from '../say-context'
import { type ExportActions, type ExportState, exportFlow } from './export'
import { SecretCard } from './secret-card'

export function ExportScreen({ given }: { readonly given: FlowGiven }) {
  const say = useSay()
  const [state, actions] = useMachine(exportFlow, given)
  switch (state.step) {
    case 'warning':
      return <Warning onAgree={actions.agree} onCancel={given.cancel} />
    case 'working':
      return <Working title={say(state.title)} />
    case 'code':
      return (
        <CodeStep
          state={state.code}
          actions={actions.code}
          email={given.link.context.user?.email ?? ''}
          onCancel={given.cancel}
        />
      )
    case 'keys':
      return <Keys state={state} actions={actions} onLeave={given.onLeave} />
  }
}

const rules = ['who', 'where', 'after'] as const

function Warning({ onAgree, onCancel }: { readonly onAgree: () => void; readonly onCancel: () => void }) {
  const say = useSay()
  return (
    <Screen title={say('export.title')}>
      <Message
        picture={
          <MessageGlyph tone="warn">
            <CautionIcon />
          </MessageGlyph>
        }
        title={say('export.warning')}
        heading
      />
      <Rules sentences={rules.map((rule) => say(`export.rule.${rule}`))} />
      <ButtonPair>
        <Button tone="secondary" onPress={onCancel}>
          {say('cancel')}
        </Button>
        <ArmedButton onPress={onAgree}>{say('export.button')}</ArmedButton>
      </ButtonPair>
    </Screen>
  )
}

const kinds = ['mnemonic', ...walletNamespaces] as const

type KeysProps = {
  readonly state: Extract<ExportState, { step: 'keys' }>
  readonly actions: ExportActions
  readonly onLeave: FlowGiven['onLeave']
}

function Keys({ state, actions, onLeave }: KeysProps) {
  const say = useSay()
  const { keys, shown, copies } = state
  // Synchronous: a hidden page may not render again.
  useLayoutEffect(() => onLeave(() => flushSync(actions.hideAll)), [onLeave, actions])
  return (
    <Screen title={say('export.shown.title')}>
      <Notice tone="warn" title={say('export.warning')} />
      <Caption>{say('export.shown.text')}</Caption>
      {kinds.map((kind) => (
        <SecretCard
          key={kind}
          kind={kind}
          secret={shown.includes(kind) ? keys[kind] : null}
          copied={copies[kind] ?? null}
          onToggle={() => actions.toggle(kind)}
          onCopy={() => actions.copy(kind, keys[kind])}
        />
      ))}
      <Button tone="primary" onPress={actions.close}>
        {say('export.finish')}
      </Button>
    </Screen>
  )
}
