import type { RecoveryMethod } from '@postern/protocol'
import { Button, ButtonPair, SubmitButton } from '@postern/ui/button'
import type { Icon } from '@postern/ui/icons'
import { Tag } from '@postern/ui/row'
import { KeyIcon, ShieldIcon, WordsIcon } from '@postern/ui/view-icons'
import { Complaint } from '../components/complaint'
import { Form, Screen } from '../components/screen'
import { useSay } from '../say-context'
import styles from './method-choice.module.css'
import type { RecoverWords } from './recover'

const icons: Readonly<Record<RecoveryMethod, Icon>> = { gateway: ShieldIcon, passkey: KeyIcon, passphrase: WordsIcon }

type MethodChoiceProps = {
  readonly methods: readonly RecoveryMethod[]
  readonly words: RecoverWords
  readonly current: RecoveryMethod | null
  readonly chosen: RecoveryMethod | null
  readonly complaint: string
  readonly onChoose: (method: RecoveryMethod) => void
  readonly onContinue: () => void
  readonly onCancel: () => void
}

export function MethodChoice({
  methods,
  words,
  current,
  chosen,
  complaint,
  onChoose,
  onContinue,
  onCancel,
}: MethodChoiceProps) {
  const say = useSay()
  return (
    <Screen title={say(`${words}.title`)}>
      <Form onSubmit={onContinue}>
        <fieldset className={styles.methods}>
          <legend className={styles.lead}>{say(`${words}.text`)}</legend>
          {methods.map((method) => (
            <Method
              key={method}
              method={method}
              isCurrent={method === current}
              isChosen={method === chosen}
              onChoose={() => onChoose(method)}
            />
          ))}
        </fieldset>
        <Complaint>{complaint}</Complaint>
        <ButtonPair>
          <Button tone="secondary" onPress={onCancel}>
            {say('cancel')}
          </Button>
          <SubmitButton>{say('continue')}</SubmitButton>
        </ButtonPair>
      </Form>
    </Screen>
  )
}

type MethodProps = {
  readonly method: RecoveryMethod
  readonly isCurrent: boolean
  readonly isChosen: boolean
  readonly onChoose: () => void
}

function Method({ method, isCurrent, isChosen, onChoose }: MethodProps) {
  const say = useSay()
  const MethodIcon = icons[method]
  return (
    <label className={styles.method}>
      <input
        className={styles.radio}
        type="radio"
        name="method"
        value={method}
        checked={isChosen}
        onChange={onChoose}
      />
      <span className={styles.head}>
        <MethodIcon />
        <span className={styles.name}>{say(`recovery.${method}`)}</span>
        {isCurrent && <Tag tone="active">{say('recovery.current')}</Tag>}
      </span>
      <span className={styles.benefit}>{say(`recovery.${method}.for`)}</span>
      <span className={styles.cost}>{say(`recovery.${method}.against`)}</span>
    </label>
  )
}
