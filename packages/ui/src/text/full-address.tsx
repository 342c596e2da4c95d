import { useText } from '../locales/text'
import { CheckIcon } from '../marks/view-icons'
import { useCopy } from './copy'
import styles from './full-address.module.css'
import { Status, Unseen } from './unseen'
import { visibleText } from './visible-text'

/** Max characters, for a small phone. Lines break evenly. */
const maxLineLength = 24
/** At each end, besides `0x`. */
const boldHead = 4
const boldTail = 6

/** The whole address, for decisions that depend on it. A press copies it. */
export function FullAddress({ address: given }: { readonly address: string }) {
  const address = visibleText(given)
  const t = useText()
  const { copied, copy } = useCopy(t('copyFailed'))
  const head = boldHead + (address.startsWith('0x') ? 2 : 0)
  const tail = Math.max(address.length - boldTail, head)
  const lines = Math.max(Math.ceil(address.length / maxLineLength), 2)
  const length = Math.ceil(address.length / lines)
  return (
    <>
      <button type="button" className={styles.address} onClick={() => copy(given)} data-site-text>
        <Unseen>
          {t('account.address', { address })}. {t('copy')}
        </Unseen>
        <bdi aria-hidden="true">
          {Array.from({ length: lines }, (_, line) => {
            const [from, to] = [line * length, (line + 1) * length]
            const part = (start: number, end: number) => address.slice(Math.max(start, from), Math.min(end, to))
            return (
              <span key={from} className={styles.line}>
                <b className={styles.end}>{part(0, head)}</b>
                {part(head, tail)}
                <b className={styles.end}>{part(tail, address.length)}</b>
              </span>
            )
          })}
        </bdi>
        {copied && <CheckIcon small className={styles.done} />}
      </button>
      <Status>{copied ? t('copied') : ''}</Status>
    </>
  )
}
