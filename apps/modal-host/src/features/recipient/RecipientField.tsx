import { isSameAddress } from '@postern/chains/same-address'
import { TextButton } from '@postern/ui/button'
import { FullAddress } from '@postern/ui/full-address'
import { type TextKey, useText } from '@postern/ui/locales/text'
import { plainText } from '@postern/ui/plain-text'
import { Spinner } from '@postern/ui/spinner'
import { ClearIcon, ScanIcon } from '@postern/ui/view-icons'
import { type ReactNode, useId, useRef, useState } from 'react'
import styles from './recipient-field.module.css'
import type { RecipientFault } from './recipient-rules'
import type { Recipient } from './use-recipient'

/** Approximate, for the longest address. */
const lineLength = 30
const maxLines = 3

type RecipientFieldProps = {
  readonly value: string
  readonly recipient: Recipient
  readonly complaint: string | null
  readonly onChange: (value: string) => void
  /** Null without a camera. */
  readonly onScan: (() => void) | null
  readonly children?: ReactNode
}

export function RecipientField({ value, recipient, complaint, onChange, onScan, children }: RecipientFieldProps) {
  const t = useText()
  const id = useId()
  const [left, setLeft] = useState(false)
  const input = useRef<HTMLTextAreaElement>(null)
  const inputProblem = useComplaint(recipient, left)
  const message = inputProblem ?? complaint
  const isLooking = recipient.kind === 'looking'
  return (
    <div className={styles.recipient}>
      <div className={styles.field} data-bad={message !== null || undefined}>
        <label className={styles.label} htmlFor={id}>
          {t('send.to')}
        </label>
        <textarea
          ref={input}
          id={id}
          className={styles.input}
          rows={Math.min(Math.ceil(value.length / lineLength) || 1, maxLines)}
          autoComplete="off"
          autoCapitalize="off"
          autoCorrect="off"
          spellCheck={false}
          maxLength={2048}
          placeholder={t('recipient.hint')}
          aria-invalid={message !== null || undefined}
          aria-describedby={`${id}-said`}
          aria-busy={isLooking || undefined}
          value={value}
          // Line breaks in pasted text are not part of an address.
          onChange={(event) => onChange(event.target.value.replace(/[\r\n]+/g, ''))}
          onBlur={() => setLeft(true)}
        />
        <span className={styles.side}>
          {isLooking && <Spinner />}
          {value !== '' && !isLooking && (
            <button
              type="button"
              className={styles.tool}
              aria-label={t('recipient.clear')}
              onClick={() => {
                setLeft(false)
                onChange('')
                input.current?.focus()
              }}
            >
              <ClearIcon />
            </button>
          )}
          {value === '' && onScan !== null && (
            <button type="button" className={styles.tool} aria-label={t('recipient.scan')} onClick={onScan}>
              <ScanIcon />
            </button>
          )}
        </span>
      </div>
      <div id={`${id}-said`} className={styles.said} role="status">
        {message !== null && <p className={styles.complaint}>{message}</p>}
        {recipient.kind === 'failed' && <TextButton onPress={recipient.retry}>{t('tryAgain')}</TextButton>}
        {recipient.kind === 'found' && !isSameAddress(recipient.address, value.trim()) && (
          <div className={styles.found}>
            <FullAddress address={recipient.address} />
          </div>
        )}
        {children}
      </div>
    </div>
  )
}

const faults: Readonly<Record<RecipientFault, TextKey>> = {
  none: 'recipient.none',
  checksum: 'recipient.checksum',
  network: 'recipient.network',
  burned: 'recipient.burned',
}

/** No complaint about incomplete input before the user leaves the field. */
function useComplaint(recipient: Recipient, left: boolean): string | null {
  const t = useText()
  switch (recipient.kind) {
    case 'invalid':
      if (recipient.reason === 'none' && !left) return null
      return t(faults[recipient.reason])
    case 'unregistered':
      return t('recipient.unregistered', { name: plainText(recipient.name) })
    case 'noAddress':
      return t('recipient.noAddress', { name: plainText(recipient.name) })
    case 'failed':
      return t('recipient.failed')
    case 'empty':
    case 'looking':
    case 'found':
      return null
  }
}
