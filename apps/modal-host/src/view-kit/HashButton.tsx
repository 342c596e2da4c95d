import { shortAddress } from '@postern/chains/text'
import { useCopy } from '@postern/ui/copy'
import { useText } from '@postern/ui/locales/text'
import { Status, Unseen } from '@postern/ui/unseen'
import { CheckIcon, CopyIcon } from '@postern/ui/view-icons'
import styles from './HashButton.module.css'

export function HashButton({ hash }: { readonly hash: string }) {
  const t = useText()
  const { copied, copy } = useCopy(t('raw.copyFailed'))
  return (
    <>
      <button type="button" className={styles.hash} title={hash} onClick={() => copy(hash)}>
        <Unseen>
          {hash}. {t('raw.copy')}
        </Unseen>
        <bdi aria-hidden="true">{shortAddress(hash)}</bdi>
        {copied ? <CheckIcon small className={styles.copied} /> : <CopyIcon small />}
      </button>
      <Status>{copied ? t('raw.copied') : ''}</Status>
    </>
  )
}
