import { LabelledTextButton } from '@postern/ui/button'
import { Fragment } from 'react'
import { useSay } from '../say-context'
import type { CopyResult, SecretKind } from './export'
import styles from './secret-card.module.css'

type SecretCardProps = {
  readonly kind: SecretKind
  readonly secret: string | null
  readonly copied: CopyResult | null
  readonly onToggle: () => void
  readonly onCopy: () => void
}

/** In the document only while shown. */
export function SecretCard({ kind, secret, copied, onToggle, onCopy }: SecretCardProps) {
  const say = useSay()
  const what = say(`export.${kind}`)
  const isShown = secret !== null
  return (
    <section className={styles.card}>
      <h2 className={styles.name}>{what}</h2>
      <p className={styles.hint}>{say(`export.${kind}.hint`)}</p>
      <output className={styles.secret} data-kind={kind} data-hidden={!isShown || undefined} dir="ltr" aria-live="off">
        {secret === null ? '•'.repeat(24) : kind === 'mnemonic' ? <Words words={secret.split(' ')} /> : secret}
      </output>
      <div className={styles.actions}>
        <LabelledTextButton
          label={say(isShown ? 'export.hide' : 'export.show', { what })}
          expanded={isShown}
          onPress={onToggle}
        >
          {say(isShown ? 'hide' : 'show')}
        </LabelledTextButton>
        <LabelledTextButton label={say('export.copy', { what })} onPress={onCopy}>
          {say('copy')}
        </LabelledTextButton>
      </div>
      <p className={styles.note} role="status">
        {copied === null ? '' : say(`export.${copied}`)}
      </p>
    </section>
  )
}

/** The style sheet numbers the words, so that a selection has only words. */
function Words({ words }: { readonly words: readonly string[] }) {
  const placed = words.map((word, index) => ({ word, position: index + 1 }))
  return placed.map(({ word, position }) => (
    <Fragment key={position}>
      <span className={styles.word}>{word}</span>{' '}
    </Fragment>
  ))
}
