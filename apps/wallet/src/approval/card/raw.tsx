import { TextButton } from '@postern/ui/button'
import { useCopy } from '@postern/ui/copy'
import { Disclosure } from '@postern/ui/disclosure'
import { useText } from '@postern/ui/locales/text'
import { Status } from '@postern/ui/unseen'
import type { Intent } from '../../intent/intent'
import styles from './approval.module.css'

export function Raw({ raw }: Pick<Intent, 'raw'>) {
  const t = useText()
  if (raw.length === 0) return null
  return (
    <Disclosure title={t('approve.raw')} filled>
      {raw.map(({ name, text }) => (
        <RawText key={name} name={name} text={text} />
      ))}
    </Disclosure>
  )
}

function RawText({ name, text }: { readonly name: string; readonly text: string }) {
  const t = useText()
  const { copied, copy } = useCopy(t('raw.copyFailed'))
  return (
    <div className={styles.raw}>
      <p className={styles.rawName}>
        <span>{name}</span>
        <TextButton onPress={() => copy(text)}>{copied ? t('raw.copied') : t('raw.copy')}</TextButton>
      </p>
      <textarea className={styles.rawText} readOnly rows={4} dir="auto" aria-label={name} value={text} />
      <Status>{copied ? t('raw.copied') : ''}</Status>
    </div>
  )
}
