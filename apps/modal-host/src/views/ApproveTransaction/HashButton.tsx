import { useText } from '../../locales/text'
import { CheckIcon, CopyIcon } from '../../ui/icons-later'
import { Status, Unseen } from '../../ui/unseen'
import { shortAddress } from '../text'
import { useCopy } from '../use-copy'
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
