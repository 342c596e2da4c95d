import { CheckIcon, CopyIcon } from '@postern/ui/icons-later'
import { useText } from '@postern/ui/locales/text'
import { Status, Unseen } from '@postern/ui/unseen'
import { shortAddress } from '../../view-kit/text'
import { useCopy } from '../../view-kit/use-copy'
import styles from './ApproveTransaction.module.css'

/** The hash of a transaction, shortened for the eye; copies the whole of it on a press and says so. */
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
