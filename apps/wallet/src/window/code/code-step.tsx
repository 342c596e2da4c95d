import { Button, ButtonPair, SubmitButton, TextButton } from '@postern/ui/button'
import { CodeField } from '@postern/ui/code-field'
import { type ReactNode, useId } from 'react'
import { Complaint } from '../components/complaint'
import { Form, Lead, Screen } from '../components/screen'
import { useSay } from '../say-context'
import type { CodeActions, CodeState } from './code'
import styles from './code-step.module.css'

type CodeStepProps = {
  /** Default: that the code was emailed. */
  readonly title?: string
  readonly state: CodeState
  readonly actions: CodeActions
  readonly email: string
  readonly onCancel: () => void
  readonly children?: ReactNode
}

export function CodeStep({ title, state, actions, email, onCancel, children }: CodeStepProps) {
  const say = useSay()
  const complaintId = useId()
  const { isBusy, complaint, refusal, email: which } = state
  return (
    <Screen title={title ?? say('code.title')}>
      {children}
      <Lead live>{say(`code.${which}`, { email })}</Lead>
      <Form onSubmit={() => !isBusy && actions.submitIncomplete()}>
        <CodeField
          label={say('code.label')}
          describedBy={complaintId}
          busy={isBusy}
          refusal={refusal}
          onComplete={actions.submit}
        />
        <Complaint id={complaintId}>{complaint}</Complaint>
        <ButtonPair>
          <Button tone="secondary" disabled={isBusy} onPress={onCancel}>
            {say('cancel')}
          </Button>
          <SubmitButton busy={isBusy}>{say('continue')}</SubmitButton>
        </ButtonPair>
      </Form>
      <div className={styles.again}>
        <TextButton onPress={actions.resend}>{say('code.again')}</TextButton>
      </div>
    </Screen>
  )
}
