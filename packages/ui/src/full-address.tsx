import { useCopy } from './copy'
import styles from './full-address.module.css'
import { useText } from './locales/text'
import { Status, Unseen } from './unseen'
import { CheckIcon } from './view-icons'
import { visibleText } from './visible-text'

/** Bold characters at each end. A prefix `0x` is bold too. */
const boldHead = 4
const boldTail = 6

/** The whole address, for decisions that depend on it. A press copies it. A site may have written it. */
export function FullAddress({ address: given }: { readonly address: string }) {
  const address = visibleText(given)
  const t = useText()
  const { copied, copy } = useCopy(t('copyFailed'))
  const head = boldHead + (address.startsWith('0x') ? 2 : 0)
  const middle = Math.max(Math.ceil(address.length / 2), head)
  const tail = Math.max(address.length - boldTail, middle)
  return (
    <>
      <button type="button" className={styles.address} onClick={() => copy(given)} data-site-text>
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
