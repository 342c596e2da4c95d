import { limits } from '@postern/protocol'
import { CheckIcon } from '@postern/ui/icons-later'
import { useText } from '@postern/ui/locales/text'
import { Status, Unseen } from '@postern/ui/unseen'
import styles from './FullAddress.module.css'
import { useCopy } from './use-copy'

/** For decisions that depend on the address. A press copies it. */
export function FullAddress({ address }: { readonly address: string }) {
  const t = useText()
  const { copied, copy } = useCopy(t('copyFailed'))
  const head = limits.addressHead + (address.startsWith('0x') ? 2 : 0)
  const middle = Math.max(Math.ceil(address.length / 2), head)
  const tail = Math.max(address.length - limits.addressTail, middle)
  return (
    <>
      <button type="button" className={styles.address} onClick={() => copy(address)}>
        <Unseen>
          {t('account.address', { address })}. {t('copy')}
        </Unseen>
        {/* Breaks evenly over two lines. */}
        <bdi aria-hidden="true">
          <span className={styles.half}>
            <b className={styles.end}>{address.slice(0, head)}</b>
            {address.slice(head, middle)}
          </span>
          <span className={styles.half}>
            {address.slice(middle, tail)}
            <b className={styles.end}>{address.slice(tail)}</b>
          </span>
        </bdi>
        {copied && <CheckIcon small className={styles.done} />}
      </button>
      <Status>{copied ? t('copied') : ''}</Status>
    </>
  )
}
