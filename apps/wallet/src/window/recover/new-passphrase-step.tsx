import { onceLoaded } from '@postern/base/once-loaded'
import { Button, ButtonPair, SubmitButton } from '@postern/ui/button'
import { Notice } from '@postern/ui/notice'
import { useEffect, useRef, useState } from 'react'
import { PassphraseField } from '../components/passphrase-field'
import { Form, Lead, Screen } from '../components/screen'
import { minPassphraseLength } from '../passphrase/passphrase'
import type { Strength } from '../passphrase/strength'
import type { Say } from '../say'
import { useSay } from '../say-context'
import styles from './new-passphrase-step.module.css'

type Complaints = { readonly first: string; readonly second: string }

const noComplaints: Complaints = { first: '', second: '' }

type NewPassphraseStepProps = {
  readonly onSubmit: (passphrase: string) => void
  readonly onBack: () => void
}

const { load: loadMeter } = onceLoaded(async () =>
  (await import('../passphrase/strength')).loadMeter(navigator.languages),
)

/** The passphrase stays in the fields; only its strength is state. */
export function NewPassphraseStep({ onSubmit, onBack }: NewPassphraseStepProps) {
  const say = useSay()
  const first = useRef<HTMLInputElement>(null)
  const second = useRef<HTMLInputElement>(null)
  const [strength, setStrength] = useState<Strength | null>(null)
  const [complaints, setComplaints] = useState(noComplaints)
  const [isLoading, setLoading] = useState(true)
  useEffect(() => {
    const endLoading = () => setLoading(false)
    // A submission after a failure loads again.
    loadMeter().then(endLoading, endLoading)
  }, [])

  const submit = async () => {
    if (isLoading) return
    const passphrase = first.current?.value ?? ''
    const complaint = await loadMeter().then(
      ({ strengthOf }) => complaintOf(strengthOf(passphrase), say),
      () => say('passphrase.notChecked'),
    )
    if (complaint !== null) {
      // The hint below would repeat the complaint.
      setStrength(null)
      setComplaints({ ...complaints, first: complaint })
      first.current?.focus()
    } else if (second.current?.value !== passphrase) {
      setComplaints({ ...complaints, second: say('passphrase.differ') })
      second.current?.focus()
    } else onSubmit(passphrase)
  }
  const editFirst = (passphrase: string) => {
    setComplaints({ ...complaints, first: '' })
    if (passphrase === '') return setStrength(null)
    loadMeter().then(
      ({ strengthOf }) => first.current?.value === passphrase && setStrength(strengthOf(passphrase)),
      () => setStrength(null),
    )
  }
  return (
    <Screen title={say('passphrase.title')}>
      <Lead>{say('passphrase.text', { count: minPassphraseLength })}</Lead>
      <Notice tone="warn" title={say('passphrase.warning')} />
      <Form onSubmit={() => void submit()}>
        <PassphraseField
          ref={first}
          label={say('passphrase.label')}
          autoComplete="new-password"
          complaint={complaints.first}
          onEdit={editFirst}
          suggest={async () => (await loadMeter()).suggestPassphrase()}
          isFirst
        />
        <p className={styles.strength} data-strength={strength?.kind} aria-live="polite">
          {strength === null ? '' : wordsOf(strength, say)}
        </p>
        <PassphraseField
          ref={second}
          label={say('passphrase.repeat')}
          autoComplete="new-password"
          complaint={complaints.second}
          onEdit={() => setComplaints({ ...complaints, second: '' })}
        />
        <ButtonPair>
          <Button tone="secondary" onPress={onBack}>
            {say('back')}
          </Button>
          <SubmitButton busy={isLoading}>{say('continue')}</SubmitButton>
        </ButtonPair>
      </Form>
    </Screen>
  )
}

function wordsOf(strength: Strength, say: Say): string {
  return strength.kind === 'short'
    ? say('passphrase.short', { count: strength.missing })
    : say(`passphrase.${strength.kind}`)
}

function complaintOf(strength: Strength, say: Say): string | null {
  if (strength.kind === 'weak') return say('passphrase.tooWeak')
  return strength.kind === 'short' ? wordsOf(strength, say) : null
}
